#include "host_tools/session/event_file.h"

#include <fmt/core.h>

#include "host_tools/link/host_error.h"
#include "tactus/contact/contact_events.h"

namespace tactus::host {

EventFile::EventFile(const std::string& path, std::uint32_t period_us)
    : path_(path), period_s_(1e-6 * period_us), file_(path) {
  file_ << "time_s [s],tick,event,body_a,body_b,point_x [m],point_y [m],point_z [m],impulse_Ns [N s]\n";
  if (!file_) throw HostError(fmt::format("cannot write '{}'", path));
}

void EventFile::Add(const wire::ContactEvent& event) {
  const auto& p = *event.point_m();
  file_ << fmt::format("{:.6f},{},{},{},{},{:.7g},{:.7g},{:.7g},{:.7g}\n", event.tick() * period_s_, event.tick(),
                       Name(static_cast<ContactChange>(event.change())), event.body_a(), event.body_b(), p.Get(0), p.Get(1),
                       p.Get(2), event.impulse_Ns());
  ++written_;
  missed_ = event.missed();
}

void EventFile::Close() {
  file_.flush();
  if (!file_) throw HostError(fmt::format("cannot write '{}': is the disk full?", path_));
}

}  // namespace tactus::host
