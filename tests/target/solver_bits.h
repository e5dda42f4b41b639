#pragma once
#include <array>
#include <cstdint>

namespace tactus::target {

inline constexpr std::array kSolverNames = {
    " lemke_reduced", " lemke_reduced_warm", " lemke_structural", " lemke_dense", " convex_step", " successive_convex",
    " dantzig",       " dantzig_friction",   " impending_motion", " ladder"};

/// One hash a solver, in the order of kSolverNames: over how each ended, its pivots, its impulses and its velocities, on
/// fixed spatial problems (two bodies, joints) and planar ones (three bodies).
template <class Scalar>
std::array<std::uint64_t, kSolverNames.size()> SolverBitsByName();

}  // namespace tactus::target
