#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

namespace tactus::hal {

/// When requests went out and their answers came, for lines that know no numbers: one request in flight, and another only
/// when the answer is given up.
///
/// A line keeps its order, so an answer is taken for that to the oldest request without one. While none is lost and none
/// comes twice, no position is told to be newer than it is, but for kNormal_us and for lines that are later than kMost
/// requests. Where one is lost, the answers behind it are taken for older ones than they are, until a pause shows that none
/// is under way: the safe side. An answer that comes only behind that pause (by kUneven_us later than the one before), or
/// twice, is taken for a newer one than it is, until the line is early enough again to answer more than it was asked. Which
/// way is late, nobody knows: both count. docs/devices.md has figures.
class AnswerClock {
 public:
  /// @param patience_us  after so long without an answer another request may go out
  /// @param silence_us   after so long without any answer, or with answers so late, the device is gone
  AnswerClock(std::uint32_t patience_us, std::uint32_t silence_us) : patience_us_(patience_us), silence_us_(silence_us) {}

  void SetNow(std::uint32_t now_us) {
    now_us_ = now_us;
    if (!started_) answer_us_ = now_us;
    started_ = true;
    gone_ = gone_ || now_us_ - answer_us_ >= silence_us_;  // stays so, however often the time wraps
  }
  bool MayAsk() const {
    if (count_ == 0 || OthersAreLost()) return true;
    return answered_ ? !Pauses() : now_us_ - asked_us_ >= patience_us_;
  }
  /// Requests without an answer.
  int waits() const { return static_cast<int>(count_); }
  void NoteRequest() {
    if (OthersAreLost()) count_ = 0;
    if (count_ == kMost) Drop();
    sent_us_[(first_ + count_++) % kMost] = now_us_;
    asked_us_ = now_us_;
    answered_ = false;
  }
  /// @returns whether one was awaited: else it is a repeated one, and old.
  bool NoteAnswer() {
    if (count_ == 0) return false;
    way_us_ = now_us_ - sent_us_[first_];
    Drop();
    age_us_ = way_us_ > kNormal_us ? way_us_ - kNormal_us : 0;
    answer_us_ = now_us_;
    answered_ = true;
    gone_ = way_us_ >= silence_us_;
    return true;
  }
  /// Of the last answer's positions now: what the line took beyond a period, and what has passed since.
  std::uint32_t age_us() const { return age_us_ + (now_us_ - answer_us_); }
  bool silent() const { return gone_; }
  std::uint32_t now_us() const { return now_us_; }
  void Forget() { count_ = 0, started_ = gone_ = answered_ = false, age_us_ = way_us_ = 0; }

 private:
  static constexpr std::uint32_t kNormal_us = 1500;  // a request leaves behind one edge, its answer is seen at the next
  static constexpr std::uint32_t kUneven_us = 1000;  // by which an answer may take longer than the one before
  static constexpr std::size_t kMost = 16;

  /// Others were asked before the last answer: a pause shows whether theirs are under way. Not of a line that is late by
  /// more than the patience: its positions would be too old meanwhile. Where the device is gone, they are already.
  bool Pauses() const { return answered_ && (way_us_ <= patience_us_ || gone_); }
  /// They would have been answered by now.
  bool OthersAreLost() const { return Pauses() && now_us_ - asked_us_ >= way_us_ + kUneven_us; }
  void Drop() { first_ = (first_ + 1) % kMost, --count_; }

  const std::uint32_t patience_us_, silence_us_;
  std::array<std::uint32_t, kMost> sent_us_{};  // of the requests without an answer, a ring
  std::size_t first_ = 0, count_ = 0;
  std::uint32_t now_us_ = 0, asked_us_ = 0, answer_us_ = 0;
  std::uint32_t way_us_ = 0, age_us_ = 0;  // of the last answer
  bool started_ = false, gone_ = false;
  bool answered_ = false;  // since the last request
};

}  // namespace tactus::hal
