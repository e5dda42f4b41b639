#pragma once
#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

struct pollfd;

namespace tactus::host {

/// Keeps those who have not shown the token yet. They have places of their own, so none of them can hold up a host that
/// may come in; each has two seconds, and who comes when all places are taken puts out the one that has waited longest.
class Doorkeeper {
 public:
  using Time = std::chrono::steady_clock::time_point;

  explicit Doorkeeper(std::string token) : token_(std::move(token)) {}
  ~Doorkeeper();
  Doorkeeper(const Doorkeeper&) = delete;
  Doorkeeper& operator=(const Doorkeeper&) = delete;

  void Add(int descriptor, Time now);
  void AddTo(std::vector<pollfd>* waits) const;

  /// Reads what has come. Who has shown the token is given to `admit`, with the descriptor; the others are closed when their
  /// line is wrong or their time is over.
  void Check(Time now, const std::function<void(int)>& admit);

  std::uint64_t turned_away() const { return turned_away_; }

 private:
  enum class Answer { kWait, kAdmit, kClose };
  struct Guest {
    int descriptor;
    Time deadline;
    std::string line;
  };
  Answer Hear(Guest* guest) const;

  const std::string token_;
  std::vector<Guest> guests_;  // the one that has waited longest first
  std::uint64_t turned_away_ = 0;
};

}  // namespace tactus::host
