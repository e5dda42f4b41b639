#pragma once
#include <array>
#include <cmath>

#include "hal/stm32/registers.h"
#include "tests/stm32/machine.h"

namespace tactus::hal::stm32::model {

/// A timer as RM0090 17 and 18 have it, all but its power stage: it counts time, or an encoder with index on its pins, sends
/// and takes triggers. Values that are preloaded act from the next update on. Time passes by Run.
class CounterModel : public Holding<TimerRegisters> {
 public:
  /// @param clock_Hz  what its prescaler counts
  CounterModel(Machine& machine, std::string name, double clock_Hz = 168e6, TimerRegisters<ModelRegister>* place = nullptr)
      : Holding(machine, std::move(name), place), clock_Hz_(clock_Hz) {
    regs().arr.bits = acting_.arr = 0xFFFF;
  }

  /// As a loader leaves a timer that it has used: every register something, the prescaler at work, no lock.
  void LeaveUsed() {
    auto& r = regs();
    r.cr1.bits = 0x0319, r.cr2.bits = 0x7F70, r.smcr.bits = 0x0072, r.sr.bits = 0xFFFF;  // one-pulse, an encoder that fell
    r.ccmr1.bits = r.ccmr2.bits = 0x3E3E, r.ccer.bits = 0xFFFF, r.cnt.bits = 0x1234;     // other inputs, filtered
    r.psc.bits = acting_.psc = 7, r.arr.bits = acting_.arr = 99;
    if (is_advanced()) r.rcr.bits = acting_.rcr = left_ = 5;
    for (ModelRegister* const compare : {&r.ccr1, &r.ccr2, &r.ccr3}) compare->bits = 1;
  }

  // Encoder: pins 1, 2 and the index on 3.
  // --------------------------------------------------------------------------------------------------------------

  /// The shaft turns by so many edges of the two inputs, at 4 us an edge by 84 MHz unless told otherwise.
  void Turn(std::int32_t edges, int clocks_an_edge = 336) {
    const std::uint32_t mode = regs().smcr.bits & 7u;
    if (!runs() || mode < 1 || mode > 3 || !IsInput(1) || !IsInput(2)) return;
    for (const int input : {1, 2})  // a level lasts two edges
      if (FilterClocks(input) >= 2 * clocks_an_edge) return;
    const bool turned_over = ((regs().ccer.bits >> 1 ^ regs().ccer.bits >> 5) & 1u) != 0;
    const std::int64_t turned = std::int64_t{turned_over ? -1 : 1} * (mode == 3 ? 2 * edges : edges);
    quarter_ += turned;
    regs().cr1.bits = (regs().cr1.bits & ~kDown) | (turned < 0 ? kDown : 0u);
    const std::int64_t counts = Divide(quarter_, 2 * (std::int64_t{acting_.psc} + 1));
    quarter_ -= counts * 2 * (std::int64_t{acting_.psc} + 1);
    regs().cnt.bits = Wrapped(std::int64_t{regs().cnt.bits} + counts);
  }

  /// A pulse of `clocks` on an input, up and down again: counted as one edge more, or as an index, unless the filter is
  /// longer.
  void Glitch(int input, int clocks) {
    if (clocks < FilterClocks(input)) return;
    if (input == 3) return IndexEdge();
    Turn(1, 100'000);
  }

  /// The index rises while the shaft is where it is.
  void IndexEdge() {
    constexpr std::uint32_t kEnabled = 1u << 8, kFalling = 1u << 9;  // CCER
    if (!runs() || (regs().ccer.bits & (kEnabled | kFalling)) != kEnabled || !IsInput(3)) return;
    if (++index_edges_ % (1u << (regs().ccmr2.bits >> 2 & 3u)) != 0) return;  // IC3PSC
    regs().ccr3.bits = regs().cnt.bits;
    regs().sr.bits |= kCaptured3;
  }

  // Time
  // --------------------------------------------------------------------------------------------------------------

  /// Time passes.
  void Run(double us) {
    const std::uint32_t mode = regs().smcr.bits & 7u;
    if (!runs() || (mode != 0 && mode != 6)) return;  // not by its clock
    const double from_us = position_us_;
    position_us_ += us;
    RaiseReference(from_us);
    while (runs() && position_us_ >= LapUs() * (1 - 1e-9)) {
      position_us_ -= LapUs();
      EndOfLap();
      RaiseReference(0);
    }
  }
  /// One period of a centre-aligned PWM, or of what else it counts.
  void Period() { Run(centre_aligned() ? 2 * LapUs() : LapUs()); }

  int updates = 0;  ///< so far

  /// What the interrupt controller sees.
  bool interrupts() const { return (regs().dier.bits & regs().sr.bits & 1u) != 0; }

  /// What it keeps, though the request has gone: an edge on the line is enough.
  bool has_interrupted() const { return has_interrupted_; }

  std::function<void()> trigger_output = [] {};
  /// An edge of another timer's TRGO on internal trigger input `itr`.
  void TriggerInput(std::uint32_t itr) {
    if ((regs().smcr.bits & 7u) == 6u && (regs().smcr.bits >> 4 & 7u) == itr) SetRunning(true);
  }

  bool runs() const { return (regs().cr1.bits & 1u) != 0; }
  bool centre_aligned() const { return (regs().cr1.bits >> 5 & 3u) != 0; }

  std::uint32_t Read(std::size_t offset, std::uint32_t& bits) override {
    if (offset == TACTUS_AT(TimerRegisters, ccr3)) regs().sr.bits &= ~kCaptured3;
    return bits;
  }

  void Write(std::size_t offset, std::uint32_t value, std::uint32_t& bits) override {
    if (is_narrow() && (offset == TACTUS_AT(TimerRegisters, arr) || offset == TACTUS_AT(TimerRegisters, cnt)))
      value &= 0xFFFFu;
    switch (offset) {
      case TACTUS_AT(TimerRegisters, sr): bits &= value; break;  // a flag is cleared by a zero
      case TACTUS_AT(TimerRegisters, egr): Generate(value); return;
      case TACTUS_AT(TimerRegisters, cr1): WriteControl(value); break;
      case TACTUS_AT(TimerRegisters, ccmr1): bits = Selectable(value, bits, 1u, 1u << 4); break;
      case TACTUS_AT(TimerRegisters, ccmr2): bits = Selectable(value, bits, 1u << 8, 1u << 12); break;
      default: bits = value;
    }
    TakeWhatIsNotPreloaded();
    has_interrupted_ = has_interrupted_ || interrupts();
  }

 protected:
  /// What acts now.
  struct Acting {
    std::uint32_t psc = 0, arr = 0, rcr = 0;
    std::array<std::uint32_t, 3> ccr{};
  };
  const Acting& acting() const { return acting_; }
  virtual void OnUpdate() {}

  /// From one end of the count to the other [us], and how far it is from the lower one.
  double LapUs() const {
    const double counts = centre_aligned() ? acting_.arr : acting_.arr + 1.0;
    return counts * (acting_.psc + 1.0) / clock_Hz_ * 1e6;
  }
  double FromBelowUs() const { return down_ ? LapUs() - position_us_ : position_us_; }
  bool goes_down() const { return down_; }
  double clock_Hz() const { return clock_Hz_; }

 private:
  static constexpr std::uint32_t kUpdated = 1u, kCaptured3 = 1u << 3;    // SR
  static constexpr std::uint32_t kDown = 1u << 4, kAlignment = 3u << 5;  // CR1

  bool is_advanced() const { return name() == "TIM1" || name() == "TIM8"; }
  /// TIM2 and TIM5 have 32 bits, and what a test has not named so (RM0090 18.1).
  bool is_narrow() const { return is_advanced() || name() == "TIM3" || name() == "TIM4"; }
  bool counts_edges() const { return (regs().smcr.bits & 7u) - 1u < 3u; }

  static std::int64_t Divide(std::int64_t a, std::int64_t b) { return a >= 0 ? a / b : -((b - 1 - a) / b); }
  std::uint32_t Wrapped(std::int64_t count) const {
    const std::int64_t period = std::int64_t{regs().arr.bits} + 1;
    return static_cast<std::uint32_t>((count % period + period) % period);
  }
  std::uint32_t InputWord(int input) const {
    return (input == 3 ? regs().ccmr2.bits : input == 2 ? regs().ccmr1.bits >> 8 : regs().ccmr1.bits) & 0xFFu;
  }
  bool IsInput(int input) const { return (InputWord(input) & 3u) == 1u; }
  /// ICxF, RM0090 18.4.7: how long a level has to stay, in clocks of the timer (CKD is 0).
  int FilterClocks(int input) const {
    constexpr std::array<int, 16> kClocks{0,     2,     4,      8,      2 * 6,  2 * 8,  4 * 6,  4 * 8,
                                          8 * 6, 8 * 8, 16 * 5, 16 * 6, 16 * 8, 32 * 5, 32 * 6, 32 * 8};
    return kClocks[InputWord(input) >> 4];
  }

  /// CCxS can be written while the channel is off only (RM0090 17.4.7, 18.4.7).
  std::uint32_t Selectable(std::uint32_t value, std::uint32_t bits, std::uint32_t first, std::uint32_t second) const {
    std::uint32_t fixed = 0;
    if ((regs().ccer.bits & first) != 0) fixed |= 3u;
    if ((regs().ccer.bits & second) != 0) fixed |= 3u << 8;
    return (bits & fixed) | (value & ~fixed);
  }
  /// The direction is the counter's own where it counts edges or is centre-aligned; the alignment stays while it runs
  /// (RM0090 17.4.1).
  void WriteControl(std::uint32_t value) {
    std::uint32_t& bits = regs().cr1.bits;
    if (runs() && (value & 1u) != 0 && ((bits ^ value) & kAlignment) != 0) Violate("the alignment was changed while it ran");
    const std::uint32_t kept = 1u | (counts_edges() ? kDown : 0u);
    bits = (value & ~kept) | (bits & kept);
    SetRunning((value & 1u) != 0);
  }

  void SetRunning(bool on) {
    const bool starts = on && !runs();
    regs().cr1.bits = (regs().cr1.bits & ~1u) | (on ? 1u : 0u);
    if (starts && Selected() == 1) trigger_output();
  }
  std::uint32_t Selected() const { return regs().cr2.bits >> 4 & 7u; }  // MMS
  /// OC1REF as trigger output, RM0440 28.6.7: in PWM mode 2 it rises where the count passes CCR1 on its way up, in mode 1 on
  /// its way down.
  void RaiseReference(double from_us) {
    const std::uint32_t mode = regs().ccmr1.bits >> 4 & 7u;
    if (Selected() != 4 || (regs().ccmr1.bits & 3u) != 0 || mode != (down_ ? 6u : 7u)) return;
    const double up_us = acting_.ccr[0] * (acting_.psc + 1.0) / clock_Hz_ * 1e6, lap_us = LapUs();
    const double at_us = down_ ? lap_us - up_us : up_us;
    if (from_us < at_us && at_us <= position_us_ && at_us < lap_us) trigger_output();
  }
  /// An overflow, or at the lower end an underflow. RM0090 17.3.3: an update each RCR + 1 of them.
  void EndOfLap() {
    down_ = centre_aligned() && !down_;
    if (left_ > 0) return void(--left_);
    Update();
    if ((regs().cr1.bits & 1u << 3) != 0) SetRunning(false);  // OPM
  }
  void Update() {
    if ((regs().cr1.bits & 2u) != 0) return;  // UDIS
    acting_ = {regs().psc.bits, regs().arr.bits, regs().rcr.bits, {regs().ccr1.bits, regs().ccr2.bits, regs().ccr3.bits}};
    left_ = acting_.rcr;
    ++updates;
    regs().sr.bits |= kUpdated;
    OnUpdate();
    if (Selected() == 2) trigger_output();
  }
  void Generate(std::uint32_t value) {
    if ((value & 1u) == 0) return;
    Update();
    const bool from_above = (regs().cr1.bits & (kDown | kAlignment)) == kDown;  // RM0090 17.4.6, UG
    regs().cnt.bits = from_above ? regs().arr.bits : 0;
    position_us_ = from_above ? LapUs() * (1 - 1e-6) : 0, quarter_ = 0, down_ = false;
    if (Selected() == 0) trigger_output();
  }
  void TakeWhatIsNotPreloaded() {
    if ((regs().cr1.bits & 1u << 7) == 0) acting_.arr = regs().arr.bits;  // ARPE
    const std::array<std::uint32_t, 3> modes{regs().ccmr1.bits, regs().ccmr1.bits >> 8, regs().ccmr2.bits};
    const std::array<std::uint32_t, 3> written{regs().ccr1.bits, regs().ccr2.bits, regs().ccr3.bits};
    for (std::size_t i = 0; i < 3; ++i)
      if ((modes[i] & 8u) == 0) acting_.ccr[i] = written[i];  // OCxPE
  }

  double clock_Hz_, position_us_ = 0;
  Acting acting_;
  std::uint32_t left_ = 0;  // overflows and underflows until the next update
  std::int64_t quarter_ = 0;
  std::uint32_t index_edges_ = 0;
  bool down_ = false, has_interrupted_ = false;
};

}  // namespace tactus::hal::stm32::model
