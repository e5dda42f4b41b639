#include "host_tools/link/local_board.h"

#include <algorithm>

#include "firmware/servo/build_id.h"
#include "firmware/servo/servo_app.h"
#include "hal/sim/local_device.h"
#include "hal/sim/memory_link.h"
#include "host_tools/link/host_error.h"

namespace tactus::host {
namespace {

servo::Identity MakeIdentity(std::uint32_t period_us, std::optional<WorkBudget> work) {
  return {
      .board = "this machine", .build = servo::kBuildId, .work = work.value_or(WorkBudget::At(kPcWorkPerSecond, period_us))};
}

/// Time that passes when the board is told so.
class FrameClock final : public hal::Clock {
 public:
  explicit FrameClock(std::uint32_t period_us) : period_us_(period_us) {}
  void NextEdge() { ++edges_; }

 private:
  std::uint32_t DoEdges() const noexcept override { return edges_; }
  std::uint32_t DoNowUs() const noexcept override { return edges_ * period_us_; }
  std::uint32_t DoPeriodUs() const noexcept override { return period_us_; }

  std::uint32_t period_us_, edges_ = 0;
};

template <class Scalar>
class LocalBoard final : public Transport {
 public:
  LocalBoard(std::optional<std::uint64_t> seed, std::uint32_t period_us, std::optional<WorkBudget> work)
      : clock_(period_us),
        device_(seed ? std::make_unique<hal::LocalSimDevice<Scalar>>(*seed, period_us) : nullptr),
        app_(MakeIdentity(period_us, work), link_, clock_, watchdog_, {.device = device_.get()}) {}
  LocalBoard(hal::Device& device, std::uint32_t period_us)
      : clock_(period_us), app_(MakeIdentity(period_us, std::nullopt), link_, clock_, watchdog_, {.device = &device}) {}

  void Write(std::span<const std::uint8_t> bytes) override {
    if (link_.HostWrite(bytes) != Status::kOk) throw HostError("the link in memory is full: read the answers", kExitLink);
    pending_frames_ += std::count(bytes.begin(), bytes.end(), std::uint8_t{0});
  }

  std::size_t Read(std::span<std::uint8_t> room, std::chrono::milliseconds) override {
    for (; pending_frames_ > 0; --pending_frames_) Edge();
    // Time goes on until the force has faded. A few edges a Read: what they say must be read, or the link is full.
    constexpr int kEdgesARead = 8;
    for (int i = 0; i < kEdgesARead && app_.last_word_heard() && !app_.stopped(); ++i) Edge();
    return link_.HostRead(room);
  }

 private:
  void Edge() {
    clock_.NextEdge();
    app_.OnTick();
    app_.DrainTelemetry();
  }

  hal::MemoryLink link_;
  FrameClock clock_;
  hal::NoWatchdog watchdog_;
  std::unique_ptr<hal::LocalSimDevice<Scalar>> device_;
  servo::ServoApp<Scalar> app_;
  std::ptrdiff_t pending_frames_ = 0;
};

}  // namespace

std::unique_ptr<Transport> MakeLocalBoard(int scalar_bits, std::optional<std::uint64_t> seed, std::uint32_t period_us,
                                          std::optional<WorkBudget> work) {
  if (scalar_bits == 32) return std::make_unique<LocalBoard<float>>(seed, period_us, work);
  return std::make_unique<LocalBoard<double>>(seed, period_us, work);
}

std::unique_ptr<Transport> MakeLocalBoardWith(int scalar_bits, hal::Device& device, std::uint32_t period_us) {
  if (scalar_bits == 32) return std::make_unique<LocalBoard<float>>(device, period_us);
  return std::make_unique<LocalBoard<double>>(device, period_us);
}

}  // namespace tactus::host
