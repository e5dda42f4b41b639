// A driver's own delay, closed: its declared capabilities, the limit that follows, and the bytes of its line between the
// loop and an emulated handle without damping, friction or hand. Source: linear stability (docs/stability.md): below the
// limit a blow dies out, above it grows.
#include <gtest/gtest.h>

#include <cmath>

#include "bench/safety/parts.h"
#include "hal/devices/haply_port.h"
#include "hal/sim/haply_board.h"
#include "host_tools/devices/device_run.h"
#include "host_tools/devices/real_devices.h"
#include "host_tools/stability/check_config.h"

namespace tactus::hal {
namespace {

constexpr double kDamping_Ns_per_m = 3;  // the default's

host::AxisLoop LoopOfHaply() {
  const Config<double> config = host::ConfigOf(HaplyConfig().capabilities);
  return host::LoopOf(config, host::DeclaredModel("haply", config.device), false);
}

host::AxisDevice Axis() { return host::DeclaredModel("haply", host::ConfigOf(HaplyConfig().capabilities).device).linear; }

HaplyBoard::Mechanism::Options FreeHandle() {
  HaplyBoard::Mechanism::Options options = HaplyBoard::Arms({}, 1);
  options.handle.damping_Ns_per_m.value = options.handle.coulomb_N.value = 0;
  options.hand = HandParameters{};
  return options;
}

/// How far the handle swings in the last of three seconds behind a blow of some 0.2 mm, in parts of that.
double SwingAfter3s(double stiffness_N_per_m) {
  HaplyBoard board(FreeHandle());
  auto owned = std::make_unique<bench::safety::MemoryLink>();
  bench::safety::MemoryLink& link = *owned;
  const auto device = host::FindRealDevice("haply")->drive({.link = std::move(owned)});
  const host::DiscreteFilter H = host::CouplingFilter(
      Axis(), LoopOfHaply(), {.stiffness_N_per_m = stiffness_N_per_m, .damping_Ns_per_m = kDamping_Ns_per_m},
      host::Regime::kMoving);
  host::FilterVector s = host::FilterVector::Zero(H.states());
  double middle_m = 0, first_m = 0, last_m = 0;
  bool enabled = false;
  for (std::uint32_t ms = 1; ms <= 3'700; ++ms) {
    const DeviceReading reading = device->Read(1000 * ms);
    CommandFrame command;
    const auto z_m = static_cast<double>(reading.sample.p_WH_m[2]);
    if (ms <= 600) middle_m = z_m;
    if (ms > 600) {
      EXPECT_TRUE(reading.valid && reading.state != DeviceState::kFaulted) << device->why();
      if (!std::exchange(enabled, true)) device->Enable();
      const double y = z_m - middle_m;
      const double force_N = -(H.C.dot(s) + H.D * y) + (ms == 700 || ms == 701 ? 2 : 0);
      s = H.A * s + H.B * y;
      command.force_N[2] = static_cast<float>(Clamp(force_N, -2.5, 2.5));
    }
    (void)device->Write(command, {});
    for (const auto& bytes : std::exchange(link.sent, {})) board.Receive(bytes);
    board.Advance();
    const auto said = board.Say();
    link.incoming.insert(link.incoming.end(), said.begin(), said.end());
    if (ms > 700 && ms <= 710) first_m = std::max(first_m, std::abs(z_m - middle_m));
    if (ms > 2'700) last_m = std::max(last_m, std::abs(z_m - middle_m));
  }
  return last_m / first_m;
}

TEST(ClosedLoop, OfADriverIsStableBelowTheLimitThatIsToldAndGrowsAbove) {
  const double limit = host::LargestStable_N_per_m(Axis(), LoopOfHaply(), kDamping_Ns_per_m, host::Regime::kMoving);
  EXPECT_LT(limit, 2 * kDamping_Ns_per_m / 0.001) << "K < B/(t_d - T/2) at one period of delay";
  EXPECT_LT(SwingAfter3s(0.85 * limit), 0.5);
  EXPECT_GT(SwingAfter3s(1.2 * limit), 2);
}

}  // namespace
}  // namespace tactus::hal
