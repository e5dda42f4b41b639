#pragma once
#include <map>

#include "hal/stm32/g4/registers.h"
#include "tests/stm32/dma_requests.h"

namespace tactus::hal::stm32::model {

/// A DMA controller as RM0440 12 has it, behind DMAMUX: a channel serves the request that its multiplexer names, keeps its
/// set-up while EN is set, and stops behind a transfer error. Registers hold 32 bits of an address: memory is given to the
/// model beside it.
class G4DmaModel : public Holding<g4::DmaRegisters>, public DmaRequests {
 public:
  G4DmaModel(Machine& machine, MuxModel& mux, g4::DmaRegisters<ModelRegister>* place = nullptr)
      : Holding(machine, "DMA1", place), mux_(mux) {
    mux.runs = [this](unsigned number) { return number < kChannels && runs(number); };
  }

  static constexpr std::uint32_t kAdc1 = 5, kAdc2 = 36, kUsart2Receives = 26,
                                 kUsart2Sends = 27;  // requests, RM0440 table 91

  /// Memory that transfers may reach, by the low half of its address.
  template <class T>
  void Reach(volatile T* begin, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) memory_[Low(begin + i)] = {const_cast<T*>(begin + i), sizeof(T)};
  }
  /// As a loader leaves a channel that it has used: running for someone else, all flags set.
  void LeaveUsed(unsigned number) {
    auto& channel = regs().channel[number];
    channel.ccr.bits = 0x3A9F, channel.cndtr.bits = 3, channel.cpar.bits = channel.cmar.bits = 0x1000;
    regs().isr.bits |= 15u << 4 * number;
    mux_.regs().ccr[number].bits = 0x33;
  }

  bool stalled = false;      ///< requests are not served
  std::uint32_t stands = 0;  ///< nor are those of these channels, from bit 0

  bool runs(unsigned number) const { return (regs().channel[number].ccr.bits & kEnable) != 0; }
  /// What the interrupt controller sees: RM0440 12.5.
  bool interrupts(unsigned number) const {
    return (regs().isr.bits >> 4 * number & regs().channel[number].ccr.bits & kInterrupts) != 0;  // TCIF to TEIF, as TCIE
  }
  int transfers(unsigned number) const { return done_[number]; }  ///< whole ones, so far
  /// How urgent a channel's requests are; of two equal ones the lower number goes first (RM0440 12.4.4).
  std::uint32_t priority(unsigned number) const { return regs().channel[number].ccr.bits >> 12 & 3u; }

  bool FromPeripheral(std::uint32_t request, const ModelRegister& data, std::uint32_t value) override {
    const unsigned number = Serving(request, data, false);
    const Reached* const place = number < kChannels ? Place(number) : nullptr;
    if (place == nullptr) return false;
    if (place->size == 1) *static_cast<std::uint8_t*>(place->at) = static_cast<std::uint8_t>(value);
    if (place->size == 2) *static_cast<std::uint16_t*>(place->at) = static_cast<std::uint16_t>(value);
    Count(number);
    return true;
  }
  bool ToPeripheral(std::uint32_t request, const ModelRegister& data, std::uint32_t* value) override {
    const unsigned number = Serving(request, data, true);
    const Reached* const place = number < kChannels ? Place(number) : nullptr;
    if (place == nullptr) return false;
    *value = *static_cast<const std::uint8_t*>(place->at);
    Count(number);
    return true;
  }
  /// A transfer error: the channel stops (RM0440 12.4.6).
  void Fail(unsigned number) {
    regs().channel[number].ccr.bits &= ~kEnable;
    regs().isr.bits |= 9u << 4 * number;  // GIF, TEIF
  }

  void Write(std::size_t offset, std::uint32_t value, std::uint32_t& bits) override {
    if (offset == 0x00) return;  // ISR: read only
    if (offset == 0x04) return Clear(value);
    const auto number = static_cast<unsigned>((offset - 0x08) / 0x14);
    const bool is_control = (offset - 0x08) % 0x14 == 0, starts = is_control && (value & kEnable) != 0;
    if (runs(number) && (!is_control || starts)) return Violate("a channel was changed while it ran");
    if (is_control && (value & ~kKnown) != 0) Violate("a channel in a mode that nobody has modelled");
    const bool has_failed = (regs().isr.bits >> 4 * number & 8u) != 0;  // TEIF: EN is not taken, RM0440 12.6.3
    bits = starts && has_failed ? value & ~kEnable : value;
    if (starts) reload_[number] = regs().channel[number].cndtr.bits, position_[number] = 0;
  }

 private:
  struct Reached {
    void* at;
    std::size_t size;
  };
  static constexpr unsigned kChannels = 6;
  static constexpr std::uint32_t kEnable = 1u, kInterrupts = 7u << 1, kToPeripheral = 1u << 4, kCircular = 1u << 5,
                                 kStep = 1u << 7;   // CCR
  static constexpr std::uint32_t kKnown = 0x3FBFu;  // no increment of the peripheral, no memory to memory

  static std::uint32_t Low(const volatile void* place) {
    return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(place));
  }
  /// RM0440 12.6.2: CGIF clears all flags of its channel.
  void Clear(std::uint32_t value) {
    for (unsigned number = 0; number < kChannels; ++number) {
      const std::uint32_t one = value >> 4 * number & 15u;
      regs().isr.bits &= ~(((one & 1u) != 0 ? 15u : one) << 4 * number);
    }
  }
  /// The channel that serves this request now; kChannels: none does.
  unsigned Serving(std::uint32_t request, const ModelRegister& data, bool to_peripheral) {
    const unsigned number = mux_.Find(request, kChannels);
    if (number == kChannels || stalled || (stands >> number & 1u) != 0 || !has_clock() || !runs(number)) return kChannels;
    const auto& channel = regs().channel[number];
    if (channel.cndtr.bits == 0) return kChannels;  // one that is not circular has ended
    if (channel.cpar.bits == Low(&data) && ((channel.ccr.bits & kToPeripheral) != 0) == to_peripheral) return number;
    Violate("a transfer from or to elsewhere");
    return kChannels;
  }
  const Reached* Place(unsigned number) {
    const auto& channel = regs().channel[number];
    const std::size_t size = std::size_t{1} << (channel.ccr.bits >> 10 & 3u);
    const std::size_t at = (channel.ccr.bits & kStep) != 0 ? position_[number] * size : 0;
    const auto found = memory_.find(channel.cmar.bits + static_cast<std::uint32_t>(at));
    const bool is_even = (channel.ccr.bits >> 8 & 3u) == (channel.ccr.bits >> 10 & 3u);  // PSIZE, MSIZE
    if (found != memory_.end() && found->second.size == size && is_even) return &found->second;
    Violate("a transfer of another size, or outside its memory");
    return nullptr;
  }
  void Count(unsigned number) {
    auto& channel = regs().channel[number];
    ++position_[number];
    if (--channel.cndtr.bits == reload_[number] / 2) regs().isr.bits |= 5u << 4 * number;  // GIF, HTIF
    if (channel.cndtr.bits != 0) return;
    ++done_[number];
    regs().isr.bits |= 3u << 4 * number;  // GIF, TCIF
    if ((channel.ccr.bits & kCircular) != 0) channel.cndtr.bits = reload_[number];
    position_[number] = 0;
  }

  MuxModel& mux_;
  std::map<std::uint32_t, Reached> memory_;
  std::uint32_t reload_[kChannels] = {};
  std::size_t position_[kChannels] = {};
  int done_[kChannels] = {};
};

}  // namespace tactus::hal::stm32::model
