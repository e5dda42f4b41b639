#pragma once
#include <functional>

#include "hal/stm32/dma_mux.h"
#include "tests/stm32/machine.h"

namespace tactus::hal::stm32::model {

/// A DMA as a peripheral behind DMAMUX sees it.
class DmaRequests {
 public:
  virtual ~DmaRequests() = default;
  /// A request with this number, with the peripheral's data register. @returns whether it was served.
  virtual bool FromPeripheral(std::uint32_t request, const ModelRegister& data, std::uint32_t value) = 0;
  virtual bool ToPeripheral(std::uint32_t request, const ModelRegister& data, std::uint32_t* value) = 0;
};

/// DMAMUX, RM0433 17, RM0440 13: which request a stream or channel of DMA1 serves; chosen while that stands.
class MuxModel : public Holding<DmaMuxRegisters> {
 public:
  explicit MuxModel(Machine& machine, DmaMuxRegisters<ModelRegister>* place = nullptr) : Holding(machine, "DMAMUX", place) {}

  std::function<bool(unsigned number)> runs = [](unsigned) { return false; };

  /// The first of so many that serves this request; `count`: none does.
  unsigned Find(std::uint32_t request, unsigned count) const {
    unsigned number = 0;
    while (number < count && (!has_clock() || regs().ccr[number].bits != request)) ++number;
    return number;
  }
  void Write(std::size_t offset, std::uint32_t value, std::uint32_t& bits) override {
    const auto number = static_cast<unsigned>(offset / 4);
    if (bits != value && runs(number)) Violate("a request was changed while it was served");
    bits = value;
  }
};

}  // namespace tactus::hal::stm32::model
