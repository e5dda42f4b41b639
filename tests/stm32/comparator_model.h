#pragma once
#include <array>

#include "hal/stm32/g4/registers.h"
#include "tests/stm32/timer_model.h"

namespace tactus::hal::stm32::model {

/// DAC3 of the STM32G4, whose outputs stay in the chip: RM0440 22. Its mode is fixed while a channel is on; a channel is
/// ready some time behind EN, and its output follows what is held for it.
class Dac3Model : public Holding<g4::DacRegisters> {
 public:
  explicit Dac3Model(Machine& machine, g4::DacRegisters<ModelRegister>* place = nullptr) : Holding(machine, "DAC3", place) {}

  bool never_ready = false;
  void LeaveUsed() {
    regs().cr.bits = 0x000F'003D, regs().mcr.bits = 0x0100'0100, regs().dhr12r1.bits = regs().dhr12r2.bits = 0xFFF;
  }

  double Output_V(int channel) const {
    constexpr std::uint32_t kInside =
        3u | 3u << 16 | 2u << 14;  // both MODE: to the chip's blocks, no buffer; HFSEL: above 160
    const bool is_on = has_clock() && regs().mcr.bits == kInside && (regs().sr.bits >> (channel == 0 ? 11 : 27) & 1u) != 0;
    return is_on ? (channel == 0 ? regs().dhr12r1.bits : regs().dhr12r2.bits) / 4096.0 * 3.3 : 0;
  }

  void Step() override {
    const std::uint32_t on = regs().cr.bits & (1u | 1u << 16);
    age_ = on == 0 || never_ready ? 0 : age_ + 1;
    if (age_ == 0) regs().sr.bits = 0;
    if (age_ > 20) regs().sr.bits = (on & 1u) << 11 | (on >> 16) << 27;  // DAC1RDY, DAC2RDY
  }
  void Write(std::size_t offset, std::uint32_t value, std::uint32_t& bits) override {
    if (offset == TACTUS_AT(g4::DacRegisters, mcr) && (regs().cr.bits & (1u | 1u << 16)) != 0)
      return Violate("its mode was changed while it was on");
    if (offset == TACTUS_AT(g4::DacRegisters, cr) && (value & ~(1u | 1u << 16)) != 0)
      Violate("a mode that nobody has modelled");
    bits = value;
  }

 private:
  int age_ = 0;
};

/// COMP1 and COMP2 of the STM32G4, RM0440 24, with the timer's choice of them for its second break, RM0440 28.6.27. They
/// take nothing once they are locked, nor does the choice once the timer's LOCK is set.
class ComparatorModel : public Holding<g4::ComparatorRegisters> {
 public:
  ComparatorModel(Machine& machine, const Dac3Model& dac, const Holding<g4::BreakSourceRegisters>& sources,
                  TimerModel& timer, g4::ComparatorRegisters<ModelRegister>* place = nullptr)
      : Holding(machine, "COMP", place), dac_(dac), sources_(sources), timer_(timer) {}

  std::array<double, 2> input_V{};               ///< at PA1 and PA7
  bool is_blind = false, takes_nothing = false;  ///< outputs stay low; the lock is not taken
  void LeaveUsed() {
    for (auto& csr : regs().csr) csr.bits = 0x0007'8135;
  }

  bool Output(int number) const {
    constexpr std::uint32_t kSetUp = 0x40FF'FFF1u & ~(1u << 30);
    const std::uint32_t word = regs().csr[number].bits & kSetUp;
    const bool is_set_up = has_clock() && word == (1u | 4u << 4);  // EN, INMSEL: DAC3; INPSEL 0, no inversion, no blanking
    return is_set_up && !is_blind && input_V[static_cast<std::size_t>(number)] > dac_.Output_V(number);
  }
  /// The outputs are at what they are for so long.
  void Act(double us) {
    bool high = false;
    for (const int number : {0, 1}) {
      const std::uint32_t word = sources_.regs().af2.bits;
      high = high || ((word >> (1 + number) & 1u) != 0 && (word >> (10 + number) & 1u) == 0 && Output(number));
    }
    timer_.SetSecondBreak(high, us);
  }

  std::uint32_t Read(std::size_t offset, std::uint32_t& bits) override {
    const auto number = static_cast<int>(offset / 4);
    return number < 2 && Output(number) ? bits | 1u << 30 : bits;  // VALUE
  }
  void Write(std::size_t, std::uint32_t value, std::uint32_t& bits) override {
    if ((bits >> 31) == 0) bits = takes_nothing ? value & ~(1u << 31) : value;
  }

 private:
  const Dac3Model& dac_;
  const Holding<g4::BreakSourceRegisters>& sources_;
  TimerModel& timer_;
};

/// TIM1's choice of what breaks beside its pin, RM0440 28.6.26: fixed by LOCK.
class BreakSourceModel : public Holding<g4::BreakSourceRegisters> {
 public:
  BreakSourceModel(Machine& machine, const TimerModel& timer, g4::BreakSourceRegisters<ModelRegister>* place = nullptr)
      : Holding(machine, "TIM1_AF", place), timer_(timer) {
    regs().af1.bits = regs().af2.bits = 1u;  // the pins
  }
  void Write(std::size_t, std::uint32_t value, std::uint32_t& bits) override {
    if ((timer_.regs().bdtr.bits >> 8 & 3u) == 0) bits = value;
  }

 private:
  const TimerModel& timer_;
};

}  // namespace tactus::hal::stm32::model
