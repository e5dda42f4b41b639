#include "host_tools/export/contact_tables.h"

#include <fmt/core.h>

#include <fstream>

#include "host_tools/export/contact_events.h"
#include "host_tools/link/host_error.h"

namespace tactus::host {
namespace {

/// Writes the head and, of each tick, what `lines` makes of it.
template <class Lines>
void WriteTable(const std::string& log_path, const std::string& csv_path, const char* head, Lines lines) {
  std::ofstream file(csv_path);
  file << head << '\n';
  if (!file) throw HostError(fmt::format("cannot write '{}'", csv_path));
  const ReplayResult replay = Replay(log_path, [&](const ReplayedTick& tick) { lines(tick, file); });
  file.flush();
  if (!file) throw HostError(fmt::format("cannot write '{}'", csv_path));
  if (replay.identical != replay.ticks)
    throw HostError(
        fmt::format("'{}' is written, but the replay differs from the recording: {}", csv_path, replay.first_difference),
        kExitFailed);
}

std::string Triple(const double (&v)[3]) { return fmt::format("{:.9g},{:.9g},{:.9g}", v[0], v[1], v[2]); }

}  // namespace

long WriteContacts(const std::string& log_path, const std::string& csv_path) {
  constexpr const char* kHead =
      "time_s [s],tick,id,body_a,body_b,point_x [m],point_y [m],point_z [m],normal_x,normal_y,normal_z,gap_m [m],"
      "normal_N [N],friction_x [N],friction_y [N],friction_z [N],slip_mps [m/s]";
  long written = 0;
  WriteTable(log_path, csv_path, kHead, [&](const ReplayedTick& tick, std::ofstream& file) {
    for (const ReplayedContact& c : tick.contacts) {
      file << fmt::format("{:.6f},{},{},{},{},{},{},{:.9g},{:.9g},{},{:.9g}\n", tick.tick * tick.period_s, tick.tick, c.id,
                          c.a, c.b, Triple(c.point_m), Triple(c.normal), c.gap_m, c.normal_N, Triple(c.friction_N),
                          c.slip_mps);
      ++written;
    }
  });
  return written;
}

long WriteEvents(const std::string& log_path, const std::string& csv_path) {
  constexpr const char* kHead = "time_s [s],tick,event,body_a,body_b,point_x [m],point_y [m],point_z [m],impulse_Ns [N s]";
  long written = 0;
  ContactEvents events;
  WriteTable(log_path, csv_path, kHead, [&](const ReplayedTick& tick, std::ofstream& file) {
    for (const ContactEvent& e : events.Take(tick)) {
      file << fmt::format("{:.6f},{},{},{},{},{},{:.9g}\n", e.time_s, e.tick, Name(e.kind), e.a, e.b, Triple(e.point_m),
                          e.impulse_Ns);
      ++written;
    }
  });
  return written;
}

}  // namespace tactus::host
