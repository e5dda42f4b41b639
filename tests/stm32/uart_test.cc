#include "tests/stm32/uart_rig.h"

// Source: RM0090 10 (DMA), 30 (USART); RM0433 15, 17, 48; RM0440 12, 13, 37.

namespace tactus::hal::stm32::uart {
namespace {

/// The links of the three families, which do the same.
template <class Line>
class DmaUartLink : public testing::Test {};
struct NamesOfFamilies {
  template <class Line>
  static std::string GetName(int) {
    return std::is_same_v<Line, F4Line> ? "F4" : std::is_same_v<Line, H7Line> ? "H7" : "G4";
  }
};
using Families = testing::Types<F4Line, H7Line, G4Line>;
TYPED_TEST_SUITE(DmaUartLink, Families, NamesOfFamilies);

TYPED_TEST(DmaUartLink, HasTheBaudRateWithinATwentiethOfABit) {
  DmaRig<TypeParam> rig;
  EXPECT_NEAR(static_cast<double>(TypeParam::kBus_Hz) / rig.usart.regs().brr.bits, 921'600, 921'600 * 0.005);
}

/// Bytes both ways, round the ring, and what line and DMA may do; on blocks that a loader has used: true if all of it is so.
template <class Line>
bool DmaLinkIsWell() {
  DmaRig<Line> rig(true);
  const std::vector<std::uint8_t> burst = Bytes(200);
  bool well = !rig.usart.interrupts();
  rig.Receive(burst, false);
  well = well && !rig.usart.interrupts() && !rig.dma.interrupts(Line::kReceive) && ReadAll(rig.link) == burst;
  rig.usart.GoIdle();
  well = well && rig.usart.interrupts();
  rig.Serve();
  rig.usart.Disturb();
  well = well && rig.usart.interrupts();
  rig.Serve();
  well = well && Core::ticks == 2 && !rig.usart.interrupts();
  for (int half = 0; half < 2; ++half) {  // the ring's halves: each asks for a tick
    rig.Receive(Bytes(kReceiveBytes / 2));
    well = well && Core::ticks == 3 + half && ReadAll(rig.link) == Bytes(kReceiveBytes / 2);
  }
  rig.dma.Fail(Line::kReceive);
  rig.Serve();
  rig.Receive(burst);
  well = well && ReadAll(rig.link) == burst && rig.link.counters().receive_overruns == 1;
  for (int turn = 0; turn < 2; ++turn) {
    well = well && rig.link.Write(burst, Lane::kCommand) == Status::kOk;
    rig.usart.sent.clear();
    rig.usart.Send(300);
    well = well && rig.usart.sent == burst && !rig.link.idle();
    rig.Serve();
    well = well && rig.link.idle();
  }
  if (Line::kPlaces > 1) {  // the FIFO's patience
    rig.dma.stalled = true;
    rig.Receive(Bytes(Line::kPlaces), false);
    rig.dma.stalled = false;
    rig.Receive(Bytes(1, Line::kPlaces + 1));
    well = well && ReadAll(rig.link) == Bytes(Line::kPlaces + 1) && rig.link.counters().receive_overruns == 1;
  }
  return well && rig.machine.violations.empty();
}

TYPED_TEST(DmaUartLink, EachWriteOfItsStartCounts) {
  model::ExpectEachWriteCounts(DmaLinkIsWell<TypeParam>, TypeParam::UnseenOfStart());
}

/// The same for the write that sends a run, which ends whole or fails.
template <class Line>
bool RunIsSent(bool fails) {
  DmaRig<Line> rig(true);
  rig.dma.LeaveUsed(Line::kSend);
  rig.machine.BeginStart();
  bool well = rig.link.Write(Bytes(200), Lane::kCommand) == Status::kOk;
  rig.machine.EndStart();
  if (fails) rig.dma.Fail(Line::kSend);
  rig.usart.Send(300);
  well = well && rig.usart.sent == (fails ? Bytes(0) : Bytes(200));
  rig.Serve();
  return well && rig.link.idle() && rig.link.send_errors() == (fails ? 1 : 0) && rig.machine.violations.empty();
}

TYPED_TEST(DmaUartLink, EachWriteOfARunCounts) {
  const auto both = [] {
    const model::WriteFault fault = model::Machine::next_fault;
    const bool whole = RunIsSent<TypeParam>(false);
    model::Machine::next_fault = fault;
    return RunIsSent<TypeParam>(true) && whole;
  };
  model::ExpectEachWriteCounts(both, TypeParam::UnseenOfRun());
}

// Without receiving, without sending, and without waiting for ever. A channel of the G431 has stopped when it is told to.
TYPED_TEST(DmaUartLink, GoesOnWithADmaThatDoesNotLetGo) {
  DmaRig<TypeParam> rig;
  if constexpr (requires { rig.dma.never_stops; }) {
    rig.dma.never_stops = true;
    rig.dma.regs().stream[TypeParam::kSend].cr.bits |= 1u;
    EXPECT_EQ(rig.link.Write(Bytes(20), Lane::kCommand), Status::kOk);
    EXPECT_EQ(rig.link.send_errors(), 1u);
    EXPECT_TRUE(rig.link.idle());
  }
}

// A core with a store buffer or a cache's speculation would else let the DMA read what was there before, or read so itself.
TYPED_TEST(DmaUartLink, FencesItsRunFromTheStreamThatReadsItAndTheRingFromTheLookAtIt) {
  DmaRig<TypeParam> rig;
  std::vector<bool> sends, is_there;
  Core::on_fence = [&] {
    sends.push_back(rig.dma.runs(TypeParam::kSend));
    is_there.push_back(rig.buffers.run[0] == 77);
  };
  ASSERT_EQ(rig.link.Write(Bytes(20, 77), Lane::kCommand), Status::kOk);
  EXPECT_EQ(sends, std::vector<bool>{false});
  EXPECT_EQ(is_there, std::vector<bool>{true});
  EXPECT_TRUE(rig.dma.runs(TypeParam::kSend));
  std::size_t looked_at = 0;
  Core::on_fence = [&] { looked_at = rig.machine.accesses; };
  rig.Receive(Bytes(5), false);
  EXPECT_EQ(ReadAll(rig.link), Bytes(5));
  EXPECT_EQ(looked_at, rig.machine.accesses);  // behind the last look at the stream
}

TYPED_TEST(DmaUartLink, ReceivesABurstWithoutSoftwareAndAsksForATickWhenTheLineIsIdle) {
  DmaRig<TypeParam> rig;
  const std::vector<std::uint8_t> burst = Bytes(100);
  const std::size_t accesses = rig.machine.accesses;
  rig.Receive(burst, false);
  EXPECT_EQ(rig.machine.accesses, accesses);
  EXPECT_EQ(Core::ticks, 0);
  rig.usart.GoIdle();
  ASSERT_TRUE(rig.usart.interrupts());
  rig.Serve();
  EXPECT_FALSE(rig.usart.interrupts());
  EXPECT_EQ(Core::ticks, 1);
  EXPECT_EQ(ReadAll(rig.link), burst);
  EXPECT_TRUE(rig.machine.violations.empty());
}

TYPED_TEST(DmaUartLink, GoesRoundItsRingManyTimes) {
  DmaRig<TypeParam> rig;
  std::uint8_t first = 0;
  for (int turn = 0; turn < 100; ++turn) {
    const std::vector<std::uint8_t> burst = Bytes(777, first);
    first = static_cast<std::uint8_t>(first + 777);
    rig.Receive(burst);
    ASSERT_EQ(ReadAll(rig.link), burst) << turn;
  }
  EXPECT_EQ(rig.link.counters().receive_overruns, 0u);
  EXPECT_EQ(rig.link.counters().received_bytes, 77'700u);
}

TYPED_TEST(DmaUartLink, CountsWhatWasWrittenOverAndKeepsTheNewest) {
  DmaRig<TypeParam> rig;
  const std::vector<std::uint8_t> much = Bytes(kReceiveBytes + 500);
  rig.Receive(much);
  EXPECT_EQ(ReadAll(rig.link), std::vector<std::uint8_t>(much.begin() + 500, much.end()));
  EXPECT_EQ(rig.link.counters().receive_overruns, 500u);
}

TYPED_TEST(DmaUartLink, CountsAnOverrunOfAStalledDmaAndLivesOn) {
  DmaRig<TypeParam> rig;
  rig.dma.stalled = true;
  rig.Receive(Bytes(TypeParam::kPlaces), false);
  EXPECT_FALSE(rig.usart.interrupts());
  rig.Receive(Bytes(1), false);
  EXPECT_TRUE(rig.usart.interrupts());
  rig.Serve();
  EXPECT_FALSE(rig.usart.interrupts());
  EXPECT_EQ(rig.link.counters().receive_overruns, 1u);
  rig.dma.stalled = false;
  rig.Receive(Bytes(5));
  std::vector<std::uint8_t> expected = Bytes(TypeParam::kKeptAtOverrun), more = Bytes(5);
  expected.insert(expected.end(), more.begin(), more.end());
  EXPECT_EQ(ReadAll(rig.link), expected);
}

TYPED_TEST(DmaUartLink, ABreakOnTheLineDoesNotInterruptForEver) {
  DmaRig<TypeParam> rig;
  rig.usart.Break();
  ASSERT_TRUE(rig.usart.interrupts());
  rig.Serve();
  EXPECT_FALSE(rig.usart.interrupts());
  (void)ReadAll(rig.link);
  rig.Receive(Bytes(5));
  EXPECT_EQ(ReadAll(rig.link), Bytes(5));
}

TYPED_TEST(DmaUartLink, StartsAReceivingStreamAgainThatHasFailed) {
  DmaRig<TypeParam> rig;
  rig.Receive(Bytes(7));
  (void)ReadAll(rig.link);
  rig.dma.Fail(TypeParam::kReceive);
  rig.Serve();
  EXPECT_TRUE(rig.dma.runs(TypeParam::kReceive));
  EXPECT_EQ(rig.link.counters().receive_overruns, 1u);
  rig.Receive(Bytes(40, 9));
  EXPECT_EQ(ReadAll(rig.link), Bytes(40, 9));
}

TYPED_TEST(DmaUartLink, SendsFramesInOrderWholeAndRefusesWhatDoesNotFit) {
  DmaRig<TypeParam> rig;
  std::vector<std::uint8_t> expected;
  int refused = 0;
  for (int i = 0; i < 30; ++i) {
    const std::vector<std::uint8_t> frame = Bytes(200, static_cast<std::uint8_t>(i));
    if (rig.link.Write(frame, Lane::kTelemetry) == Status::kOk) {
      expected.insert(expected.end(), frame.begin(), frame.end());
    } else {
      ++refused;
    }
  }
  EXPECT_GT(refused, 0);
  EXPECT_EQ(rig.link.Write(Bytes(60, 77), Lane::kCommand), Status::kOk);  // telemetry leaves room for it
  const std::vector<std::uint8_t> command = Bytes(60, 77);
  expected.insert(expected.end(), command.begin(), command.end());
  for (int i = 0; i < 10'000 && !rig.link.idle(); ++i) {
    rig.usart.Send(1);
    rig.Serve();
  }
  EXPECT_TRUE(rig.link.idle());
  rig.usart.Send(TypeParam::kPlaces);  // what its FIFO holds
  EXPECT_EQ(rig.usart.sent, expected);
  EXPECT_TRUE(rig.machine.violations.empty()) << rig.machine.violations[0];
}

TYPED_TEST(DmaUartLink, StopsItsStreamAndItsInterruptBehindTheLastByte) {
  DmaRig<TypeParam> rig;
  ASSERT_EQ(rig.link.Write(Bytes(20), Lane::kCommand), Status::kOk);
  rig.usart.Send(7);
  rig.link.OnSendInterrupt();  // without a flag: nothing has happened
  EXPECT_FALSE(rig.link.idle());
  rig.usart.Send(13);
  EXPECT_EQ(rig.usart.sent, Bytes(20));
  rig.Serve();
  EXPECT_FALSE(rig.dma.interrupts(TypeParam::kSend));  // or it comes again at once, for ever
  rig.usart.Send(20);
  EXPECT_EQ(rig.usart.sent, Bytes(20));
  EXPECT_TRUE(rig.link.idle());
}

TYPED_TEST(DmaUartLink, AsksForNoTickWhereNothingHasHappened) {
  DmaRig<TypeParam> rig;
  rig.Receive(Bytes(5), false);
  rig.link.OnUartInterrupt();
  EXPECT_EQ(Core::ticks, 0);
}

TYPED_TEST(DmaUartLink, CountsWhatItSendsAndWhatItRefuses) {
  DmaRig<TypeParam> rig;
  ASSERT_EQ(rig.link.Write(Bytes(20), Lane::kCommand), Status::kOk);
  EXPECT_EQ(rig.link.Write(std::vector<std::uint8_t>(kSendBytes + 1), Lane::kCommand), Status::kWouldBlock);
  EXPECT_EQ(rig.link.counters().sent_bytes, 20u);
  EXPECT_EQ(rig.link.counters().refused_frames, 1u);
}

TYPED_TEST(DmaUartLink, GoesOnBehindARunThatCouldNotBeSent) {
  DmaRig<TypeParam> rig;
  ASSERT_EQ(rig.link.Write(Bytes(20), Lane::kCommand), Status::kOk);
  rig.dma.Fail(TypeParam::kSend);
  rig.Serve();
  EXPECT_EQ(rig.link.send_errors(), 1u);
  EXPECT_TRUE(rig.link.idle());
  ASSERT_EQ(rig.link.Write(Bytes(20, 50), Lane::kCommand), Status::kOk);
  rig.usart.Send(20);
  EXPECT_EQ(rig.usart.sent, Bytes(20, 50));
}

}  // namespace
}  // namespace tactus::hal::stm32::uart
