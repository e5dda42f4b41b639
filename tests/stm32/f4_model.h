#pragma once
#include "tests/stm32/clock_model.h"
#include "tests/stm32/detector_model.h"

namespace tactus::hal::stm32::model {

/// Clock and supply of the STM32F405: RM0090 3.5.1, 5.1.4, 7.2, 7.3.
class F4Chip {
 public:
  /// In memory of their own, or where they were mapped.
  struct Places {
    f4::RccRegisters<ModelRegister>* rcc = nullptr;
    f4::PwrRegisters<ModelRegister>* pwr = nullptr;
    f4::FlashRegisters<ModelRegister>* flash = nullptr;
  };

  F4Chip(Machine& machine, const ClockFaults& faults, double crystal_Hz, const Places& at)
      : rcc(machine, faults, *this, crystal_Hz, at.rcc),
        pwr(machine, faults, *this, at.pwr),
        flash(machine, faults, at.flash) {}
  F4Chip(Machine& machine, const ClockFaults& faults, double crystal_Hz) : F4Chip(machine, faults, crystal_Hz, Places()) {}

  class Rcc : public OscillatorModel<f4::RccRegisters> {
   public:
    Rcc(Machine& machine, const ClockFaults& faults, F4Chip& chip, double crystal_Hz, f4::RccRegisters<ModelRegister>* place)
        : OscillatorModel(machine, faults, {3, 2, 3u << 2, 2u << 2}, place), chip_(chip), crystal_Hz_(crystal_Hz) {
      regs().cr.bits = 0x83;  // HSION, HSIRDY
      regs().pllcfgr.bits = 0x24003010;
    }

    /// What the PLL gives [Hz], RM0090 7.3.2.
    double Pll_Hz() const { return Vco() / (2.0 * ((regs().pllcfgr.bits >> 16 & 3u) + 1)); }
    double Usb_Hz() const { return Vco() / static_cast<double>(regs().pllcfgr.bits >> 24 & 15u); }
    double Apb1_Hz() const { return Pll_Hz() / Divider(regs().cfgr.bits >> 10 & 7u); }
    double Apb2_Hz() const { return Pll_Hz() / Divider(regs().cfgr.bits >> 13 & 7u); }

   private:
    static double Divider(std::uint32_t code) { return code < 4 ? 1 : 2 << (code - 4); }
    double Input() const { return crystal_Hz_ / static_cast<double>(regs().pllcfgr.bits & 63u); }
    double Vco() const { return Input() * static_cast<double>(regs().pllcfgr.bits >> 6 & 511u); }
    bool PllIsLegal() const override {
      return (regs().pllcfgr.bits & 1u << 22) != 0 && Input() >= 0.95e6 && Input() <= 2.1e6 && Vco() >= 100e6 &&
             Vco() <= 432e6;
    }
    bool IsOfPll(std::size_t offset) const override { return offset == 4; }
    void CheckSwitch(std::uint32_t was, std::uint32_t value) override {
      if (!WantsPll(value)) return;
      if (chip_.flash.wait_states() < 5 && Pll_Hz() > 150e6)
        Violate("switched with too few wait states");                                            // RM0090 table 10
      if (!chip_.pwr.scale1() && Pll_Hz() > 144e6) Violate("switched with the supply too low");  // RM0090 5.1.4
      if (Apb1_Hz() > 42e6 || Apb2_Hz() > 84e6) Violate("a bus is too fast");                    // RM0090 7.2
      // A divider acts up to 16 clocks behind its write, RM0090 7.3.3.
      if (((was ^ value) & 0xFCF0u) != 0 && !runs_on_pll()) Violate("a bus was divided by the write that switches");
    }

    F4Chip& chip_;
    double crystal_Hz_;
  };

  /// RM0090 5.4: the scale is chosen with the PLL off, and reached when the PLL runs.
  class Pwr : public Holding<f4::PwrRegisters> {
   public:
    Pwr(Machine& machine, const ClockFaults& faults, F4Chip& chip, f4::PwrRegisters<ModelRegister>* place)
        : Holding(machine, "PWR", place), faults_(faults), chip_(chip) {
      has_clock = [this] { return (chip_.rcc.regs().apb1enr.bits & 1u << 28) != 0; };
    }
    bool scale1() const { return (regs().cr.bits & kScale1) != 0; }

    DetectorModel detector{{1u << 4, 5, {2.0, 2.1, 2.3, 2.5, 2.6, 2.7, 2.8, 2.9}}};  // CR: PVDE, PLS

    void Step() override {
      regs().csr.bits = (regs().csr.bits & ~4u) | (detector.Output(regs().cr.bits) ? 4u : 0u);  // PVDO
      ticks_ = chip_.rcc.pll_on() && scale1() ? ticks_ + 1 : 0;
      const bool ready = !faults_.no_supply && ticks_ > faults_.supply_takes;
      regs().csr.bits = (regs().csr.bits & ~kScaleReady) | (ready ? kScaleReady : 0);
    }
    void Write(std::size_t offset, std::uint32_t value, std::uint32_t& bits) override {
      if (offset != 0) return;
      bits = chip_.rcc.pll_on() ? (bits & kScale1) | (value & ~kScale1) : value;
    }

   private:
    static constexpr std::uint32_t kScale1 = 1u << 14, kScaleReady = 1u << 14;
    ClockFaults faults_;
    F4Chip& chip_;
    int ticks_ = 0;
  };

  Rcc rcc;
  Pwr pwr;
  FlashModel<f4::FlashRegisters> flash;
};

}  // namespace tactus::hal::stm32::model
