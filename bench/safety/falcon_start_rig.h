#pragma once
#include <algorithm>
#include <deque>
#include <functional>
#include <utility>
#include <vector>

#include "hal/devices/falcon_start.h"
#include "hal/sim/falcon_board.h"

namespace tactus::bench::safety {

/// A Falcon's start and an emulated Falcon, joined by a line in memory. A step is a millisecond. A purge does not reach what
/// is under way.
struct FalconStartRig {
  using Bytes = std::vector<std::uint8_t>;
  using What = hal::falcon::LineOrder::What;

  explicit FalconStartRig(Bytes program_bytes, bool keeps_program = false)
      : program(std::move(program_bytes)), board(hal::FalconBoard::Arms(hand, 1), keeps_program), start(program) {}

  bool has_lines = true;                       ///< DTR reaches the device
  bool knows_rate = true;                      ///< the rate does
  int delay = 1;                               ///< steps from the device to the host
  std::size_t pieces_B = 1000;                 ///< at most so many in one Hear
  std::size_t unplug_at = SIZE_MAX;            ///< of the bytes both ways
  std::function<Bytes(Bytes)> disturb;         ///< what the device says
  std::vector<hal::falcon::LineOrder> orders;  ///< all but waits
  std::size_t moved = 0;
  int steps = 0;
  bool flowed = false;  ///< there was current in a motor
  bool never_ended = false;

  const Bytes program;
  const hal::HandScript hand;
  hal::FalconBoard board;
  hal::falcon::Start start;

  /// @returns kWait, or how it ended.
  What Step() {
    ++steps;
    hal::falcon::LineOrder order = start.Next(NowUs());
    for (; order.what != What::kWait && order.what != What::kRuns && order.what != What::kFailed;
         order = start.Next(NowUs()))
      Do(order);
    if (order.what != What::kWait) return order.what;
    if (moved >= unplug_at) start.GiveUp(hal::falcon::StartFault::kClosed);
    board.Advance();
    Bring();
    flowed = flowed || board.largest_A() > 0;
    return What::kWait;
  }
  /// @returns whether it runs; at last it has ended.
  bool Run(int most_steps = 60'000) {
    for (int i = 0; i < most_steps; ++i) {
      if (const What what = Step(); what != What::kWait) return what == What::kRuns;
    }
    never_ended = true;
    return false;
  }

 private:
  std::uint32_t NowUs() const { return static_cast<std::uint32_t>(steps) * 1000 + 0xFFFF0000u; }  // it wraps soon

  void Do(const hal::falcon::LineOrder& order) {
    orders.push_back(order);
    if (order.what == What::kRate && knows_rate) board.SetRate(order.value);
    if (order.what == What::kDtr && has_lines) board.boot().SetDtr(order.value != 0);
    if (order.what != What::kWrite) return;
    moved += order.bytes.size();
    board.Receive(order.bytes);
  }

  void Bring() {
    const auto said = static_cast<hal::EmulatedBoard&>(board).Say();
    Bytes bytes(said.begin(), said.end());
    if (disturb) bytes = disturb(std::move(bytes));
    moved += bytes.size();
    for (std::size_t at = 0; at < bytes.size(); at += pieces_B) {
      const auto from = bytes.begin() + static_cast<std::ptrdiff_t>(at);
      coming_.push_back(
          {steps + delay, Bytes(from, from + static_cast<std::ptrdiff_t>(std::min(pieces_B, bytes.size() - at)))});
    }
    for (; !coming_.empty() && coming_.front().first <= steps; coming_.pop_front()) start.Hear(coming_.front().second);
  }

  std::deque<std::pair<int, Bytes>> coming_;
};

}  // namespace tactus::bench::safety
