#pragma once
#include "hal/stm32/registers.h"

namespace tactus::hal::stm32 {

enum class PinMode : std::uint8_t { kInput = 0, kOutput = 1, kAlternate = 2, kAnalog = 3 };
enum class Pull : std::uint8_t { kNone = 0, kUp = 1, kDown = 2 };

/// What a pin is for. An output starts low.
struct PinUse {
  std::uint8_t pin;  ///< 0 to 15
  PinMode mode;
  std::uint8_t alternate = 0;  ///< kAlternate: the function's number in the data sheet
  Pull pull = Pull::kNone;
};

/// Sets a pin up: pull and function before the mode, so that the pin never shows anything else.
template <class R>
void SetUpPin(GpioRegisters<R>& port, const PinUse& use) {
  const unsigned two = 2u * use.pin, four = 4u * (use.pin % 8u);
  const auto set = [](R& word, unsigned shift, std::uint32_t mask, std::uint32_t value) {
    word = (word & ~(mask << shift)) | (value << shift);
  };
  port.bsrr = 1u << (16u + use.pin);
  set(port.pupdr, two, 3u, static_cast<std::uint32_t>(use.pull));
  set(port.afr[use.pin / 8], four, 15u, use.alternate);
  set(port.moder, two, 3u, static_cast<std::uint32_t>(use.mode));
}

}  // namespace tactus::hal::stm32
