#include "host_tools/serve/servo_loop.h"

#include "firmware/servo/build_id.h"
#include "host_tools/session/scene_piece.h"

namespace tactus::host {
namespace {

/// Of a scene, so that a grid of a megabyte makes no period late: 8 kB.
constexpr int kPiecesPerPeriod = 16;

/// After Stop(): the host has a second to read what there is (LinkServer), then the force fades in 0.1 s at most.
constexpr std::uint64_t kEndPatience_us = 2'000'000;

servo::Identity IdentityOf(std::uint32_t boot_seed, const LoopOptions& options) {
  return {.board = "linux",
          .build = servo::kBuildId,
          .link = wire::Link::kEthernet,
          .boot_seed = boot_seed,
          .work = WorkBudget::At(kPcWorkPerSecond, options.period_us),
          .device = options.limits};
}

hal::ThreadCounters Difference(const hal::ThreadCounters& a, const hal::ThreadCounters& b) {
  return {.minor_faults = a.minor_faults - b.minor_faults,
          .major_faults = a.major_faults - b.major_faults,
          .waits = a.waits - b.waits,
          .preemptions = a.preemptions - b.preemptions};
}

void Add(std::uint64_t count, std::atomic<std::uint64_t>* total) {  // one writer
  total->store(total->load(std::memory_order_relaxed) + count, std::memory_order_relaxed);
}

}  // namespace

ServoLoop::ServoLoop(const LoopOptions& options, hal::Device* device, hal::ThreadLink& link, hal::TimeSource& time,
                     std::uint32_t boot_seed)
    : options_(options), link_(link), clock_(options.period_us, time), boot_seed_(boot_seed) {
  if (device != nullptr) timed_device_.emplace(*device, time);
}

void ServoLoop::Run() {
  hal::EnterRealtime(options_.wish, &grant_);
  grant_known_.store(true, std::memory_order_release);
  clock_.Start();
  const hal::ThreadCounters before = hal::CountersOfThread();
  while (!HasEnded()) RunPeriod();
  WriteLastZeros();
  kernel_counts_ = Difference(hal::CountersOfThread(), before);
  if (timed_device_) timed_device_->Disable();
  done_.store(true, std::memory_order_release);
}

/// After Stop(): the session has ended, or its device takes no zeros, which it would wait for.
bool ServoLoop::HasEnded() {
  if (!stop_.load(std::memory_order_acquire)) return false;
  if (app_ && ++ending_periods_ * std::uint64_t{options_.period_us} > kEndPatience_us) EndSession();
  return !app_;
}

void ServoLoop::RunPeriod() {
  const hal::PeriodicClock::Wake wake = clock_.WaitForEdge();
  const std::uint32_t edge = clock_.edges();
  counts_.wake_up.Record(wake.late_ns);
  Add(wake.missed, &counts_.missed);
  if (!app_ && wanted_.load(std::memory_order_acquire) != started_) StartSession();
  if (app_ && !session_runs()) GiveScene();
  if (session_runs()) {
    RunSession();
  } else {
    (void)WriteZeros();
  }
  counts_.compute.Record(clock_.now_ns() - wake.now_ns);
  if (clock_.edges() != edge) Add(1, &counts_.overruns);
  Add(1, &counts_.periods);
  if (options_.ticks == counts_.periods.load(std::memory_order_relaxed)) {
    ticks_are_over_.store(true, std::memory_order_release);
    link_.OrderStop();
    Stop();
  }
}

void ServoLoop::StartSession() {
  link_.Open();
  hal::Device* const device = timed_device_ ? &*timed_device_ : nullptr;
  // Nonces of two sessions shall not be the same: an odd factor permutes the numbers.
  const std::uint32_t seed = boot_seed_ + 0x9E3779B9u * started_;
  app_.emplace(IdentityOf(seed, options_), link_, clock_, watchdog_, servo::BoardParts{.device = device});
  ++started_;
  scene_given_ = 0;
}

/// The session runs from the period on that has given it the last piece.
void ServoLoop::GiveScene() {
  for (int i = 0; i < kPiecesPerPeriod && scene_given_ < options_.scene.size(); ++i) {
    const wire::ScenePart part = PieceOf(options_.scene, scene_given_);
    (void)app_->BeginWith(part);  // whoever made the options has tried it
    scene_given_ += part.size();
  }
  if (scene_given_ == options_.scene.size()) running_.store(true, std::memory_order_release);
}

void ServoLoop::RunSession() {
  app_->OnTick();
  app_->DrainTelemetry();
  const bool faulted = app_->supervisor().phase == Phase::kFaulted;
  if (faulted && !faulted_) Add(1, &counts_.faults);
  faulted_ = faulted;
  if (app_->stopped()) EndSession();
}

void ServoLoop::EndSession() {
  Add(1, &counts_.sessions);
  app_.reset();
  running_.store(false, std::memory_order_release);
}

/// More than once: a device whose answer is awaited may take none of two commands.
void ServoLoop::WriteLastZeros() {
  constexpr int kPeriods = 5;
  for (int i = 0; i < kPeriods; ++i) {
    if (timed_device_) (void)clock_.WaitForEdge();
    zeros_written_ = WriteZeros();
  }
}

bool ServoLoop::WriteZeros() {
  if (!timed_device_) return true;
  (void)timed_device_->Read(clock_.now_us());
  return timed_device_->Write({}, {}) == Status::kOk;
}

}  // namespace tactus::host
