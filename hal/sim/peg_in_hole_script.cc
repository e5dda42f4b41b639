#include "hal/sim/peg_in_hole_script.h"

#include <array>

namespace tactus::hal {
namespace {

// A relaxed hand is soft (135 N/m): to press with 2 N it wants to be 15 mm inside the wall.
constexpr HandMove kMoves[] = {
    {.name = "touch the plate", .duration_s = 0.4, .p_m = {0.003, 0.002, 0.022}},
    {.name = "search the hole", .duration_s = 1.4, .p_m = {0, 0, 0.016}, .circle_m = 0.005, .circle_Hz = 2.5},
    {.name = "go in, turning", .duration_s = 1.0, .p_m = {0, 0, -0.006}, .twist_rad = 0.3, .twist_Hz = 2},
    {.name = "press on the floor", .duration_s = 0.8, .p_m = {0, 0, -0.030}, .twist_rad = 0.2, .twist_Hz = 3},
    {.name = "wiggle", .duration_s = 1.2, .p_m = {0, 0, -0.008}, .tilt_rad = 0.10, .tilt_Hz = 2.5},
    {.name = "drag along the wall", .duration_s = 1.6, .p_m = {0, 0, 0.012}, .circle_m = 0.015, .circle_Hz = 1.25},
    {.name = "drag along the rim",
     .duration_s = 1.2,
     .p_m = {0, 0, 0.024},
     .rotation_rad = {0.05, 0.02, 0},
     .circle_m = 0.012,
     .circle_Hz = 1.5},
    {.name = "come out", .duration_s = 0.6, .p_m = {0.004, 0, 0.048}},
    {.name = "lay it beside", .duration_s = 0.6, .p_m = {0.026, 0.004, 0.016}, .rotation_rad = {0, 0.04, 0}},
    {.name = "drag over the plate", .duration_s = 0.7, .p_m = {0.020, -0.012, 0.016}},
    {.name = "return", .duration_s = 0.5, .p_m = {0.003, 0.002, 0.033}},
};

constexpr int kCount = static_cast<int>(sizeof(kMoves) / sizeof(kMoves[0]));

template <class Scalar>
constexpr BasicHandMove<Scalar> As(const HandMove& move) {
  const auto in = [](double x) { return static_cast<Scalar>(x); };
  return {.name = move.name,
          .duration_s = in(move.duration_s),
          .p_m = {in(move.p_m[0]), in(move.p_m[1]), in(move.p_m[2])},
          .rotation_rad = {in(move.rotation_rad[0]), in(move.rotation_rad[1]), in(move.rotation_rad[2])},
          .circle_m = in(move.circle_m),
          .circle_Hz = in(move.circle_Hz),
          .twist_rad = in(move.twist_rad),
          .twist_Hz = in(move.twist_Hz),
          .tilt_rad = in(move.tilt_rad),
          .tilt_Hz = in(move.tilt_Hz)};
}

template <class Scalar>
inline constexpr std::array<BasicHandMove<Scalar>, kCount> kMovesOf = [] {
  std::array<BasicHandMove<Scalar>, kCount> moves{};
  for (std::size_t i = 0; i < kCount; ++i) moves[i] = As<Scalar>(kMoves[i]);
  return moves;
}();

}  // namespace

template <class Scalar>
BasicHandScript<Scalar> PegInHoleScriptOf() {
  return {kMovesOf<Scalar>.data(), kCount};
}
template BasicHandScript<float> PegInHoleScriptOf();

#ifndef TACTUS_FLOAT_ONLY
template BasicHandScript<double> PegInHoleScriptOf();

HandScript PegInHoleScript() { return PegInHoleScriptOf<double>(); }
#endif

}  // namespace tactus::hal
