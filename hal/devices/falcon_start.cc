#include "hal/devices/falcon_start.h"

#include <algorithm>

namespace tactus::hal::falcon {
namespace {

using What = LineOrder::What;

struct Step {
  What what;
  std::uint32_t value;
};

constexpr std::uint32_t kLoadLatency_ms = 16, kRunLatency_ms = 1;  // with less, libnifalcon says, comparing tends to fail
constexpr Step kToRun[] = {{What::kLatency, kRunLatency_ms}, {What::kRate, Start::kRunRate}, {What::kPurge, 0}};
constexpr Step kToKnock[] = {{What::kPurge, 0},
                             {What::kLatency, kLoadLatency_ms},
                             {What::kRate, Start::kLoaderRate},
                             {What::kRts, 0},
                             {What::kDtr, 0},
                             {What::kDtr, 1}};
constexpr Step kToPace[] = {{What::kPurge, 0}, {What::kDtr, 0}, {What::kRate, Start::kLoadRate}};

constexpr std::uint8_t kKnockBytes[] = {0x0A, 0x43, 0x0D};
constexpr std::uint32_t kKnockAnswer = 0x0A442C0D;  // whatever stands before it
constexpr std::uint8_t kPaceByte[] = {0x41};

// Question and answer take 7.3 ms at 9600 Bd and wait for the chip's latency of 16 ms.
constexpr std::uint32_t kKnockPatience_us = 40'000;
constexpr int kKnocks = 50;
constexpr std::uint32_t kQuiet_us = 30'000, kQuietAtMost_us = 300'000;  // answers to earlier knocks may still come
constexpr std::uint32_t kEchoPatience_us = 200'000;                     // for a byte: 62 take 4.4 ms
constexpr std::uint32_t kProbePatience_us = 30'000, kCheckPatience_us = 50'000;
constexpr int kProbes = 4, kChecks = 20;

}  // namespace

void Start::Enter(Phase phase) {
  phase_ = phase;
  orders_ = 0;
  said_ = 0;
  sent_ = 0;
  heard_ = 0;
  news_ = answered_ = differs_ = false;
  finder_.Forget();
}

void Start::FailAttempt(StartFault fault) {
  fault_ = fault;
  if (program_.empty()) fault_ = StartFault::kNoProgram;
  if (program_.empty() || attempts_ >= kAttempts) return Enter(Phase::kFailed);
  ++attempts_;
  Enter(Phase::kKnock);
}

void Start::GiveUp(StartFault fault) noexcept {
  if (phase_ == Phase::kRuns || phase_ == Phase::kFailed) return;
  fault_ = fault;
  Enter(Phase::kFailed);
}

LineOrder Start::Next(std::uint32_t now_us) noexcept {
  std::span<const Step> steps;
  if (phase_ == Phase::kProbe || phase_ == Phase::kCheck) steps = kToRun;
  if (phase_ == Phase::kKnock) steps = kToKnock;
  if (phase_ == Phase::kPace) steps = kToPace;
  if (orders_ < steps.size()) {
    const Step& step = steps[orders_++];
    if (step.what == What::kPurge) heard_ = 0, news_ = answered_ = differs_ = false, finder_.Forget();
    return {.what = step.what, .value = step.value};
  }
  switch (phase_) {
    case Phase::kProbe:
    case Phase::kCheck: return Ask(now_us);
    case Phase::kKnock: return Knock(now_us);
    case Phase::kQuiet: return Quiet(now_us);
    case Phase::kPace: return Pace(now_us);
    case Phase::kLoad: return Load(now_us);
    case Phase::kRuns: return {.what = What::kRuns};
    case Phase::kFailed: break;
  }
  return {.what = What::kFailed};
}

LineOrder Start::Say(std::span<const std::uint8_t> bytes, std::uint32_t now_us) {
  ++said_;
  since_us_ = now_us;
  return {.what = What::kWrite, .bytes = bytes};
}

/// A packet of a program that runs, or has been loaded: it answers each with one.
LineOrder Start::Ask(std::uint32_t now_us) {
  const bool probes = phase_ == Phase::kProbe;
  if (answered_) {
    Enter(Phase::kRuns);
    return Next(now_us);
  }
  if (said_ > 0 && !Passed(now_us, probes ? kProbePatience_us : kCheckPatience_us)) return {};
  if (said_ < (probes ? kProbes : kChecks)) return Say(packet_, now_us);
  FailAttempt(probes ? StartFault::kNone : StartFault::kProgramSilent);
  return Next(now_us);
}

LineOrder Start::Knock(std::uint32_t now_us) {
  if (answered_) {
    Enter(Phase::kQuiet);
    since_us_ = entered_us_ = now_us;
    return {};
  }
  if (said_ > 0 && !Passed(now_us, kKnockPatience_us)) return {};
  if (said_ < kKnocks) return Say(kKnockBytes, now_us);
  FailAttempt(StartFault::kNoLoader);
  return Next(now_us);
}

LineOrder Start::Quiet(std::uint32_t now_us) {
  if (news_) since_us_ = now_us;
  news_ = false;
  if (now_us - entered_us_ >= kQuietAtMost_us) {
    FailAttempt(StartFault::kNoPace);
  } else if (Passed(now_us, kQuiet_us)) {
    Enter(Phase::kPace);
  } else {
    return {};
  }
  return Next(now_us);
}

LineOrder Start::Pace(std::uint32_t now_us) {
  if (said_ == 0) return Say(kPaceByte, now_us);
  if (answered_ && !differs_) {
    Enter(Phase::kLoad);
    echoed_ = 0;
    return Next(now_us);
  }
  if (!differs_ && !Passed(now_us, kEchoPatience_us)) return {};
  FailAttempt(StartFault::kNoPace);
  return Next(now_us);
}

LineOrder Start::Load(std::uint32_t now_us) {
  if (news_) since_us_ = now_us;
  news_ = false;
  if (differs_) {
    FailAttempt(StartFault::kEchoDiffers);
  } else if (echoed_ < sent_) {
    if (!Passed(now_us, kEchoPatience_us)) return {};
    FailAttempt(StartFault::kEchoStops);
  } else if (sent_ < program_.size()) {
    const std::size_t size = std::min(kPiece_B, program_.size() - sent_), at = sent_;
    sent_ += size;
    return Say(program_.subspan(at, size), now_us);
  } else {
    Enter(Phase::kCheck);
  }
  return Next(now_us);
}

void Start::Hear(std::span<const std::uint8_t> bytes) noexcept {
  for (const std::uint8_t byte : bytes) HearByte(byte);
}

void Start::HearByte(std::uint8_t byte) {
  news_ = true;
  switch (phase_) {
    case Phase::kProbe:
    case Phase::kCheck: {
      Answer answer;
      answered_ = answered_ || (said_ > 0 && finder_.Push(byte) && Read(finder_.packet(), &answer) == Status::kOk);
      return;
    }
    case Phase::kKnock:
      heard_ = heard_ << 8 | byte;
      answered_ = answered_ || (said_ > 0 && heard_ == kKnockAnswer);
      return;
    case Phase::kPace:
      differs_ = differs_ || (said_ > 0 && (answered_ || byte != kPaceByte[0]));
      answered_ = said_ > 0;
      return;
    case Phase::kLoad:
      differs_ = differs_ || echoed_ >= sent_ || byte != program_[echoed_];
      if (!differs_) ++echoed_;
      return;
    case Phase::kQuiet:
    case Phase::kRuns:
    case Phase::kFailed: return;
  }
}

}  // namespace tactus::hal::falcon
