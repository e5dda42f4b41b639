#pragma once
#include <cstdint>

#include "tactus/core/scalar.h"
#include "tactus/core/spatial.h"
#include "tactus/haptic/config.h"
#include "tactus/haptic/handle_estimate.h"
#include "tactus/step/body_step.h"

// The map between the hand's space D and the scene's W, and the clutch that moves it.
//
//     p_V = o + s R p_H,   q_V = R q_H C,   v_V = s R v_H,   ω_V = R ω_H         H: handle, V: virtual handle
//     F_H = φ Rᵀ F_V,      τ_H = (φ/s) Rᵀ τ_V
//
// So F_H·v_H + τ_H·ω_H = (φ/s)(F_V·v_V + τ_V·ω_V): a transformer. Every energy of the scene is φ/s of it at the hand; what
// gives none there gives none here, for every constant s, φ, o, R and C.
// Handle, coupling, passivity, limits and guard are the hand's, so what they bound holds at any scale. A mass m of the scene
// feels like m φ s, a moment J like J φ/s, a spring k like k φ s.
namespace tactus {

/// Where the clutch stands.
enum class ClutchPhase : std::uint8_t {
  kOpen,    ///< the tool follows the hand
  kFading,  ///< pressed: the force goes to zero within guard.ramp_down_s
  kHeld,    ///< no force; the virtual handle stands, the hand is free
};

/// What the map remembers from tick to tick.
template <class Scalar>
struct WorkspaceState {
  bool ordered = false;  ///< pressed by the host: PressClutch()
  bool button = false;   ///< pressed at the device: TellButtons()
  bool begun = false;    ///< offset_m is the Config's, or a clutch's
  bool maps = false;     ///< false: V is H, and nothing of this costs anything
  bool eases = false;    ///< the force comes back after a clutch: EaseIn
  ClutchPhase clutch = ClutchPhase::kOpen;
  Vec<Scalar, 3> offset_m = Vec<Scalar, 3>::Zero();         ///< o
  Quaternion<Scalar> index = IdentityQuaternion<Scalar>();  ///< C
  HandleState<Scalar> held;                                 ///< V while the clutch holds
};

/// An energy of the scene as the hand has it: E φ/s.
template <class Scalar>
Scalar AtHand(const WorkspaceConfig<Scalar>& workspace, Scalar scene_J) noexcept {
  if (workspace.force_scale == workspace.scale) return scene_J;
  return scene_J * workspace.force_scale / workspace.scale;
}

/// The coupling's stiffness as the scene has it: K/(φ s).
template <class Scalar>
Scalar SceneStiffness(const Config<Scalar>& config) noexcept {
  return config.coupling.stiffness_N_per_m / (config.workspace.force_scale * config.workspace.scale);
}

/// A penetration is undone so fast in the scene. At the hand that is no faster: s < 1 slows it down.
template <class Scalar>
Scalar ScenePushOut(const Config<Scalar>& config) noexcept {
  return config.scene.max_push_out_mps * Min(Scalar(1), config.workspace.scale);
}

/// V of a handle.
template <class Scalar>
HandleState<Scalar> ToScene(const WorkspaceConfig<Scalar>& workspace, const WorkspaceState<Scalar>& state,
                            const HandleState<Scalar>& hand) noexcept {
  const Quaternion<Scalar> q_WD = Normalized(workspace.q_WD);
  const Mat<Scalar, 3, 3> R = RotationMatrix(q_WD);
  const Vec<Scalar, 3> p_m = hand.p_WH_m, v_mps = hand.twist_W.template head<3>(), w_radps = hand.twist_W.template tail<3>();
  HandleState<Scalar> scene;
  scene.p_WH_m = state.offset_m + workspace.scale * Times(R, p_m);
  scene.q_WH = Normalized(Multiply(Multiply(q_WD, hand.q_WH), state.index));
  scene.twist_W.template head<3>() = workspace.scale * Times(R, v_mps);
  scene.twist_W.template tail<3>() = Times(R, w_radps);
  return scene;
}

/// A small way or a twist of the scene as the hand has it: (Rᵀ a/s, Rᵀ α).
template <class Scalar>
Vec<Scalar, 6> ToHand(const WorkspaceConfig<Scalar>& workspace, const Vec<Scalar, 6>& way_W) noexcept {
  const Mat<Scalar, 3, 3> Rt = RotationMatrix(Conjugate(Normalized(workspace.q_WD)));
  const Vec<Scalar, 3> linear = way_W.template head<3>(), angular = way_W.template tail<3>();
  Vec<Scalar, 6> way_D;
  way_D << Vec<Scalar, 3>(Times(Rt, linear) / workspace.scale), Times(Rt, angular);
  return way_D;
}

/// A wrench of the hand, implicit in the hand's twist, as the scene has it, implicit in the scene's:
///
///     F_V(v_V) = R F_H(Rᵀ v_V/s)/φ,   τ_V(ω_V) = (s/φ) R τ_H(Rᵀ ω_V)
///     Z_V = Z_H/(φ s),                Z_V,r = Z_H,r s/φ
template <class Scalar>
ImplicitWrench<Scalar> ToScene(const WorkspaceConfig<Scalar>& workspace, const ImplicitWrench<Scalar>& hand) noexcept {
  const Scalar s = workspace.scale, phi = workspace.force_scale;
  const Mat<Scalar, 3, 3> R = RotationMatrix(Normalized(workspace.q_WD));
  const Vec<Scalar, 3> force_N = hand.constant_W.template head<3>(), torque_Nm = hand.constant_W.template tail<3>();
  ImplicitWrench<Scalar> scene;
  scene.constant_W << Vec<Scalar, 3>(Times(R, force_N) / phi), Vec<Scalar, 3>(Times(R, torque_Nm) * (s / phi));
  scene.impedance_Ns_per_m = hand.impedance_Ns_per_m / (phi * s);
  scene.impedance_Nms_per_rad = hand.impedance_Nms_per_rad * s / phi;
  return scene;
}

}  // namespace tactus
