#pragma once
#include "tactus/collide/contact_set.h"
#include "tactus/haptic/config.h"
#include "tactus/haptic/telemetry.h"
#include "tactus/haptic/workspace.h"
#include "tactus/solve/contact_solver.h"

namespace tactus::internal {

template <class Scalar>
void ReportContacts(int contacts, int dropped, Scalar min_gap_m, Telemetry<Scalar>* telemetry) {
  telemetry->contacts = contacts;
  telemetry->contacts_dropped = dropped;
  telemetry->min_gap_m = min_gap_m;
  if (dropped > 0) telemetry->status |= status_bit::kContactsDropped;
}
template <class Scalar, int kCapacity>
void ReportContacts(const ContactSet<Scalar, kCapacity>& contacts, Telemetry<Scalar>* telemetry) {
  ReportContacts(contacts.points().size(), contacts.dropped(), contacts.min_gap_m(), telemetry);
}

template <class Scalar, Capacity kCapacity>
void ReportSolution(const ContactSolution<Scalar, kCapacity>& solution, Telemetry<Scalar>* telemetry) {
  telemetry->solve_status = solution.status;
  telemetry->rung = solution.rung;
  telemetry->pivots = solution.pivots;
  telemetry->work = static_cast<std::uint32_t>(solution.work);
  telemetry->residual = solution.residual;
  for (int i = 0; i < solution.impulse.size(); ++i) telemetry->normal_impulse_Ns += solution.impulse.normal_Ns(i);
  if (solution.status == SolveStatus::kInvalid) {
    telemetry->status |= status_bit::kSolverInvalid;
  } else if (solution.status != SolveStatus::kSolved) {
    telemetry->status |= status_bit::kSolverFallback;
  }
  if (solution.shortfall == Shortfall::kWork) telemetry->status |= status_bit::kWorkSpent;
  if (solution.shortfall == Shortfall::kOpposed) telemetry->status |= status_bit::kOverlapsOpposed;
}

template <class Scalar>
SolverOptions<Scalar> ServoOptions(const Config<Scalar>& config) {
  SolverOptions<Scalar> options;
  options.max_push_out_mps = ScenePushOut(config);
  options.work_budget = config.work.alone;
  options.cone = kServoCone;
  return options;
}

/// How far the tool's fastest point may go in the coming period, and margin_m: what is further away is no contact yet. The
/// tool has its own speed or comes up to the handle's; what it gains on top within one period, margin_m has to cover.
template <class Scalar>
Scalar SearchDistance(const Config<Scalar>& config, const Vec<Scalar, 6>& tool_twist_W,
                      const Vec<Scalar, 6>& handle_twist_W) {
  const ToolConfig<Scalar>& tool = config.tool;
  const Scalar reach_m = Sqrt(tool.radius_m * tool.radius_m + tool.length_m * tool.length_m / 4);
  const Vec<Scalar, 3> tool_mps = tool_twist_W.template head<3>(), tool_radps = tool_twist_W.template tail<3>(),
                       handle_mps = handle_twist_W.template head<3>(), handle_radps = handle_twist_W.template tail<3>();
  const Scalar speed_mps = Max(Norm(tool_mps) + reach_m * Norm(tool_radps), Norm(handle_mps) + reach_m * Norm(handle_radps));
  const Scalar most_mps = config.workspace.scale * config.guard.max_speed_mps + reach_m * config.guard.max_speed_radps;
  return config.scene.margin_m + Scalar(kSearchFactor) * config.period_s * Min(speed_mps, most_mps);
}

}  // namespace tactus::internal
