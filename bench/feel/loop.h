#pragma once
#include <deque>
#include <vector>

#include "bench/feel/controller.h"
#include "bench/feel/handle.h"

namespace tactus::bench::feel {

inline constexpr double kPeriod_s = hal::SimDevice::kTick_s;
inline constexpr double kRate_Hz = 1 / kPeriod_s;

inline int Ticks(double duration_s, double period_s = kPeriod_s) { return static_cast<int>(duration_s / period_s + 0.5); }

/// One period: the handle at its beginning, the answer, and what the handle got.
struct Period {
  Vec3 p_WH_m = Vec3::Zero(), v_WH_mps = Vec3::Zero();
  Answer answer;
  double work_J = 0;  ///< of the command on the handle during the period, by the device's own account
};

/// Handle and controller, joined by a link that delivers a command `late_ticks` periods after its sample.
class Loop {
 public:
  Loop(Handle* handle, Controller* controller, int late_ticks = 0)
      : handle_(handle), controller_(controller), under_way_(static_cast<std::size_t>(late_ticks)) {}

  Period Step() {
    Period period{.p_WH_m = handle_->p_WH_m(),
                  .v_WH_mps = handle_->v_WH_mps(),
                  .answer = controller_->Step(handle_->Sample()),
                  .work_J = 0};
    under_way_.push_back(period.answer.command);
    period.work_J = handle_->Advance(under_way_.front());
    under_way_.pop_front();
    return period;
  }

  std::vector<Period> Run(double duration_s, double period_s = kPeriod_s) {
    std::vector<Period> periods;
    for (int k = 0; k < Ticks(duration_s, period_s); ++k) periods.push_back(Step());
    return periods;
  }

 private:
  Handle* handle_;
  Controller* controller_;
  std::deque<CommandFrame> under_way_;
};

}  // namespace tactus::bench::feel
