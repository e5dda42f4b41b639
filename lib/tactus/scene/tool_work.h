#pragma once
#include "tactus/contact/contact_events.h"
#include "tactus/scene/scene_joints.h"

namespace tactus {

/// Work on a tool in one step [J].
template <class Scalar>
struct ToolWork {
  Scalar given_J = Scalar(0);       ///< W, of the rest of the scene
  Scalar of_springs_J = Scalar(0);  ///< W_s, of contacts that yield; < 0: taken from it
  Scalar own_J = Scalar(0);         ///< of W_s what the tool's own motion has, Σ θ_i n·v⁺
};

/// What of it is a gift, and no energy made: springs give back no more than they were lent. How stiff bodies are on each
/// other changes with the number of points that they touch in; without this bound turning them would make energy unseen.
/// @param[in,out] lent_J  that the tool has given to springs and not got back
template <class Scalar>
Scalar Gift(const ToolWork<Scalar>& work, Scalar* lent_J) noexcept {
  const Scalar back_J = Min(work.of_springs_J, *lent_J);
  *lent_J -= back_J;
  return work.given_J + back_J;
}

/// Work of the rest of the scene on a tool in one step [J]: of what touches it and moves, and of its joints.
///
///     W = Σ P_i·u_i + Σ c_j J_j·v⁺ + h w·v⁺
///
/// P_i: the impulse of contact i on the tool, u_i the velocity of the other side's surface after the step; c_j, J_j: the
/// impulses and Jacobians of the tool's joint rows; w: the springs and drives of its joints; v⁺: the tool's twist after the
/// step. What a contact itself takes, P·(v⁺ - u) ≤ 0, is no part of it: a wall that stands still does no work. A rope or a
/// stop between tool and body is a joint: u_i is the tool's own velocity, and what undoes its drift is work of the joint.
/// The spring of a contact that yields takes and gives back besides, along the normal n with the force θ:
///
///     W_s = Σ θ_i n·(v⁺ - u_i)                 v⁺ of the tool's point
///
/// @param[in] joint_wrench_W  w
/// @param[in] tool            its body number
template <class Scalar, Capacity kCapacity>
ToolWork<Scalar> WorkOnTool(const ContactProblem<Scalar, kCapacity>& problem,
                            const ContactSolution<Scalar, kCapacity>& solution, const Vec<Scalar, 6>& joint_wrench_W,
                            int tool = kTool) noexcept {
  const Vec<Scalar, 6>& twist_W = solution.velocity[tool];
  Scalar work_J = problem.step_s * joint_wrench_W.dot(twist_W), of_springs_J(0), own_J(0);
  for (int i = 0; i < solution.friction_Ns.size(); ++i) {
    const Contact<Scalar, 6>& c = problem.contacts[i];
    if (c.a != tool && c.b != tool) continue;
    const Scalar theta_Ns = solution.impulse.normal_Ns(i);
    const int other = c.a == tool ? c.b : c.a;
    const bool yields = kCapacity.compliant && c.compliance_mps_per_Ns > Scalar(0);
    const bool moves =
        yields || other != kFixed || c.surface_normal_velocity_mps != Scalar(0) || !c.surface_velocity_mps.isZero(0);
    if (theta_Ns == Scalar(0) || !moves) continue;
    const Vec<Scalar, 3>&t = solution.tangent[i], o = Cross(c.normal, t);
    const Vec<Scalar, 2>& friction_Ns = solution.friction_Ns[i];
    const Vec<Scalar, 3> on_a_Ns = theta_Ns * c.normal + friction_Ns(0) * t + friction_Ns(1) * o;
    const Vec<Scalar, 3> of_surface_mps =  // b's, on top of b's motion
        c.surface_normal_velocity_mps * c.normal + c.surface_velocity_mps(0) * t + c.surface_velocity_mps(1) * o;
    const bool is_stop = c.id / kPairIdStride == internal::kStopPair;
    const Vec<Scalar, 3> body_mps = VelocityAt(problem, solution, is_stop ? tool : other, c.point_m);
    const Scalar side(c.a == tool ? 1 : -1);
    const Vec<Scalar, 3> u_mps = body_mps + side * of_surface_mps;
    work_J += side * on_a_Ns.dot(u_mps);
    if (!yields) continue;
    const Vec<Scalar, 3> v_mps = VelocityAt(problem, solution, tool, c.point_m), into_mps = v_mps - u_mps;
    of_springs_J += side * theta_Ns * c.normal.dot(into_mps);
    own_J += side * theta_Ns * c.normal.dot(v_mps);
  }
  for (int j = 0; j < solution.joint_impulse_Ns.size(); ++j) {
    const Joint<Scalar, 6>& row = problem.joints[j];
    if (row.a == tool) work_J += solution.joint_impulse_Ns[j] * row.jacobian_a.dot(twist_W);
    if (row.b == tool) work_J += solution.joint_impulse_Ns[j] * row.jacobian_b.dot(twist_W);
  }
  return {.given_J = work_J, .of_springs_J = of_springs_J, .own_J = own_J};
}

}  // namespace tactus
