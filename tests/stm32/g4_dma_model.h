#pragma once
#include <map>

#include "hal/stm32/g4/registers.h"
#include "tests/stm32/machine.h"

namespace tactus::hal::stm32::model {

/// A DMA controller as RM0440 12 has it, behind DMAMUX, RM0440 13: a channel serves the request that its multiplexer names,
/// keeps its set-up while EN is set, and stops behind a transfer error. Registers hold 32 bits of an address: memory is
/// given to the model beside it.
class G4DmaModel : public Holding<g4::DmaRegisters> {
 public:
  using Mux = Holding<g4::DmaMuxRegisters>;

  G4DmaModel(Machine& machine, const Mux& mux, g4::DmaRegisters<ModelRegister>* place = nullptr)
      : Holding(machine, "DMA1", place), mux_(mux) {}

  static constexpr std::uint32_t kAdc1 = 5, kAdc2 = 36;  // requests, RM0440 table 91

  /// Half-words that transfers may reach.
  void Reach(volatile std::uint16_t* begin, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) memory_[Low(begin + i)] = begin + i;
  }
  /// As a loader leaves a channel that it has used: running for someone else, all flags set.
  void LeaveUsed(unsigned number) {
    auto& channel = regs().channel[number];
    channel.ccr.bits = 0x3A9F, channel.cndtr.bits = 3, channel.cpar.bits = channel.cmar.bits = 0x1000;
    regs().isr.bits |= 15u << 4 * number;
  }

  bool stalled = false;      ///< requests are not served
  std::uint32_t stands = 0;  ///< nor are those of these channels, from bit 0

  int transfers(unsigned number) const { return done_[number]; }  ///< whole ones, so far

  /// A request of a peripheral with its data register. @returns whether it was served.
  bool FromPeripheral(std::uint32_t request, const ModelRegister& data, std::uint32_t value) {
    for (unsigned number = 0; number < 6; ++number)
      if (mux_.has_clock() && mux_.regs().ccr[number].bits == request) return Serve(number, data, value);
    return false;
  }
  /// A transfer error: the channel stops (RM0440 12.4.6).
  void Fail(unsigned number) {
    regs().channel[number].ccr.bits &= ~kEnable;
    regs().isr.bits |= 1u << 3 << 4 * number;
  }

  void Write(std::size_t offset, std::uint32_t value, std::uint32_t& bits) override {
    if (offset == 0x00) return;  // ISR: read only
    if (offset == 0x04) return Clear(value);
    const auto number = static_cast<unsigned>((offset - 0x08) / 0x14);
    const bool is_control = (offset - 0x08) % 0x14 == 0, runs = (regs().channel[number].ccr.bits & kEnable) != 0;
    if (runs && !(is_control && (value & kEnable) == 0)) return Violate("a channel was changed while it ran");
    if (is_control && (value & ~kKnown) != 0) Violate("a channel in a mode that nobody has modelled");
    bits = value;
    if ((offset - 0x08) % 0x14 == 4) reload_[number] = value;  // CNDTR
  }

 private:
  static constexpr std::uint32_t kEnable = 1u, kCircular = 1u << 5, kSizes = 15u << 8, kHalfWords = 5u << 8;
  static constexpr std::uint32_t kKnown = 0x3F21u;  // EN, CIRC, sizes, priority

  static std::uint32_t Low(const volatile void* place) {
    return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(place));
  }
  /// RM0440 12.6.2: CGIF clears all flags of its channel.
  void Clear(std::uint32_t value) {
    for (unsigned number = 0; number < 6; ++number) {
      const std::uint32_t one = value >> 4 * number & 15u;
      regs().isr.bits &= ~(((one & 1u) != 0 ? 15u : one) << 4 * number);
    }
  }
  bool Serve(unsigned number, const ModelRegister& data, std::uint32_t value) {
    auto& channel = regs().channel[number];
    if (stalled || (stands >> number & 1u) != 0 || !has_clock() || (channel.ccr.bits & kEnable) == 0) return false;
    const auto found = memory_.find(channel.cmar.bits);
    if (channel.cpar.bits != Low(&data) || found == memory_.end() || (channel.ccr.bits & kSizes) != kHalfWords)
      return Violate("a transfer of another size, or from or to elsewhere"), false;
    *found->second = static_cast<std::uint16_t>(value);
    if (--channel.cndtr.bits != 0) return true;
    ++done_[number];
    regs().isr.bits |= 3u << 4 * number;  // GIF, TCIF
    if ((channel.ccr.bits & kCircular) == 0) channel.ccr.bits &= ~kEnable;
    channel.cndtr.bits = reload_[number];
    return true;
  }

  const Mux& mux_;
  std::map<std::uint32_t, volatile std::uint16_t*> memory_;
  std::uint32_t reload_[6] = {};
  int done_[6] = {};
};

}  // namespace tactus::hal::stm32::model
