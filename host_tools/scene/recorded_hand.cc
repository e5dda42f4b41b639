#include "host_tools/scene/recorded_hand.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "host_tools/export/recording_table.h"
#include "host_tools/link/host_error.h"

namespace tactus::host {
namespace {

constexpr double kStep_s = 0.02, kBack_s = 1, kLongest_s = 30;

const RecordingColumn& Column(const RecordingTable& table, const char* name) {
  const auto found =
      std::find_if(table.columns.begin(), table.columns.end(), [&](const RecordingColumn& c) { return c.name == name; });
  if (found == table.columns.end()) throw HostError(fmt::format("the recording has no {}", name), kExitFailed);
  return *found;
}

/// The handle of one tick as the end of a move. Twice the Gibbs vector, as HandMove has it.
hal::HandMove MoveTo(const double* p_m, const double* q) {
  hal::HandMove move{.duration_s = kStep_s};
  for (int i = 0; i < 3; ++i) {
    move.p_m[i] = p_m[i];
    move.rotation_rad[i] = 2 * q[i + 1] / q[0];
    if (!(std::abs(move.p_m[i]) <= 1 && std::abs(move.rotation_rad[i]) <= 4))
      throw HostError("the recording's handle is where no hand can be: 1 m away, or turned by more than 126 degrees",
                      kExitFailed);
  }
  return move;
}

}  // namespace

void ReadRecordedHand(const std::string& log_path, SceneFile* file) {
  const RecordingTable table = ReadRecording(log_path);
  const std::vector<double>& time_s = Column(table, "time_s").values;
  const std::vector<double>& p_m = Column(table, "sample_position_m").values;
  const std::vector<double>& q = Column(table, "sample_orientation_wxyz").values;
  double next_s = time_s.empty() ? 0 : time_s.front();
  const double end_s = next_s + kLongest_s;
  for (std::size_t i = 0; i < time_s.size() && time_s[i] <= end_s; ++i) {
    if (time_s[i] < next_s - 1e-9) continue;
    file->moves.push_back(MoveTo(&p_m[3 * i], &q[4 * i]));
    next_s += kStep_s;
  }
  if (file->moves.empty()) throw HostError("the recording has no ticks", kExitFailed);
  hal::HandMove back = file->moves.front();
  back.duration_s = kBack_s;
  file->moves.push_back(back);
  file->move_names.assign(file->moves.size(), "recorded");
  file->move_names.back() = "back";
}

}  // namespace tactus::host
