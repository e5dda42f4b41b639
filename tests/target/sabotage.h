#pragma once
#include <cstdint>

namespace tactus::target {

/// What one seed does to the board while it commands a force: some of RAM is overwritten, perhaps memory protection and the
/// stack pointer too, and then something happens that must end in a fault.
class Sabotage {
 public:
  explicit Sabotage(std::uint32_t seed);

  /// Half a frame on the line, corruption, fault. Returns only if the fault is left to what the corrupted program does next;
  /// a timer raises it if that does nothing wrong for 10 ms.
  /// @param fifo  handle of the FIFO that is the link; 0: the link is the UART
  void Do(int fifo);

  /// In which tick after the start, and whether in the tick or in the background that it interrupts.
  std::uint32_t tick() const { return tick_; }
  bool in_tick() const { return in_tick_; }

 private:
  std::uint32_t Random();  // xorshift32 [Marsaglia 2003]
  std::uint32_t Below(std::uint32_t bound) { return Random() % bound; }
  std::uint32_t AnyAddress();
  void SendHalfAFrame(int fifo);
  void Corrupt();
  void ProtectAnything();
  void RaiseAtOnce();
  void Raise();

  std::uint32_t state_;
  std::uint32_t tick_;
  bool in_tick_;
};

}  // namespace tactus::target
