#include "hal/sim/hands.h"

#include "tactus/core/scalar.h"
#include "tactus/core/trig.h"

namespace tactus::hal {
namespace {

constexpr double kTurn_rad = 6.283185307179586;

/// sin and cos of 2πx, x of any size.
double SineOfTurns(double turns) { return Sin(kTurn_rad * (turns - Floor(turns))); }
double CosineOfTurns(double turns) { return Cos(kTurn_rad * (turns - Floor(turns))); }

/// A hand that presses hard. Stiffness: the 500 N/m that the scene wall_tap was written for, its damping for a ratio of 0.5.
constexpr HandParameters FirmHand() {
  HandParameters hand = RelaxedHand();
  hand.mass_kg = {0.8, Provenance::kPublished};  // of the operator of a one-axis research rig
  hand.stiffness_N_per_m = {500.0, Provenance::kAssumed};
  hand.damping_Ns_per_m = {20.0, Provenance::kAssumed};
  hand.stiffness_Nm_per_rad = {4.0, Provenance::kAssumed};
  hand.damping_Nms_per_rad = {0.10, Provenance::kAssumed};
  return hand;
}

/// Two fingertips: little moves with the handle. Mass and spring are assumed, the damping for a ratio of 0.5.
constexpr HandParameters TwoFingers() {
  HandParameters hand = RelaxedHand();
  hand.mass_kg = {0.05, Provenance::kAssumed};
  hand.stiffness_N_per_m = {80.0, Provenance::kAssumed};
  hand.damping_Ns_per_m = {2.0, Provenance::kAssumed};
  hand.inertia_kgm2 = {5e-5, Provenance::kAssumed};
  hand.stiffness_Nm_per_rad = {0.3, Provenance::kAssumed};
  hand.damping_Nms_per_rad = {0.005, Provenance::kAssumed};
  hand.tremor_N = {0.05, Provenance::kAssumed};
  hand.tremor_Nm = {5e-4, Provenance::kAssumed};
  return hand;
}

constexpr Hand kHands[] = {
    {.name = "relaxed", .what = "an arm at rest on the handle: 135 N/m, 0.55 kg", .full = RelaxedHand()},
    {.name = "firm", .what = "an arm that presses: 500 N/m, 0.8 kg", .full = FirmHand()},
    {.name = "tremor",
     .what = "relaxed, with a tremor of 0.5 N at 9 Hz",  // 8 to 12 Hz is what people have; its size is assumed
     .full = RelaxedHand(),
     .sway_N = {0.5, Provenance::kAssumed},
     .sway_Hz = {9, Provenance::kRecalled}},
    {.name = "two-finger", .what = "fingertips: 80 N/m, 0.05 kg", .full = TwoFingers()},
    {.name = "changing",
     .what = "firm, and loosens to a fifth every 1.3 s",
     .full = FirmHand(),
     .loose = {0.2, Provenance::kAssumed},
     .grip_period_s = {1.3, Provenance::kAssumed}},
};

}  // namespace

HandParameters Hand::At(double t_s) const {
  if (!(loose < 1)) return full;
  const double grip = loose + (1 - loose) * 0.5 * (1 + CosineOfTurns(t_s / grip_period_s));
  HandParameters now = full;
  for (Parameter* const p :
       {&now.stiffness_N_per_m, &now.damping_Ns_per_m, &now.stiffness_Nm_per_rad, &now.damping_Nms_per_rad}) {
    p->value *= grip;
  }
  return now;
}

double Hand::Sway_N(double t_s) const {
  constexpr double kInverseRoot3 = 0.57735026918962573;
  return sway_N > 0 ? sway_N * kInverseRoot3 * SineOfTurns(t_s * sway_Hz) : 0;
}

std::span<const Hand> Hands() { return kHands; }

}  // namespace tactus::hal
