#pragma once
#include <map>
#include <vector>

#include "hal/stm32/f4/registers.h"
#include "tests/stm32/machine.h"

namespace tactus::hal::stm32::model {

/// DMA2 as RM0090 10 has it: single transfers on request, circular or not, flags, a stream that goes on for a while after it
/// has been told to stop. Registers hold 32 bits of an address: memory is given to the model beside it.
class DmaModel : public Holding<f4::DmaRegisters> {
 public:
  explicit DmaModel(Machine& machine) : Holding(machine, "DMA2") {}

  /// Memory that transfers may reach, by the low half of its address.
  template <class T>
  void Reach(volatile T* begin, std::size_t count) {
    memory_[Low(begin)] = {const_cast<T*>(begin), sizeof(T), count};
  }
  static std::uint32_t Low(const volatile void* place) {
    return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(place));
  }

  bool stalled = false;      ///< requests are not served
  bool never_stops = false;  ///< EN stays set

  bool runs(unsigned stream) const { return (Stream(stream).cr.bits & f4::dma::kEnable) != 0; }

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
    Stream(stream).cr.bits &= ~f4::dma::kEnable;
    Raise(stream, f4::dma::kFlagError);
  }

  void Write(std::size_t offset, std::uint32_t value, std::uint32_t& bits) override {
    if (offset == TACTUS_AT(f4::DmaRegisters, lifcr)) return void(regs().lisr.bits &= ~value);
    if (offset == TACTUS_AT(f4::DmaRegisters, hifcr)) return void(regs().hisr.bits &= ~value);
    const std::size_t in_streams = offset - TACTUS_AT(f4::DmaRegisters, stream);
    const auto stream = static_cast<unsigned>(in_streams / sizeof(f4::DmaStreamRegisters<std::uint32_t>));
    const std::size_t field = in_streams % sizeof(f4::DmaStreamRegisters<std::uint32_t>);
    if (field != 0) {
      if (runs(stream)) Violate("a stream was changed while it ran");  // RM0090 10.5.6 to 10.5.9
      bits = value;
      if (field == TACTUS_AT(f4::DmaStreamRegisters, ndtr)) reload_[stream] = value;
      return;
    }
    if ((value & f4::dma::kEnable) != 0 && !runs(stream) && (Flags(stream) & f4::dma::kFlagDone) != 0)
      Violate("a stream was started with its flags set");  // RM0090 10.3.17
    const bool goes_on = never_stops && runs(stream);
    bits = value | (goes_on ? f4::dma::kEnable : 0u);
    position_[stream] = goes_on ? position_[stream] : 0;
  }

  std::uint32_t Flags(unsigned stream) const {
    return (stream < 4 ? regs().lisr.bits : regs().hisr.bits) >> f4::dma::FlagShift(stream) & f4::dma::kAllFlags;
  }

 private:
  struct Reached {
    void* begin;
    std::size_t size, count;
  };

  const f4::DmaStreamRegisters<ModelRegister>& Stream(unsigned stream) const { return regs().stream[stream]; }
  f4::DmaStreamRegisters<ModelRegister>& Stream(unsigned stream) { return regs().stream[stream]; }
  void Raise(unsigned stream, std::uint32_t flag) {
    (stream < 4 ? regs().lisr.bits : regs().hisr.bits) |= flag << f4::dma::FlagShift(stream);
  }

  bool Serves(unsigned stream, unsigned channel, const ModelRegister& data, bool to_peripheral) {
    const std::uint32_t word = Stream(stream).cr.bits;
    if (stalled || !runs(stream)) return false;
    return word >> 25 == channel && Stream(stream).par.bits == Low(&data) &&
           ((word & f4::dma::kToPeripheral) != 0) == to_peripheral;
  }
  std::size_t Place(unsigned stream) const {
    return (Stream(stream).cr.bits & f4::dma::kIncrementMemory) != 0 ? position_[stream] : 0;
  }
  void Put(unsigned stream, std::uint32_t value) {
    const Reached& room = memory_.at(Stream(stream).m0ar.bits);
    const std::size_t at = Place(stream);
    const std::size_t size = 1u << (Stream(stream).cr.bits >> 13 & 3u);
    if (size != room.size || at >= room.count) return Violate("a transfer outside its memory, or of another size");
    if (size == 1) static_cast<std::uint8_t*>(room.begin)[at] = static_cast<std::uint8_t>(value);
    if (size == 2) static_cast<std::uint16_t*>(room.begin)[at] = static_cast<std::uint16_t>(value);
  }
  std::uint32_t Get(unsigned stream) {
    return static_cast<const std::uint8_t*>(memory_.at(Stream(stream).m0ar.bits).begin)[Place(stream)];
  }
  void Count(unsigned stream) {
    ++position_[stream];
    std::uint32_t& left = Stream(stream).ndtr.bits;
    if (--left == reload_[stream] / 2) Raise(stream, f4::dma::kFlagHalf);
    if (left != 0) return;
    Raise(stream, f4::dma::kFlagDone);
    if ((Stream(stream).cr.bits & f4::dma::kCircular) == 0) return void(Stream(stream).cr.bits &= ~f4::dma::kEnable);
    left = reload_[stream];
    position_[stream] = 0;
  }

  std::map<std::uint32_t, Reached> memory_;
  std::uint32_t reload_[8] = {};
  std::size_t position_[8] = {};
};

}  // namespace tactus::hal::stm32::model
