// A host that falls silent under force: the force is held, fades, and a fault latches, until the host clears it.
#include "live_board.h"

namespace tactus::host {
namespace {

class SilentHost : public OnBoard {};

TEST_F(SilentHost, LeavesZeroForceAndALatchedFaultAndRecovers) {
  const Config<double> config = PegInHoleConfig();
  LiveBoard board(QemuLink::kFifo, wire::Pacing::kClock);
  for (int tick = 0; tick < 500; ++tick) board.Tick();
  const double force_N = ForceOf(board.commands.all.back());
  ASSERT_GT(force_N, 0.5);  // the hand presses on the plate by now

  // Source: docs/servo_loop.md. Held for hold_ticks, then gone within ramp_down_s; one tick more to latch.
  const int hold_ticks = config.guard.hold_ticks, fade_ticks = static_cast<int>(config.guard.ramp_down_s * 1000);
  EXPECT_EQ(ForceOf(board.SilentTick()), force_N);
  for (int tick = 1; tick < hold_ticks + fade_ticks + 1; ++tick) board.SilentTick();
  for (int tick = 0; tick < 20; ++tick) EXPECT_EQ(ForceOf(board.SilentTick()), 0);
  ASSERT_EQ(board.faults.all.size(), 1u);
  EXPECT_EQ(board.faults.all[0].code(), wire::FaultCode::kSampleStale);
  board.Tick();
  EXPECT_EQ(ForceOf(board.commands.all.back()), 0);  // the host is back, the fault stays
  EXPECT_EQ(board.telemetry.all.back().state(), wire::State::kFaulted);

  board.client.Control(wire::Action::kClearFault);
  board.client.Arm();
  // Without force the hand has sunk into the plate, and the tool is placed in the hand: no force until it is drawn out.
  constexpr std::uint32_t kInside = static_cast<std::uint32_t>(wire::StatusBit::kPlacedInside);
  EXPECT_EQ(ForceOf(board.Tick()), 0);
  EXPECT_NE(board.commands.all.back().status() & kInside, 0u);
  constexpr int kScriptTicks = 10'000;
  int ticks = 0;
  while (ticks++ < kScriptTicks && ForceOf(board.commands.all.back()) < 0.1) board.Tick();
  EXPECT_LT(ticks, kScriptTicks);
  EXPECT_EQ(board.commands.all.back().status() & kInside, 0u);
  EXPECT_EQ(board.faults.all.size(), 1u);
  board.Stop();
}

TEST_F(SilentHost, EndsTheBoardWhenItGoesAway) {
  auto qemu = std::make_unique<QemuBoard>(Emulated(QemuLink::kFifo));
  BoardClient client(qemu->transport(), nullptr);
  client.set_patience(kPatience);
  client.Hello();
  qemu->CloseLink();
  EXPECT_LT(qemu->Wait(kPatience), 128) << "the board had to be killed";
}

}  // namespace
}  // namespace tactus::host
