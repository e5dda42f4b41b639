#include "host_tools/serve/doorkeeper.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>

#include "host_tools/link/token.h"

namespace tactus::host {
namespace {

constexpr std::chrono::seconds kPatience{2};
constexpr std::size_t kPlaces = 4;
constexpr std::size_t kLongestLine = kTokenGreeting.size() + kMaxToken_B;

}  // namespace

Doorkeeper::~Doorkeeper() {
  for (const Guest& guest : guests_) close(guest.descriptor);
}

void Doorkeeper::Add(int descriptor, Time now) {
  if (guests_.size() == kPlaces) {
    close(guests_.front().descriptor);
    guests_.erase(guests_.begin());
    ++turned_away_;
  }
  guests_.push_back({.descriptor = descriptor, .deadline = now + kPatience, .line = ""});
}

void Doorkeeper::AddTo(std::vector<pollfd>* waits) const {
  for (const Guest& guest : guests_) waits->push_back({guest.descriptor, POLLIN, 0});
}

void Doorkeeper::Check(Time now, const std::function<void(int)>& admit) {
  for (std::size_t i = 0; i < guests_.size();) {
    Answer answer = Hear(&guests_[i]);
    if (answer == Answer::kWait && now >= guests_[i].deadline) answer = Answer::kClose;
    if (answer == Answer::kWait) {
      ++i;
      continue;
    }
    const int descriptor = guests_[i].descriptor;
    guests_.erase(guests_.begin() + static_cast<std::ptrdiff_t>(i));
    if (answer == Answer::kAdmit) {
      admit(descriptor);
    } else {
      close(descriptor);
      ++turned_away_;
    }
  }
}

/// A byte at a time: what follows the line belongs to the session.
Doorkeeper::Answer Doorkeeper::Hear(Guest* guest) const {
  for (std::size_t i = 0; i <= kLongestLine; ++i) {
    char byte = 0;
    const ssize_t count = recv(guest->descriptor, &byte, 1, MSG_DONTWAIT);
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) return Answer::kWait;
    if (count <= 0) return Answer::kClose;
    if (byte == '\n') {
      const bool greets = guest->line.starts_with(kTokenGreeting);
      const std::string given = greets ? guest->line.substr(kTokenGreeting.size()) : "";
      return EqualTokens(token_, given) ? Answer::kAdmit : Answer::kClose;
    }
    guest->line += byte;
    if (guest->line.size() > kLongestLine) return Answer::kClose;
  }
  return Answer::kClose;
}

}  // namespace tactus::host
