#pragma once
#include <cstdint>
#include <span>

namespace tactus::hal {

/// What the board of a real device does when it is not well. A device has some of them: EmulatedBoard::CanHave().
struct BoardFaults {
  bool sensor_fault = false;    ///< its own check of an encoder fails
  bool frozen = false;          ///< its positions stand
  bool zero_positions = false;  ///< its positions read 0
  bool jump = false;            ///< one position is 0x8000 counts off
  bool refuses = false;         ///< takes no command, and says so if its protocol can
  bool drive_fault = false;     ///< a drive reports a fault
  bool other_model = false;     ///< answers as another device
  bool not_a_number = false;    ///< answers with what is no number
  bool mute = false;            ///< reads and obeys, and says nothing

  friend bool operator==(const BoardFaults&, const BoardFaults&) = default;
};

/// The electronics of a haptic device, emulated: the bytes of its line, its motors' currents, its own time.
class EmulatedBoard {
 public:
  virtual ~EmulatedBoard() = default;

  BoardFaults faults;

  /// Bytes that have come from the host, in order; what is not whole waits for the rest.
  void Receive(std::span<const std::uint8_t> bytes) noexcept { DoReceive(bytes); }

  /// Its time and its mechanics go on by one period. Once in each period, behind Receive.
  void Advance() noexcept { DoAdvance(); }

  /// What it has said since the last call; valid until the next call of anything.
  std::span<const std::uint8_t> Say() noexcept { return DoSay(); }

  /// As when its supply comes back: nothing remembered, no current. The mechanics go on.
  void PowerUp() noexcept { DoPowerUp(); }

  /// The rate that its host has set its end of the line to, before the next Receive; 0: not known.
  void SetRate(std::uint32_t baud) noexcept { DoSetRate(baud); }
  /// The buttons that are held now, from bit 0; those that it does not have are not.
  void Hold(std::uint8_t buttons) noexcept { buttons_ = buttons; }

  /// How many buttons it has.
  int buttons() const noexcept { return DoButtons(); }
  /// The faults that its protocol and its drives know.
  BoardFaults CanHave() const noexcept { return DoCanHave(); }
  std::uint32_t period_us() const noexcept { return DoPeriodUs(); }
  /// Largest current that flows in a motor now, 0 where the drives are off [A, or N·m where drives take torques].
  float largest_A() const noexcept { return DoLargestA(); }
  /// Messages that it has taken as a whole, and those that it has not understood.
  std::uint32_t taken() const noexcept { return taken_; }
  std::uint32_t refused() const noexcept { return refused_; }

 protected:
  std::uint32_t taken_ = 0, refused_ = 0;
  std::uint8_t buttons_ = 0;

 private:
  virtual void DoReceive(std::span<const std::uint8_t> bytes) noexcept = 0;
  virtual void DoAdvance() noexcept = 0;
  virtual std::span<const std::uint8_t> DoSay() noexcept = 0;
  virtual void DoPowerUp() noexcept = 0;
  virtual void DoSetRate(std::uint32_t) noexcept {}
  virtual int DoButtons() const noexcept { return 0; }
  virtual BoardFaults DoCanHave() const noexcept = 0;
  virtual std::uint32_t DoPeriodUs() const noexcept = 0;
  virtual float DoLargestA() const noexcept = 0;
};

}  // namespace tactus::hal
