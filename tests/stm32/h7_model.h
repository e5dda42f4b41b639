#pragma once
#include "hal/stm32/h7/registers.h"
#include "tests/stm32/clock_model.h"
#include "tests/stm32/detector_model.h"

namespace tactus::hal::stm32::model {

/// Clock and supply of the STM32H743: RM0433 4.3.8, 6.6, 8.5, 8.7.
class H7Chip {
 public:
  struct Places {
    h7::RccRegisters<ModelRegister>* rcc = nullptr;
    h7::PwrRegisters<ModelRegister>* pwr = nullptr;
    h7::SyscfgRegisters<ModelRegister>* syscfg = nullptr;
    h7::FlashRegisters<ModelRegister>* flash = nullptr;
  };

  H7Chip(Machine& machine, const ClockFaults& faults, double crystal_Hz, const Places& at)
      : rcc(machine, faults, *this, crystal_Hz, at.rcc),
        pwr(machine, faults, *this, at.pwr),
        syscfg(machine, "SYSCFG", at.syscfg),
        flash(machine, faults, at.flash) {
    syscfg.has_clock = [this] { return (rcc.regs().apb4enr.bits & 1u << 1) != 0; };
  }
  H7Chip(Machine& machine, const ClockFaults& faults, double crystal_Hz) : H7Chip(machine, faults, crystal_Hz, Places()) {}

  class Rcc : public OscillatorModel<h7::RccRegisters> {
   public:
    Rcc(Machine& machine, const ClockFaults& faults, H7Chip& chip, double crystal_Hz, h7::RccRegisters<ModelRegister>* place)
        : OscillatorModel(machine, faults, {7, 3, 7u << 3, 3u << 3}, place), chip_(chip), crystal_Hz_(crystal_Hz) {
      regs().cr.bits = 0x25;  // HSION, HSIRDY, HSIDIVF: RM0433 8.7.2
    }
    double Pll_Hz() const { return Loop_Hz() / ((regs().pll1divr.bits >> 9 & 127u) + 1); }

   private:
    double Input_Hz() const { return crystal_Hz_ / static_cast<double>(regs().pllckselr.bits >> 4 & 63u); }
    double Loop_Hz() const { return Input_Hz() * ((regs().pll1divr.bits & 511u) + 1); }
    /// RM0433 8.7.13, 8.7.14: from HSE, the input within the range that is told, 1, 2, 4, 8 to twice as much, output P on.
    bool PllIsLegal() const override {
      const double lowest = 1e6 * (1u << (regs().pllcfgr.bits >> 2 & 3u));
      return (regs().pllckselr.bits & 3u) == 2u && (regs().pllcfgr.bits & 1u << 16) != 0 && Input_Hz() >= lowest &&
             Input_Hz() <= 2 * lowest && Loop_Hz() >= 192e6 && Loop_Hz() <= 960e6;
    }
    bool IsOfPll(std::size_t offset) const override { return offset == 0x28 || offset == 0x2C || offset == 0x30; }
    void CheckSwitch(std::uint32_t, std::uint32_t value) override {
      if (!WantsPll(value)) return;
      if (!chip_.pwr.reaches(Pll_Hz())) Violate("too fast for the supply");
      if (chip_.flash.regs().acr.bits != 0x24u) Violate("too few wait states");  // 4, WRHIGHFREQ 2: RM0433 table 17
      if ((regs().d1cfgr.bits & 0xF0Fu) != 8u) Violate("AHB too fast");
      const bool slow = (regs().d1cfgr.bits & 0x70u) == 0x40u && (regs().d2cfgr.bits & 0x770u) == 0x440u &&
                        (regs().d3cfgr.bits & 0x70u) == 0x40u;
      if (!slow) Violate("APB too fast");
    }

    H7Chip& chip_;
    double crystal_Hz_;
  };

  /// RM0433 6.6.1, 6.6.2, 6.8.4: behind power-on the supply is configured once; no level is chosen before the core's voltage
  /// is valid (ACTVOSRDY), each takes some time (VOSRDY), and overdrive is for level 1 with the LDO.
  class Pwr : public Holding<h7::PwrRegisters> {
   public:
    Pwr(Machine& machine, const ClockFaults& faults, H7Chip& chip, h7::PwrRegisters<ModelRegister>* place)
        : Holding(machine, "PWR", place), faults_(faults), chip_(chip) {
      regs().cr3.bits = 6;  // LDOEN, SCUEN
      regs().d3cr.bits = 1u << 14;
    }
    bool reaches(double core_Hz) const { return core_Hz <= 400e6 ? level() == 3 : level() == 3 && overdrive() && ready(); }

    DetectorModel detector{{1u << 4, 5, {1.95, 2.1, 2.25, 2.4, 2.55, 2.7, 2.85, 0}}};  // CR1: PVDE, PLS

    void Step() override {
      regs().csr1.bits = (regs().csr1.bits & ~(1u << 4)) | (detector.Output(regs().cr1.bits) ? 1u << 4 : 0u);  // PVDO
      valid_ = configured_ ? valid_ + 1 : 0;
      const bool valid = valid_ > faults_.supply_takes && !faults_.no_supply;
      regs().csr1.bits = (regs().csr1.bits & ~(1u << 13)) | (valid ? 1u << 13 : 0u);
      if (overdrive() && !was_overdrive_ && !ready()) Violate("overdrive before its level is reached");
      if (overdrive() != was_overdrive_) ticks_ = 0;
      was_overdrive_ = overdrive();
      ticks_ = valid ? ticks_ + 1 : 0;
      const bool stuck = faults_.no_scale || (overdrive() && (faults_.no_overdrive || level() != 3));
      regs().d3cr.bits = (regs().d3cr.bits & ~kReady) | (ticks_ > faults_.supply_takes && !stuck ? kReady : 0u);
    }
    void Write(std::size_t offset, std::uint32_t value, std::uint32_t& bits) override {
      if (offset == TACTUS_AT(h7::PwrRegisters, cr3)) {
        if (configured_) return;
        configured_ = (value & 7u) == 2u;  // the LDO alone
        if (!configured_) Violate("a supply that the board does not have");
      }
      if (offset == TACTUS_AT(h7::PwrRegisters, d3cr)) {
        if ((regs().csr1.bits & 1u << 13) == 0) return Violate("a level was chosen before the voltage is valid");
        ticks_ = 0;
      }
      bits = value;
    }

   private:
    static constexpr std::uint32_t kReady = 1u << 13;
    std::uint32_t level() const { return regs().d3cr.bits >> 14; }
    bool overdrive() const { return (chip_.syscfg.regs().pwrcr.bits & 1u) != 0; }
    bool ready() const { return (regs().d3cr.bits & kReady) != 0; }

    ClockFaults faults_;
    H7Chip& chip_;
    bool configured_ = false, was_overdrive_ = false;
    int valid_ = 0, ticks_ = 0;
  };

  Rcc rcc;
  Pwr pwr;
  Holding<h7::SyscfgRegisters> syscfg;
  FlashModel<h7::FlashRegisters> flash;
};

}  // namespace tactus::hal::stm32::model
