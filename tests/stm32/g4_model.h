#pragma once
#include "hal/stm32/g4/registers.h"
#include "tests/stm32/clock_model.h"
#include "tests/stm32/detector_model.h"

namespace tactus::hal::stm32::model {

/// Clock and supply of the STM32G431: RM0440 3.3.3, 6.1.5, 7.2, 7.4.
class G4Chip {
 public:
  struct Places {
    g4::RccRegisters<ModelRegister>* rcc = nullptr;
    g4::PwrRegisters<ModelRegister>* pwr = nullptr;
    g4::FlashRegisters<ModelRegister>* flash = nullptr;
  };

  G4Chip(Machine& machine, const ClockFaults& faults, double crystal_Hz, const Places& at)
      : rcc(machine, faults, *this, crystal_Hz, at.rcc),
        pwr(machine, faults, *this, at.pwr),
        flash(machine, faults, at.flash) {}
  G4Chip(Machine& machine, const ClockFaults& faults, double crystal_Hz) : G4Chip(machine, faults, crystal_Hz, Places()) {}

  class Rcc : public OscillatorModel<g4::RccRegisters> {
   public:
    Rcc(Machine& machine, const ClockFaults& faults, G4Chip& chip, double crystal_Hz, g4::RccRegisters<ModelRegister>* place)
        : OscillatorModel(machine, faults, {3, 3, 3u << 2, 3u << 2}, place), chip_(chip), crystal_Hz_(crystal_Hz) {
      regs().cr.bits = 0x500;  // HSION, HSIRDY: RM0440 7.4.1
    }
    double Pll_Hz() const { return Loop_Hz() / (2 * ((regs().pllcfgr.bits >> 25 & 3u) + 1)); }
    bool whole() const { return (regs().cfgr.bits & 0x3FF0u) == 0; }  // no bus is divided

   private:
    double Input_Hz() const { return crystal_Hz_ / ((regs().pllcfgr.bits >> 4 & 15u) + 1); }
    double Loop_Hz() const { return Input_Hz() * (regs().pllcfgr.bits >> 8 & 127u); }
    bool PllIsLegal() const override {  // RM0440 7.4.4; from HSE, output R on
      return (regs().pllcfgr.bits & 3u) == 3u && (regs().pllcfgr.bits & 1u << 24) != 0 && Input_Hz() >= 2.66e6 &&
             Input_Hz() <= 16e6 && Loop_Hz() >= 96e6 && Loop_Hz() <= 344e6;
    }
    bool IsOfPll(std::size_t offset) const override { return offset == 0x0C; }
    void CheckSwitch(std::uint32_t was, std::uint32_t value) override {
      if (!WantsPll(value)) return;
      const bool halved = (value & 0xF0u) == 0x80u, was_halved = (was & 0xF0u) == 0x80u;
      if (!runs_on_pll()) {
        if (chip_.flash.wait_states() < 4) Violate("too few wait states");
        if (!halved || !was_halved) Violate("from below 80 MHz to above in one step");
      } else if (was_halved && !halved && accesses_on_pll() < 50) {
        Violate("whole clock within the microsecond");
      }
      if (!chip_.pwr.boosted()) Violate("above 150 MHz without boost");
    }

    G4Chip& chip_;
    double crystal_Hz_;
  };

  /// RM0440 6.1.5, 6.4.1: the range takes some time to change.
  class Pwr : public Holding<g4::PwrRegisters> {
   public:
    Pwr(Machine& machine, const ClockFaults& faults, G4Chip& chip, g4::PwrRegisters<ModelRegister>* place)
        : Holding(machine, "PWR", place), faults_(faults) {
      regs().cr1.bits = 1u << 9;  // range 1
      regs().cr5.bits = kNoBoost;
      has_clock = [&chip] { return (chip.rcc.regs().apb1enr1.bits & 1u << 28) != 0; };
    }
    void LeaveSlow() { regs().cr1.bits = 2u << 9; }  // range 2
    bool boosted() const {
      return (regs().cr1.bits & 3u << 9) == 1u << 9 && (regs().cr5.bits & kNoBoost) == 0 && left_ == 0;
    }

    DetectorModel detector{{1u << 0, 1, {2.0, 2.2, 2.4, 2.5, 2.6, 2.8, 2.9, 0}}};  // CR2: PVDE, PLS

    void Step() override {
      regs().sr2.bits = (regs().sr2.bits & ~(1u << 11)) | (detector.Output(regs().cr2.bits) ? 1u << 11 : 0u);  // PVDO
      if (left_ > 0 && !faults_.no_supply) --left_;
      regs().sr2.bits = (regs().sr2.bits & ~(1u << 10)) | (left_ > 0 ? 1u << 10 : 0u);  // VOSF
    }
    void Write(std::size_t offset, std::uint32_t value, std::uint32_t& bits) override {
      if (offset == 0 && ((bits ^ value) & 3u << 9) != 0) left_ = faults_.supply_takes;
      bits = value;
    }

   private:
    static constexpr std::uint32_t kNoBoost = 1u << 8;  // CR5, R1MODE
    ClockFaults faults_;
    int left_ = 0;
  };

  Rcc rcc;
  Pwr pwr;
  FlashModel<g4::FlashRegisters> flash;
};

}  // namespace tactus::hal::stm32::model
