#pragma once
#include "hal/stm32/registers.h"
#include "tests/stm32/machine.h"

namespace tactus::hal::stm32::model {

/// RM0090 21: keys, a prescaler and a reload that take some time to arrive, an oscillator of its own.
class IwdgModel : public Holding<IwdgRegisters> {
 public:
  IwdgModel(Machine& machine, double oscillator_Hz) : Holding(machine, "IWDG"), oscillator_Hz_(oscillator_Hz) {
    regs().rlr.bits = 0xFFF;
  }
  bool running = false, reset = false, never_ready = false;

  void Elapse(double us) {
    if (!running || reset) return;
    left_ -= us * 1e-6 * oscillator_Hz_ / static_cast<double>(4u << regs().pr.bits);
    reset = left_ <= 0;
  }
  void Step() override { regs().sr.bits = never_ready || (busy_ > 0 && --busy_ > 0) ? 3u : 0u; }
  void Write(std::size_t offset, std::uint32_t value, std::uint32_t& bits) override {
    if (offset != TACTUS_AT(IwdgRegisters, kr)) {
      if (!unlocked_) return Violate("written without the key");
      bits = value;
      busy_ = 30;
      return;
    }
    unlocked_ = value == 0x5555u;
    if (value == 0xCCCCu) running = true;
    if (value == 0xAAAAu || value == 0xCCCCu) left_ = regs().rlr.bits;
  }

 private:
  double oscillator_Hz_, left_ = 0xFFF;
  bool unlocked_ = false;
  int busy_ = 0;
};

/// RM0090 22: counts down from T, resets on leaving 0x40 and on a refresh above the window; warns at 0x40.
class WwdgModel : public Holding<WwdgRegisters> {
 public:
  WwdgModel(Machine& machine, double bus_Hz) : Holding(machine, "WWDG"), bus_Hz_(bus_Hz) {
    regs().cr.bits = regs().cfr.bits = 0x7F;
  }
  bool reset = false, warned = false;
  bool running() const { return (regs().cr.bits & 0x80u) != 0; }

  void Elapse(double us) {
    if (!running() || reset) return;
    fraction_ += us * 1e-6 * bus_Hz_ / (4096.0 * (1u << (regs().cfr.bits >> 7 & 3u)));
    for (; fraction_ >= 1 && !reset; fraction_ -= 1) {
      --regs().cr.bits;
      warned = warned || ((regs().cr.bits & 0x7Fu) == 0x40u && (regs().cfr.bits & 0x200u) != 0);
      reset = (regs().cr.bits & 0x40u) == 0;
    }
  }
  void Write(std::size_t offset, std::uint32_t value, std::uint32_t& bits) override {
    if (offset != 0) return void(bits = value);
    if (running() && (bits & 0x7Fu) > (regs().cfr.bits & 0x7Fu)) reset = true;  // too early
    if ((value & 0xC0u) == 0x80u) reset = true;
    bits = value | (running() ? 0x80u : 0u);
    fraction_ = 0;
  }

 private:
  double bus_Hz_, fraction_ = 0;
};

}  // namespace tactus::hal::stm32::model
