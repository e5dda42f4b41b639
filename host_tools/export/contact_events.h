#pragma once
#include <map>
#include <utility>
#include <vector>

#include "host_tools/replay/replay.h"

namespace tactus::host {

/// What began or ended between two bodies.
struct ContactEvent {
  enum class Kind { kBegins, kEnds, kSlips, kSticks };
  Kind kind = Kind::kBegins;
  std::uint32_t tick = 0;
  double time_s = 0;
  int a = 0, b = -1;              ///< as ReplayedContact has them
  double point_m[3] = {0, 0, 0};  ///< where the load is, in the mean; kEnds: where it was last
  double impulse_Ns = 0;          ///< along the normals, in this tick; kEnds: in the last one with a load
};
const char* Name(ContactEvent::Kind kind);

/// Finds the events of a run, tick by tick. A contact that carries nothing for up to 5 ms has not ended. Slip begins above
/// 1 mm/s and ends below half of that.
class ContactEvents {
 public:
  /// @returns what began or ended in this tick, pair by pair
  std::vector<ContactEvent> Take(const ReplayedTick& tick);

 private:
  /// Two bodies that carry a load between them.
  struct Touch {
    bool slips = false;
    double last_s = 0;
    ContactEvent last;  ///< of the last tick with a load
  };
  struct Load;

  std::map<std::pair<int, int>, Touch> touches_;
};

}  // namespace tactus::host
