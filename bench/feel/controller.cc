#include "bench/feel/controller.h"

#include "firmware/servo/servo_tick.h"

namespace tactus::bench::feel {
namespace {

constexpr std::uint32_t kLimits =
    status_bit::kSoftStart | status_bit::kRateLimited | status_bit::kForceClamped | status_bit::kTorqueClamped;

}  // namespace

struct TickController::Loop {
  Config<double> config;
  State<double> state;
  Telemetry<double> telemetry;
};

TickController::TickController(const Config<double>& config) : loop_(std::make_unique<Loop>()) {
  loop_->config = config;
  (void)Arm(&loop_->state);  // a fresh state has no fault
}

TickController::~TickController() = default;

Answer TickController::Step(const SensorFrame& sample) {
  Answer answer;
  const Telemetry<double>& told = loop_->telemetry;
  (void)Tick(sample, loop_->config, &loop_->state, &answer.command, &loop_->telemetry);  // the fault says it too
  answer.coupling_N = told.coupling_wrench_W.head<3>();
  answer.tool_m = told.p_WT_m;
  answer.tool_mps = told.tool_twist_W.head<3>();
  answer.dissipated_J = told.dissipated_J;
  answer.passivity_active = (told.status & status_bit::kPassivityActive) != 0;
  answer.limited = (told.status & kLimits) != 0;
  answer.faulted = told.fault != Fault::kNone;
  return answer;
}

}  // namespace tactus::bench::feel
