#include "host_tools/link/local_board.h"

#include <algorithm>

#include "firmware/servo/build_id.h"
#include "firmware/servo/servo_app.h"
#include "hal/sim/local_device.h"
#include "hal/sim/memory_link.h"
#include "host_tools/link/host_error.h"

namespace tactus::host {
namespace {

constexpr servo::Identity kIdentity{.board = "this machine", .build = servo::kBuildId};

/// Time that passes when the board is told so.
class FrameClock final : public hal::Clock {
 public:
  void NextEdge() { ++edges_; }

 private:
  std::uint32_t DoEdges() const noexcept override { return edges_; }
  std::uint32_t DoNowUs() const noexcept override { return edges_ * DoPeriodUs(); }
  std::uint32_t DoPeriodUs() const noexcept override { return 1000; }

  std::uint32_t edges_ = 0;
};

template <class Scalar>
class LocalBoard final : public Transport {
 public:
  explicit LocalBoard(std::optional<std::uint64_t> seed)
      : device_(seed ? std::make_unique<hal::LocalSimDevice<Scalar>>(*seed) : nullptr),
        app_(kIdentity, link_, clock_, watchdog_, {.device = device_.get()}) {}

  void Write(std::span<const std::uint8_t> bytes) override {
    if (link_.HostWrite(bytes) != Status::kOk) throw HostError("the link in memory is full: read the answers", kExitLink);
    pending_frames_ += std::count(bytes.begin(), bytes.end(), std::uint8_t{0});
  }

  std::size_t Read(std::span<std::uint8_t> room, std::chrono::milliseconds) override {
    for (; pending_frames_ > 0; --pending_frames_) Edge();
    while (app_.last_word_heard() && !app_.stopped()) Edge();  // until the force has faded: at most Hello.max_fade_ticks
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

std::unique_ptr<Transport> MakeLocalBoard(int scalar_bits, std::optional<std::uint64_t> seed) {
  if (scalar_bits == 32) return std::make_unique<LocalBoard<float>>(seed);
  return std::make_unique<LocalBoard<double>>(seed);
}

}  // namespace tactus::host
