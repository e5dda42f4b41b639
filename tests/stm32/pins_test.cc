#include <gtest/gtest.h>

#include "hal/stm32/pins.h"
#include "tests/stm32/each_write.h"
#include "tests/stm32/gpio_model.h"

// Source: RM0090 8, RM0433 11, RM0440 9.

namespace tactus::hal::stm32 {
namespace {

using model::GpioModel;
using model::ModelRegister;

TEST(SetUpPin, SetsPullAndFunctionBeforeTheModeAndLeavesOtherPinsAlone) {
  model::Machine machine;
  model::Holding<GpioRegisters> port(machine, "GPIOB");
  port.regs().moder.bits = 0xFFFFFFFFu;
  port.regs().afr[1].bits = 0x11111111u;
  SetUpPin(port.regs(), {12, PinMode::kAlternate, 5, Pull::kUp});
  EXPECT_EQ(port.regs().moder.bits, 0xFEFFFFFFu);
  EXPECT_EQ(port.regs().afr[1].bits, 0x11151111u);
  EXPECT_EQ(port.regs().pupdr.bits, 1u << 24);
  const int function = machine.FirstWrite("GPIOB", TACTUS_AT(GpioRegisters, afr) + 4, 0, 0);
  const int mode = machine.FirstWrite("GPIOB", TACTUS_AT(GpioRegisters, moder), 0, 0);
  EXPECT_LT(function, mode);
}

/// On a port that a loader has used: the pin has its pull and its function, has never shown another one nor been high, and
/// the others are as they were.
bool PinIsWell(const PinUse& use) {
  model::Machine machine;
  GpioModel port(machine, "GPIOC");
  auto& r = port.regs();
  for (ModelRegister* const word : {&r.pupdr, &r.afr[0], &r.afr[1], &r.odr}) word->bits = 0xFFFFFFFFu;
  r.moder.bits = 0x55555555u & ~(3u << 2 * use.pin);
  SetUpPin(r, use);
  machine.EndStart();
  const std::uint32_t two = 3u << 2 * use.pin, four = 15u << 4 * (use.pin % 8);
  const bool alone = ((r.moder.bits ^ 0x55555555u) & ~two) == 0 && (r.pupdr.bits | two) == 0xFFFFFFFFu &&
                     (r.afr[use.pin / 8].bits | four) == 0xFFFFFFFFu && r.afr[1 - use.pin / 8].bits == 0xFFFFFFFFu &&
                     (r.odr.bits | 1u << use.pin) == 0xFFFFFFFFu;
  const std::uint32_t seen = use.mode == PinMode::kAlternate ? 1u << use.alternate : 0u;
  return alone && port.mode(use.pin) == static_cast<std::uint32_t>(use.mode) && !port.was_high(use.pin) &&
         port.pull(use.pin) == static_cast<std::uint32_t>(use.pull) && port.functions_seen(use.pin) == seen;
}

TEST(SetUpPin, EachWriteCounts) {
  const auto low = [](unsigned pin) {
    const std::uint32_t word = 1u << (16 + pin);
    return std::vector<model::Unseen>{{"GPIOC", TACTUS_AT(GpioRegisters, bsrr), word, 0, "low, of a pin that is no output"},
                                      {"GPIOC", TACTUS_AT(GpioRegisters, bsrr), word, word, "its bit"}};
  };
  model::ExpectEachWriteCounts([] { return PinIsWell({3, PinMode::kAlternate, 9, Pull::kUp}); }, low(3));
  model::ExpectEachWriteCounts([] { return PinIsWell({11, PinMode::kAlternate, 5, Pull::kDown}); }, low(11));
  model::ExpectEachWriteCounts(
      [] {
        return PinIsWell({10, PinMode::kOutput});
      },
      {{"GPIOC", TACTUS_AT(GpioRegisters, afr) + 4, std::nullopt, 0, "the function, of a pin that has none"}});
}

TEST(GpioModel, FindsAPinThatShowsAnotherFunctionFirst) {
  model::Machine machine;
  GpioModel port(machine, "GPIOA");
  port.regs().moder = 2u << 16;
  port.regs().afr[1] = 1;
  EXPECT_EQ(port.functions_seen(8), 1u << 0 | 1u << 1);
  port.regs().bsrr = 1u << 5;
  port.regs().moder = 1u << 10;
  EXPECT_TRUE(port.was_high(5));
}

}  // namespace
}  // namespace tactus::hal::stm32
