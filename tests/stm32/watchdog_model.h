#pragma once
#include "hal/stm32/registers.h"
#include "tests/stm32/machine.h"

namespace tactus::hal::stm32::model {

/// RM0090 21: keys, an oscillator of its own that runs from the start on, a prescaler and a reload that take some of its
/// clocks to arrive; meanwhile they are not written again, and what is reloaded is the value of before.
class IwdgModel : public Holding<IwdgRegisters> {
 public:
  IwdgModel(Machine& machine, double oscillator_Hz, IwdgRegisters<ModelRegister>* place = nullptr)
      : Holding(machine, "IWDG", place), oscillator_Hz_(oscillator_Hz) {
    regs().rlr.bits = 0xFFF;
  }
  bool running = false, reset = false, never_ready = false;
  int takes = 30;  ///< accesses until what was written has arrived

  /// As a loader leaves it that wants to be fed: running, at its slowest.
  void LeaveUsed() {
    running = true;
    regs().pr.bits = prescaler_ = 6;
  }
  void Elapse(double us) {
    if (!running || reset) return;
    left_ -= us * 1e-6 * oscillator_Hz_ / static_cast<double>(4u << prescaler_);
    reset = left_ <= 0;
  }
  void Step() override {
    if (busy_ > 0 && running && !never_ready && --busy_ == 0) {
      regs().sr.bits = 0;
      prescaler_ = regs().pr.bits, reload_ = regs().rlr.bits;
    }
  }
  void Write(std::size_t offset, std::uint32_t value, std::uint32_t& bits) override {
    if (offset == TACTUS_AT(IwdgRegisters, kr)) return WriteKey(value);
    if (!unlocked_) return Violate("written without the key");
    const std::uint32_t flag = offset == TACTUS_AT(IwdgRegisters, pr) ? 1u : 2u;  // PVU, RVU
    if ((regs().sr.bits & flag) != 0) return Violate("written before the last value has arrived");
    bits = value;
    regs().sr.bits |= flag;
    busy_ = takes;
  }

 private:
  void WriteKey(std::uint32_t value) {
    unlocked_ = value == 0x5555u;
    if (value == 0xCCCCu) running = true;
    if (value == 0xAAAAu || value == 0xCCCCu) left_ = reload_;
  }

  double oscillator_Hz_, left_ = 0xFFF;
  std::uint32_t prescaler_ = 0, reload_ = 0xFFF;
  bool unlocked_ = false;
  int busy_ = 0;
};

/// RM0090 22, RM0433 47, RM0440 44: counts down from T, resets on leaving 0x40 and on a refresh above the window; warns at
/// 0x40. The families differ in where the divider is.
class WwdgModel : public Holding<WwdgRegisters> {
 public:
  enum class Divider { kBits8To7, kBits13To11 };

  WwdgModel(Machine& machine, double bus_Hz, Divider divider, WwdgRegisters<ModelRegister>* place = nullptr)
      : Holding(machine, "WWDG", place), bus_Hz_(bus_Hz), divider_(divider) {
    regs().cr.bits = regs().cfr.bits = 0x7F;
  }
  bool reset = false, warned = false;
  bool running() const { return (regs().cr.bits & 0x80u) != 0; }
  double CountUs() const {
    const bool wide = divider_ == Divider::kBits13To11;
    return 4096.0 * (1u << (wide ? regs().cfr.bits >> 11 & 7u : regs().cfr.bits >> 7 & 3u)) / bus_Hz_ * 1e6;
  }

  void Elapse(double us) {
    if (!running() || reset) return;
    fraction_ += us / CountUs();
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
  Divider divider_;
};

}  // namespace tactus::hal::stm32::model
