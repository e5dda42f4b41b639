#pragma once
#include "tactus/contact/contact_events.h"
#include "tactus/scene/scene_joints.h"

namespace tactus {

/// Work of the rest of the scene on a tool in one step [J]: of what touches it and moves, and of its joints.
///
///     W = Σ P_i·u_i + Σ c_j J_j·v⁺ + h w·v⁺
///
/// P_i: the impulse of contact i on the tool, u_i the velocity of the other side's surface after the step; c_j, J_j: the
/// impulses and Jacobians of the tool's joint rows; w: the springs and drives of its joints; v⁺: the tool's twist after the
/// step. What a contact itself takes, P·(v⁺ - u) ≤ 0, is no part of it: a wall that stands still does no work. A rope or a
/// stop between tool and body is a joint: u_i is the tool's own velocity, and what undoes its drift is work of the joint. So
/// it is along the normal of a contact that yields: its spring gives back what it has taken.
///
/// @param[in] joint_wrench_W  w
/// @param[in] tool            its body number
template <class Scalar, Capacity kCapacity>
Scalar WorkOnTool(const ContactProblem<Scalar, kCapacity>& problem, const ContactSolution<Scalar, kCapacity>& solution,
                  const Vec<Scalar, 6>& joint_wrench_W, int tool = kTool) noexcept {
  const Vec<Scalar, 6>& twist_W = solution.velocity[tool];
  Scalar work_J = problem.step_s * joint_wrench_W.dot(twist_W);
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
    Vec<Scalar, 3> u_mps = body_mps + side * of_surface_mps;
    if (yields) u_mps += c.normal * c.normal.dot(VelocityAt(problem, solution, tool, c.point_m) - u_mps);
    work_J += side * on_a_Ns.dot(u_mps);
  }
  for (int j = 0; j < solution.joint_impulse_Ns.size(); ++j) {
    const Joint<Scalar, 6>& row = problem.joints[j];
    if (row.a == tool) work_J += solution.joint_impulse_Ns[j] * row.jacobian_a.dot(twist_W);
    if (row.b == tool) work_J += solution.joint_impulse_Ns[j] * row.jacobian_b.dot(twist_W);
  }
  return work_J;
}

}  // namespace tactus
