#pragma once
#include "hal/stm32/f4/registers.h"
#include "tests/stm32/machine.h"

namespace tactus::hal::stm32::model {

/// What may go wrong, and how long what goes right takes [accesses].
struct ClockFaults {
  bool clock_on_pin = false;  ///< instead of a crystal
  bool no_crystal = false, no_lock = false, no_supply = false, no_wait_states = false, no_switch = false;
  int crystal_takes = 200, lock_takes = 100, supply_takes = 20, switch_takes = 5;
};

class PwrModel;
class FlashModel;

/// RM0090 7.3: flags rise some time after their switch, the loop only on a running crystal and within its limits; the system
/// clock switches when its source is ready. Switching to a clock that the flash, the supply or a bus cannot take is a
/// violation: on the chip, the end.
class RccModel : public Holding<f4::RccRegisters> {
 public:
  RccModel(Machine& machine, const ClockFaults& faults, PwrModel& pwr, FlashModel& flash, std::uint32_t crystal_Hz)
      : Holding(machine, "RCC"), faults_(faults), pwr_(pwr), flash_(flash), crystal_Hz_(crystal_Hz) {
    regs().cr.bits = 0x83;  // HSION, HSIRDY
    regs().pllcfgr.bits = 0x24003010;
  }

  void Step() override {
    crystal_ticks_ = (regs().cr.bits & f4::rcc::kHseOn) != 0 ? crystal_ticks_ + 1 : 0;
    const bool bypass = (regs().cr.bits & f4::rcc::kHseBypass) != 0;
    const bool crystal = !faults_.no_crystal && bypass == faults_.clock_on_pin && crystal_ticks_ > faults_.crystal_takes;
    Flag(f4::rcc::kHseReady, crystal);
    pll_ticks_ = (regs().cr.bits & f4::rcc::kPllOn) != 0 && crystal && PllIsLegal() ? pll_ticks_ + 1 : 0;
    Flag(f4::rcc::kPllReady, !faults_.no_lock && pll_ticks_ > faults_.lock_takes);
    const bool wants_pll = (regs().cfgr.bits & 3u) == f4::rcc::kUsePll;
    switch_ticks_ = wants_pll && pll_ready() ? switch_ticks_ + 1 : 0;
    const bool switched = !faults_.no_switch && switch_ticks_ > faults_.switch_takes;
    regs().cfgr.bits = (regs().cfgr.bits & ~f4::rcc::kStatusMask) | (switched ? f4::rcc::kStatusPll : 0u);
  }

  void Write(std::size_t offset, std::uint32_t value, std::uint32_t& bits) override;

  bool crystal_ready() const { return (regs().cr.bits & f4::rcc::kHseReady) != 0; }
  bool pll_ready() const { return (regs().cr.bits & f4::rcc::kPllReady) != 0; }
  bool pll_on() const { return (regs().cr.bits & f4::rcc::kPllOn) != 0; }
  bool runs_on_pll() const { return (regs().cfgr.bits & f4::rcc::kStatusMask) == f4::rcc::kStatusPll; }

  /// What the PLL gives [Hz], RM0090 7.3.2.
  double pll_Hz() const { return Vco() / (2.0 * ((regs().pllcfgr.bits >> 16 & 3u) + 1)); }
  double Apb1_Hz() const { return pll_Hz() / Divider(regs().cfgr.bits >> 10 & 7u); }
  double Apb2_Hz() const { return pll_Hz() / Divider(regs().cfgr.bits >> 13 & 7u); }

 private:
  static double Divider(std::uint32_t code) { return code < 4 ? 1 : 2 << (code - 4); }
  double Input() const { return crystal_Hz_ / static_cast<double>(regs().pllcfgr.bits & 63u); }
  double Vco() const { return Input() * static_cast<double>(regs().pllcfgr.bits >> 6 & 511u); }
  bool PllIsLegal() const {
    return (regs().pllcfgr.bits & f4::rcc::kPllFromHse) != 0 && Input() >= 0.95e6 && Input() <= 2.1e6 && Vco() >= 100e6 &&
           Vco() <= 432e6;
  }
  void Flag(std::uint32_t flag, bool on) { regs().cr.bits = (regs().cr.bits & ~flag) | (on ? flag : 0u); }

  ClockFaults faults_;
  PwrModel& pwr_;
  FlashModel& flash_;
  std::uint32_t crystal_Hz_;
  int crystal_ticks_ = 0, pll_ticks_ = 0, switch_ticks_ = 0;
};

/// RM0090 5.4: the regulator reaches its scale when the PLL runs.
class PwrModel : public Holding<f4::PwrRegisters> {
 public:
  PwrModel(Machine& machine, const ClockFaults& faults) : Holding(machine, "PWR"), faults_(faults) {}
  void Watch(const RccModel& rcc) { rcc_ = &rcc; }
  bool listens() const { return rcc_ != nullptr && (rcc_->regs().apb1enr.bits & f4::rcc::kPwr) != 0; }
  bool scale1() const { return (regs().cr.bits & f4::pwr::kScale1) != 0; }

  void Step() override {
    ticks_ = rcc_ != nullptr && rcc_->pll_on() && scale1() ? ticks_ + 1 : 0;
    const bool ready = !faults_.no_supply && ticks_ > faults_.supply_takes;
    regs().csr.bits = ready ? f4::pwr::kScaleReady : 0;
  }
  void Write(std::size_t, std::uint32_t value, std::uint32_t& bits) override {
    if (!listens()) return Violate("written without its clock");
    bits = value;
  }

 private:
  ClockFaults faults_;
  const RccModel* rcc_ = nullptr;
  int ticks_ = 0;
};

/// RM0090 3.9.1.
class FlashModel : public Holding<f4::FlashRegisters> {
 public:
  FlashModel(Machine& machine, const ClockFaults& faults) : Holding(machine, "FLASH"), faults_(faults) {}
  void Write(std::size_t offset, std::uint32_t value, std::uint32_t& bits) override {
    bits = faults_.no_wait_states && offset == 0 ? value & ~7u : value;
  }
  std::uint32_t wait_states() const { return regs().acr.bits & 7u; }

 private:
  ClockFaults faults_;
};

inline void RccModel::Write(std::size_t offset, std::uint32_t value, std::uint32_t& bits) {
  if (offset == TACTUS_AT(f4::RccRegisters, pllcfgr) && pll_on()) return Violate("PLLCFGR written while the PLL is on");
  bits = value;
  if (offset != TACTUS_AT(f4::RccRegisters, cfgr) || (value & 3u) != f4::rcc::kUsePll) return;
  if (!pll_ready()) Violate("switched to a PLL that is not ready");
  if (flash_.wait_states() < 5 && pll_Hz() > 150e6) Violate("switched with too few wait states");  // RM0090 table 10
  if (!pwr_.scale1() && pll_Hz() > 144e6) Violate("switched with the supply too low");             // RM0090 5.1.4
  if (Apb1_Hz() > 42e6 || Apb2_Hz() > 84e6) Violate("a bus is too fast");                          // RM0090 7.2
}

}  // namespace tactus::hal::stm32::model
