#pragma once
#include "hal/stm32/f4/registers.h"
#include "tests/stm32/machine.h"

namespace tactus::hal::stm32::model {

/// What may go wrong, and how long what goes right takes [accesses].
struct ClockFaults {
  bool clock_on_pin = false;  ///< instead of a crystal
  bool no_crystal = false, no_lock = false, no_supply = false, no_scale = false, no_overdrive = false,
       no_wait_states = false, no_switch = false;
  int crystal_takes = 200, lock_takes = 100, supply_takes = 20, switch_takes = 5;
};

/// Where the families have the system clock's switch.
struct SwitchField {
  std::uint32_t mask, pll, status_mask, status_pll;
};

/// What F4, G4 and H7 have alike in RCC_CR (RM0090 7.3.1, RM0440 7.4.1, RM0433 8.7.2): flags rise some time after their
/// switch, the loop only on a running crystal and within its limits; the bypass is chosen with the oscillator off; the
/// system clock switches when its source is ready. Switching to a clock that flash, supply or a bus cannot take is a
/// violation: on the chip, the end. When the crystal stops the clock security, if it is on, falls back to the internal
/// oscillator, raises the NMI and cuts the advanced timers; without it the core stands.
template <template <class> class Registers>
class OscillatorModel : public Holding<Registers> {
 public:
  OscillatorModel(Machine& machine, const ClockFaults& faults, const SwitchField& field, Registers<ModelRegister>* place)
      : Holding<Registers>(machine, "RCC", place), faults_(faults), field_(field) {}

  bool pll_ready() const { return (this->regs().cr.bits & kPllReady) != 0; }
  bool pll_on() const { return (this->regs().cr.bits & kPllOn) != 0; }
  bool runs_on_pll() const { return (this->regs().cfgr.bits & field_.status_mask) == field_.status_pll; }

  void LoseCrystal() {
    const bool secured = (this->regs().cr.bits & (kSecurity | kHseReady)) == (kSecurity | kHseReady);
    stands = runs_on_pll() && !secured;
    faults_.no_crystal = true;
    if (!secured) return;
    this->regs().cfgr.bits &= ~field_.mask;
    nmi = true;
    cut();
  }
  bool nmi = false, stands = false;
  std::function<void()> cut = [] {};

  void Step() override {
    std::uint32_t& word = this->regs().cr.bits;
    crystal_ticks_ = (word & kHseOn) != 0 ? crystal_ticks_ + 1 : 0;
    const bool bypass = (word & kHseBypass) != 0;
    const bool crystal = !faults_.no_crystal && bypass == faults_.clock_on_pin && crystal_ticks_ > faults_.crystal_takes;
    Flag(kHseReady, crystal);
    pll_ticks_ = pll_on() && crystal && PllIsLegal() ? pll_ticks_ + 1 : 0;
    Flag(kPllReady, !faults_.no_lock && pll_ticks_ > faults_.lock_takes);
    switch_ticks_ = WantsPll(this->regs().cfgr.bits) && pll_ready() ? switch_ticks_ + 1 : 0;
    const bool switched = !faults_.no_switch && switch_ticks_ > faults_.switch_takes;
    this->regs().cfgr.bits = (this->regs().cfgr.bits & ~field_.status_mask) | (switched ? field_.status_pll : 0u);
  }

  void Write(std::size_t offset, std::uint32_t value, std::uint32_t& bits) override {
    if (IsOfPll(offset) && pll_on()) return this->Violate("the PLL was set up while it is on");
    if (&bits == &this->regs().cr.bits) {
      // Flags are read only, and what the core runs on stays on.
      const std::uint32_t own = kHseReady | kPllReady | ((bits & kHseOn) != 0 ? kHseBypass : 0u);
      value = (bits & own) | (value & ~own) | (runs_on_pll() ? bits & (kHseOn | kPllOn) : 0u);
    }
    if (&bits == &this->regs().cfgr.bits) value = (bits & field_.status_mask) | (value & ~field_.status_mask);
    const std::uint32_t was = bits;
    bits = value;
    if (&bits == &this->regs().cfgr.bits) CheckSwitch(was, value);
    if (&bits == &this->regs().cfgr.bits && WantsPll(value) && !pll_ready())
      this->Violate("switched to a PLL that is not ready");
  }

 protected:
  virtual bool PllIsLegal() const = 0;
  virtual bool IsOfPll(std::size_t offset) const = 0;
  /// A write to CFGR.
  virtual void CheckSwitch(std::uint32_t was, std::uint32_t value) = 0;

  bool WantsPll(std::uint32_t cfgr) const { return (cfgr & field_.mask) == field_.pll; }
  int accesses_on_pll() const { return runs_on_pll() ? switch_ticks_ - faults_.switch_takes : 0; }
  const ClockFaults& faults() const { return faults_; }

 private:
  static constexpr std::uint32_t kHseOn = 1u << 16, kHseReady = 1u << 17, kHseBypass = 1u << 18, kSecurity = 1u << 19,
                                 kPllOn = 1u << 24, kPllReady = 1u << 25;

  void Flag(std::uint32_t flag, bool on) { this->regs().cr.bits = (this->regs().cr.bits & ~flag) | (on ? flag : 0u); }

  ClockFaults faults_;
  SwitchField field_;
  int crystal_ticks_ = 0, pll_ticks_ = 0, switch_ticks_ = 0;
};

/// A flash interface: wait states that are read back.
template <template <class> class Registers>
class FlashModel : public Holding<Registers> {
 public:
  FlashModel(Machine& machine, const ClockFaults& faults, Registers<ModelRegister>* place = nullptr)
      : Holding<Registers>(machine, "FLASH", place), faults_(faults) {}
  void Write(std::size_t offset, std::uint32_t value, std::uint32_t& bits) override {
    bits = faults_.no_wait_states && offset == 0 ? value & ~15u : value;
  }
  std::uint32_t wait_states() const { return this->regs().acr.bits & 15u; }

 private:
  ClockFaults faults_;
};

}  // namespace tactus::hal::stm32::model
