#pragma once
#include <cstdint>

#include "tactus/contact/contact_problem.h"
#include "tactus/core/fixed_vector.h"
#include "tactus/scene/scene.h"

namespace tactus {

// Streamed contacts: a simulation on the host, of 30 to 200 Hz, sends where the tool may touch something; the controller
// solves these contacts anew in every tick. While a stream is open they stand in for the shapes on board.
//
// A set is what the host found for one pose of the tool, the reference, of one tick that it heard of by Telemetry. It is put
// in force as a whole, between two ticks. From then on, until the next set, each contact is a point fixed on the tool and a
// plane fixed in the world, or moving with its surface:
//
//     g(t) = g0 + n · (x(t) - x(t0)) - n · w (t - t0) - n · d_b        x(t) = p_T(t) + R(t) R(t0)ᵀ (P - p_T(t0))
//
// with w the surface's velocity and d_b how far the contacts have moved its body on board since the set came. A body is a
// mass at the contact that the solver moves with the tool; the next set says where the simulation has it.
//
// A set holds for so long and so far as it says: its age is counted in ticks from the reference, its way is that of each
// point from where it was there. Beyond, the force fades (guard.ramp_down_s), the tool goes to the handle, and stays there
// without a force until a good set comes and the hand is out of everything that it tells of. Then comes the soft start.

/// Of a set, at most. A board without room for scenes has room for one.
inline constexpr int kStreamedContacts = kHasScenes ? 16 : 1;
inline constexpr int kStreamedBodies = kHasScenes ? 3 : 1;
inline constexpr int kMaxStreamedAge_ticks = 250;    ///< no set holds longer
inline constexpr double kMaxStreamedRadius_m = 0.1;  ///< no set holds farther
inline constexpr double kMaxStreamedReach_m = 0.5;   ///< a point is no farther from the tool's middle
inline constexpr double kMaxStreamedGap_m = 0.5;
inline constexpr double kMaxStreamedOverlap_m = 0.02;  ///< a deeper gap is no contact but a mistake
inline constexpr double kMaxStreamedFriction = 2;      ///< as scene_friction
inline constexpr double kMaxStreamedSpeed_mps = 2;     ///< of a surface: as the guard's default for the handle
inline constexpr double kMinStreamedMass_kg = 1e-3, kMaxStreamedMass_kg = 1e3;

/// One contact of a set, as of the reference. World axes. The numbers are those of the wire: 32 bits are 7 nm in 0.1 m.
struct StreamedContact {
  float point_m[3];               ///< P, on the tool
  float normal[3];                ///< unit, out of the surface, towards the tool
  float gap_m;                    ///< g0; < 0: they overlap
  float friction;                 ///< Coulomb's μ
  float surface_velocity_mps[3];  ///< w
  std::int32_t body;              ///< kFixed: it yields to no force; else its place in mass_kg
};

/// Everything that the host tells at once.
struct StreamedSet {
  std::uint32_t sequence = 0;  ///< of the set
  std::uint32_t tick = 0;      ///< the reference: the tool's pose after this tick
  double p_WT_m[3]{};          ///< the tool there
  double q_WT[4]{1, 0, 0, 0};
  float radius_m = 0;                           ///< holds so far
  int age_limit_ticks = 0;                      ///< holds so long
  FixedVector<float, kStreamedBodies> mass_kg;  ///< effective mass of each body that yields
  FixedVector<StreamedContact, kStreamedContacts> contacts;
};

/// How a stream is: what the host is told.
enum class StreamPhase : std::uint8_t {
  kClosed,   ///< the shapes on board are touched
  kWaiting,  ///< no good set, or the tool is inside of what it tells: no force
  kFresh,    ///< the set in force holds
  kFading,   ///< it does not hold any more: the force goes to zero
};

constexpr const char* Name(StreamPhase phase) {
  switch (phase) {
    case StreamPhase::kClosed: return "closed";
    case StreamPhase::kWaiting: return "waiting";
    case StreamPhase::kFresh: return "fresh";
    case StreamPhase::kFading: return "fading";
  }
  return "unknown";
}

}  // namespace tactus
