#pragma once
#include <cstdint>

namespace tactus::hal {

/// When a request went out and its answer came, for lines that know no numbers: one request in flight, and another only when
/// the answer is given up.
class AnswerClock {
 public:
  /// @param patience_us  after so long without an answer the request is lost, and another may go out
  /// @param silence_us   after so long without any answer the device is gone
  AnswerClock(std::uint32_t patience_us, std::uint32_t silence_us) : patience_us_(patience_us), silence_us_(silence_us) {}

  void SetNow(std::uint32_t now_us) {
    now_us_ = now_us;
    if (!started_) answer_us_ = now_us;
    started_ = true;
    gone_ = gone_ || now_us_ - answer_us_ >= silence_us_;  // stays so, however often the time wraps
  }
  bool MayAsk() const { return waiting_ == 0 || now_us_ - asked_us_ >= patience_us_; }
  /// Requests without an answer.
  int waits() const { return waiting_; }
  void NoteRequest() {
    if (waiting_ == 0) first_us_ = now_us_;
    if (waiting_ < kMost) ++waiting_;
    asked_us_ = now_us_;
  }
  /// @returns whether one was awaited: else it is a repeated one, and old.
  bool NoteAnswer() {
    if (waiting_ == 0) return false;
    // Nobody knows which of several requests this answers. It is taken as the answer to the oldest, which is the safe side.
    // A further answer counts as unasked.
    age_us_ = now_us_ - first_us_ > kNormal_us ? now_us_ - first_us_ - kNormal_us : 0;
    waiting_ = 0;
    answer_us_ = now_us_;
    gone_ = false;
    return true;
  }
  /// Of the last answer's positions now: what the line took beyond a period, and what has passed since.
  std::uint32_t age_us() const { return age_us_ + (now_us_ - answer_us_); }
  bool silent() const { return gone_; }
  std::uint32_t now_us() const { return now_us_; }
  void Forget() { waiting_ = 0, started_ = gone_ = false, age_us_ = 0; }

 private:
  static constexpr std::uint32_t kNormal_us = 1500;  // a request leaves behind one edge, its answer is seen at the next
  static constexpr int kMost = 1000;

  const std::uint32_t patience_us_, silence_us_;
  std::uint32_t now_us_ = 0, first_us_ = 0, asked_us_ = 0, answer_us_ = 0, age_us_ = 0;
  int waiting_ = 0;
  bool started_ = false, gone_ = false;
};

}  // namespace tactus::hal
