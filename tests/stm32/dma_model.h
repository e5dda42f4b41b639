#pragma once
#include <map>
#include <vector>

#include "hal/stm32/dma_stream.h"
#include "tests/stm32/machine.h"

namespace tactus::hal::stm32::model {

/// A DMA controller as RM0090 10 has it, and RM0433 15: single transfers on request, circular or not, flags and their
/// interrupts; a stream that goes on for a while after it has been told to stop, that takes no set-up while EN is set, and
/// does not start with its flags set. Registers hold 32 bits of an address: memory is given to the model beside it.
class DmaModel : public Holding<StreamDmaRegisters> {
 public:
  /// @param known  what of a stream's CR is modelled: no flow control, bursts, double buffer
  explicit DmaModel(Machine& machine, StreamDmaRegisters<ModelRegister>* place = nullptr, const char* name = "DMA2",
                    std::uint32_t known = 0x0E037DDFu)
      : Holding(machine, name, place), known_(known) {
    for (auto& stream : regs().stream) stream.fcr.bits = 0x21;  // reset value, RM0090 10.5.10
  }

  /// Memory that transfers may reach, by the low half of its address.
  template <class T>
  void Reach(volatile T* begin, std::size_t count) {
    memory_[Low(begin)] = {const_cast<T*>(begin), sizeof(T), count};
  }
  static std::uint32_t Low(const volatile void* place) {
    return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(place));
  }

  /// As a loader leaves a stream that it has used: running for someone else, through its FIFO, all flags set.
  void LeaveUsed(unsigned number) {
    auto& stream = Stream(number);
    stream.cr.bits = 0x0E00001F, stream.ndtr.bits = 3, stream.par.bits = stream.m0ar.bits = 0x1000, stream.fcr.bits = 0x27;
    Raise(number, kAllFlags);
  }

  bool stalled = false;      ///< requests are not served
  std::uint32_t stands = 0;  ///< nor are those of these streams, from bit 0
  bool never_stops = false;  ///< EN stays set

  bool runs(unsigned stream) const { return (Stream(stream).cr.bits & kEnable) != 0; }
  /// What the interrupt controller sees: RM0090 10.4.
  bool interrupts(unsigned stream) const {
    const std::uint32_t is = Flags(stream), on = Stream(stream).cr.bits;
    return (is >> 1 & on & 0x1Eu) != 0;  // DMEIF to TCIF are one bit above DMEIE to TCIE
  }
  /// How urgent a stream's requests are; of two equal ones the lower number goes first (RM0090 10.3.5).
  std::uint32_t priority(unsigned stream) const { return Stream(stream).cr.bits >> 16 & 3u; }
  int transfers(unsigned stream) const { return done_[stream]; }  ///< whole ones, so far

  /// A request of a peripheral on `channel`, with its data register. @returns whether it was served.
  bool FromPeripheral(unsigned stream, unsigned channel, const ModelRegister& data, std::uint32_t value) {
    if (!Serves(stream, channel, data, false)) return false;
    Put(stream, value);
    Count(stream);
    return true;
  }
  bool ToPeripheral(unsigned stream, unsigned channel, const ModelRegister& data, std::uint32_t* value) {
    if (!Serves(stream, channel, data, true)) return false;
    *value = Get(stream);
    Count(stream);
    return true;
  }
  /// A transfer error: the stream stops (RM0090 10.3.19).
  void Fail(unsigned stream) {
    Stream(stream).cr.bits &= ~kEnable;
    Raise(stream, kErrorFlag);
  }

  void Step() override {
    for (unsigned number = 0; number < 8; ++number)
      if (stopping_[number] > 0 && !never_stops && --stopping_[number] == 0) Stream(number).cr.bits &= ~kEnable;
  }

  void Write(std::size_t offset, std::uint32_t value, std::uint32_t& bits) override {
    if (offset == 0x08) return void(regs().lisr.bits &= ~value);  // LIFCR
    if (offset == 0x0C) return void(regs().hisr.bits &= ~value);  // HIFCR
    if (offset < 0x10) return;                                    // LISR, HISR: read only
    const auto number = static_cast<unsigned>((offset - 0x10) / 0x18);
    const std::size_t field = (offset - 0x10) % 0x18;
    if (field == 0) return WriteControl(number, value, bits);
    if (runs(number)) return Violate("a stream was changed while it ran");  // RM0090 10.5.6 to 10.5.10
    bits = value;
    if (field == 4) reload_[number] = value;  // NDTR
  }

  /// Whether the memory that it was given listens: without its clock nothing arrives.
  std::function<bool()> memory_has_clock = [] { return true; };

  std::uint32_t Flags(unsigned stream) const {
    return (stream < 4 ? regs().lisr.bits : regs().hisr.bits) >> FlagPlace(stream) & kAllFlags;
  }

 protected:
  const DmaStreamRegisters<ModelRegister>& Stream(unsigned stream) const { return regs().stream[stream]; }
  DmaStreamRegisters<ModelRegister>& Stream(unsigned stream) { return regs().stream[stream]; }

 private:
  static constexpr std::uint32_t kEnable = 1u, kInterrupts = 0x1Eu, kCircular = 1u << 8, kStep = 1u << 10;  // CR
  static constexpr std::uint32_t kAllFlags = 0x3Du, kErrorFlag = 1u << 3, kHalfFlag = 1u << 4, kDoneFlag = 1u << 5;

  struct Reached {
    void* begin;
    std::size_t size, count;
  };

  static unsigned FlagPlace(unsigned stream) { return std::vector<unsigned>{0, 6, 16, 22}[stream % 4]; }  // RM0090 10.5.1
  void Raise(unsigned stream, std::uint32_t flag) {
    (stream < 4 ? regs().lisr.bits : regs().hisr.bits) |= flag << FlagPlace(stream);
  }

  /// RM0090 10.3.17 and 10.5.5: the interrupts' bits can always be written, EN stops only when what is under way is done,
  /// the others wait for it. What a stream is for comes before the write that starts it.
  void WriteControl(unsigned number, std::uint32_t value, std::uint32_t& bits) {
    constexpr std::uint32_t kSetUp = ~(kEnable | kInterrupts);
    if (runs(number)) {
      bits = (bits & (kSetUp | kEnable)) | (value & kInterrupts);
      if ((value & kEnable) == 0)
        stopping_[number] = 3;
      else if (((value ^ bits) & kSetUp) != 0)
        Violate("a stream was changed while it ran");
      return;
    }
    const bool starts = (value & kEnable) != 0;
    if (starts && Flags(number) != 0) {
      Violate("a stream was started with its flags set");
      value &= ~kEnable;
    }
    if (starts && ((value ^ bits) & kSetUp) != 0) Violate("a stream was set up by the write that starts it");
    if (starts && (value & ~known_) != 0) Violate("a stream in a mode that nobody has modelled");
    bits = value;
    if (starts) position_[number] = 0, fifo_[number].clear();
  }

  bool Serves(unsigned stream, unsigned channel, const ModelRegister& data, bool to_peripheral) {
    const std::uint32_t word = Stream(stream).cr.bits;
    if (stalled || (stands >> stream & 1u) != 0 || !has_clock() || !runs(stream)) return false;
    return word >> 25 == channel && Stream(stream).par.bits == Low(&data) && (word >> 6 & 3u) == (to_peripheral ? 1u : 0u);
  }
  std::size_t Place(unsigned stream) const { return (Stream(stream).cr.bits & kStep) != 0 ? position_[stream] : 0; }

  /// In direct mode at once, with the peripheral's size; else when the FIFO has reached its threshold (RM0090 10.3.12).
  void Put(unsigned stream, std::uint32_t value) {
    auto& waiting = fifo_[stream];
    waiting.push_back({Place(stream), value});
    const std::size_t size = 1u << (Stream(stream).cr.bits >> 11 & 3u);
    const std::uint32_t fifo = Stream(stream).fcr.bits;
    if ((fifo & 4u) != 0 && waiting.size() * size < 4u * ((fifo & 3u) + 1)) return;
    for (const auto& [at, one] : waiting) Store(stream, at, size, one);
    waiting.clear();
  }
  void Store(unsigned stream, std::size_t at, std::size_t size, std::uint32_t value) {
    const auto found = memory_.find(Stream(stream).m0ar.bits);
    if (found == memory_.end() || size != found->second.size || at >= found->second.count)
      return Violate("a transfer outside its memory, or of another size");
    if (!memory_has_clock()) return;
    if (size == 1) static_cast<std::uint8_t*>(found->second.begin)[at] = static_cast<std::uint8_t>(value);
    if (size == 2) static_cast<std::uint16_t*>(found->second.begin)[at] = static_cast<std::uint16_t>(value);
  }
  std::uint32_t Get(unsigned stream) {
    const auto found = memory_.find(Stream(stream).m0ar.bits);
    const std::size_t at = Place(stream);
    if (found == memory_.end() || (Stream(stream).cr.bits >> 11 & 3u) != 0 || at >= found->second.count)
      return Violate("a transfer outside its memory, or of another size"), 0;
    return static_cast<const std::uint8_t*>(found->second.begin)[at];
  }
  void Count(unsigned stream) {
    ++position_[stream];
    std::uint32_t& left = Stream(stream).ndtr.bits;
    if (--left == reload_[stream] / 2) Raise(stream, kHalfFlag);
    if (left != 0) return;
    Raise(stream, kDoneFlag);
    ++done_[stream];
    if ((Stream(stream).cr.bits & kCircular) == 0) return void(Stream(stream).cr.bits &= ~kEnable);
    left = reload_[stream];
    position_[stream] = 0;
  }

  std::uint32_t known_;
  std::map<std::uint32_t, Reached> memory_;
  std::vector<std::pair<std::size_t, std::uint32_t>> fifo_[8];
  std::uint32_t reload_[8] = {};
  std::size_t position_[8] = {};
  int stopping_[8] = {}, done_[8] = {};
};

}  // namespace tactus::hal::stm32::model
