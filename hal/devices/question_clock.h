#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

namespace tactus::hal {

/// How late a line is whose device speaks by itself: questions go out beside what is sent anyway, of two kinds in turn, and
/// an answer tells its kind. Of each kind one is under way, so an answer is never taken for that to a newer question.
///
/// A line keeps the order of what it carries: what comes behind an answer was said behind its question. So nothing that
/// comes behind the last answer is older than the question of that answer, which silent() bounds. And a question is lost
/// whose answer has not come before that to a newer one. Two that are lost in a row are silence.
class QuestionClock {
 public:
  static constexpr int kKinds = 2, kNone = -1;

  /// @param silence_us  what is older is too late
  /// @param forget_us   after so long a question is lost; a line that is later than that can look as if it were not
  QuestionClock(std::uint32_t silence_us, std::uint32_t forget_us) : silence_us_(silence_us), forget_us_(forget_us) {}

  void SetNow(std::uint32_t now_us) {
    now_us_ = now_us;
    gone_ = gone_ || now_us_ - answered_us_ > silence_us_;  // stays so, however often the time wraps
    for (Question& question : questions_) question.waits = question.waits && now_us_ - question.sent_us < forget_us_;
  }
  /// The kind that may be asked now; kNone: its last question is under way.
  int Next() const { return questions_[next_].waits ? kNone : static_cast<int>(next_); }
  /// The question of Next() has gone out.
  void NoteQuestion() {
    questions_[next_] = {.sent_us = now_us_, .waits = true};
    next_ = 1 - next_;
  }
  /// @returns whether one was awaited: else it is a repeated one, and old.
  bool NoteAnswer(int kind) {
    Question &answered = questions_[static_cast<std::size_t>(kind)], &other = questions_[static_cast<std::size_t>(1 - kind)];
    if (!answered.waits) return false;
    answered.waits = false;
    other.waits = other.waits && now_us_ - other.sent_us < now_us_ - answered.sent_us;
    answered_us_ = answered.sent_us;
    const std::uint32_t way_us = now_us_ - answered_us_;
    late_us_ = way_us > kNormal_us ? way_us - kNormal_us : 0;
    gone_ = way_us > silence_us_;
    return true;
  }
  /// Both ways of the last answer, beyond a period.
  std::uint32_t late_us() const { return late_us_; }
  /// Nothing that was asked within the last silence_us has been answered; so at the start.
  bool silent() const { return gone_; }
  void Forget() { questions_ = {}, gone_ = true, late_us_ = 0; }

 private:
  static constexpr std::uint32_t kNormal_us = 1500;  // a question leaves behind one edge, its answer is seen at the next
  struct Question {
    std::uint32_t sent_us = 0;
    bool waits = false;
  };

  std::uint32_t silence_us_, forget_us_;
  std::array<Question, kKinds> questions_{};
  std::size_t next_ = 0;
  std::uint32_t now_us_ = 0, answered_us_ = 0, late_us_ = 0;
  bool gone_ = true;
};

}  // namespace tactus::hal
