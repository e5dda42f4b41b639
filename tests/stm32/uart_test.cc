#include "tests/stm32/uart_rig.h"

// Source: RM0090 10 (DMA), 30 (USART).

namespace tactus::hal::stm32::uart {
namespace {

/// A link by DMA, its interrupts served as the chip would.
struct DmaRig {
  explicit DmaRig(bool used = false) {
    Core::ticks = 0;
    dma.Reach(link.ring(), kReceiveBytes);
    dma.Reach(link.run(), 256);
    if (used) {
      usart.LeaveUsed();
      for (const unsigned stream : {2u, 7u}) dma.LeaveUsed(stream);
    }
    link.Start();
    machine.EndStart();
  }
  void Serve() {
    if (usart.interrupts()) link.OnUartInterrupt();
    if (dma.interrupts(2)) link.OnReceiveInterrupt();
    if (dma.interrupts(7)) link.OnSendInterrupt();
  }
  void Receive(const std::vector<std::uint8_t>& bytes, bool serve = true) {
    for (const std::uint8_t byte : bytes) {
      usart.Receive(byte);
      if (serve) Serve();
    }
  }

  model::Machine machine;
  model::DmaModel dma{machine};
  model::UsartModel usart{machine, &dma, kBus_Hz};
  f4::DmaUartLink<ModelRegister, Core, f4::Usart1Streams> link{usart.regs(), {kBus_Hz}, dma.regs()};
};

TEST(DmaUartLink, HasTheBaudRateWithinATwentiethOfABit) {
  DmaRig rig;
  EXPECT_NEAR(static_cast<double>(kBus_Hz) / rig.usart.regs().brr.bits, 921'600, 921'600 * 0.005);
}

/// Bytes both ways, round the ring, and what line and DMA may do; on blocks that a loader has used: true if all of it is so.
bool DmaLinkIsWell() {
  DmaRig rig(true);
  const std::vector<std::uint8_t> burst = Bytes(200);
  bool well = !rig.usart.interrupts();
  rig.Receive(burst, false);
  well = well && !rig.usart.interrupts() && !rig.dma.interrupts(2) && ReadAll(rig.link) == burst;
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
  rig.dma.Fail(2);
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
  return well && rig.machine.violations.empty();
}

constexpr const char* kBehind = "interrupts: the write that starts the stream has them too";

TEST(DmaUartLink, EachWriteOfItsStartCounts) {
  model::ExpectEachWriteCounts(DmaLinkIsWell, {{"DMA2", 0x10 + 2 * 0x18, 0x0800051C, 0x1C, kBehind}});
}

/// The same for the write that sends a run, which ends whole or fails.
bool RunIsSent(bool fails) {
  DmaRig rig(true);
  rig.machine.BeginStart();
  bool well = rig.link.Write(Bytes(200), Lane::kCommand) == Status::kOk;
  rig.machine.EndStart();
  if (fails) rig.dma.Fail(7);
  rig.usart.Send(300);
  well = well && rig.usart.sent == (fails ? Bytes(0) : Bytes(200));
  rig.Serve();
  return well && rig.link.idle() && rig.link.send_errors() == (fails ? 1 : 0) && rig.machine.violations.empty();
}

TEST(DmaUartLink, EachWriteOfARunCounts) {
  const auto both = [] {
    const model::WriteFault fault = model::Machine::next_fault;
    const bool whole = RunIsSent(false);
    model::Machine::next_fault = fault;
    return RunIsSent(true) && whole;
  };
  constexpr std::size_t kStream7 = 0x10 + 7 * 0x18;
  model::ExpectEachWriteCounts(both, {{"DMA2", kStream7, 0x08000454, 0x14, kBehind},
                                      {"DMA2", kStream7 + 0x14, 0, 0, "a FIFO keeps nothing back of what goes out"}});
}

TEST(DmaUartLink, GoesOnWithADmaThatDoesNotLetGo) {  // without receiving, without sending, and without waiting for ever
  DmaRig rig;
  rig.dma.never_stops = true;
  rig.dma.regs().stream[7].cr.bits |= 1u;
  EXPECT_EQ(rig.link.Write(Bytes(20), Lane::kCommand), Status::kOk);
  EXPECT_EQ(rig.link.send_errors(), 1u);
  EXPECT_TRUE(rig.link.idle());
}

TEST(DmaUartLink, ReceivesABurstWithoutSoftwareAndAsksForATickWhenTheLineIsIdle) {
  DmaRig rig;
  const std::vector<std::uint8_t> burst = Bytes(100);
  const std::size_t accesses = rig.machine.accesses;
  rig.Receive(burst, false);
  EXPECT_EQ(rig.machine.accesses, accesses);
  EXPECT_EQ(Core::ticks, 0);
  rig.usart.GoIdle();
  ASSERT_TRUE(rig.usart.interrupts());
  rig.Serve();
  EXPECT_FALSE(rig.usart.interrupts());  // SR, then DR
  EXPECT_EQ(Core::ticks, 1);
  EXPECT_EQ(ReadAll(rig.link), burst);
  EXPECT_TRUE(rig.machine.violations.empty());
}

TEST(DmaUartLink, GoesRoundItsRingManyTimes) {
  DmaRig rig;
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

TEST(DmaUartLink, CountsWhatWasWrittenOverAndKeepsTheNewest) {
  DmaRig rig;
  const std::vector<std::uint8_t> much = Bytes(kReceiveBytes + 500);
  rig.Receive(much);
  EXPECT_EQ(ReadAll(rig.link), std::vector<std::uint8_t>(much.begin() + 500, much.end()));
  EXPECT_EQ(rig.link.counters().receive_overruns, 500u);
}

TEST(DmaUartLink, CountsAnOverrunOfAStalledDmaAndLivesOn) {
  DmaRig rig;
  rig.dma.stalled = true;
  rig.Receive(Bytes(2), false);
  EXPECT_TRUE(rig.usart.interrupts());
  rig.Serve();
  EXPECT_FALSE(rig.usart.interrupts());
  EXPECT_EQ(rig.link.counters().receive_overruns, 1u);
  rig.dma.stalled = false;
  rig.Receive(Bytes(5));
  EXPECT_EQ(ReadAll(rig.link), Bytes(5));
}

TEST(DmaUartLink, ABreakOnTheLineDoesNotInterruptForEver) {
  DmaRig rig;
  rig.usart.Break();
  ASSERT_TRUE(rig.usart.interrupts());
  rig.Serve();
  EXPECT_FALSE(rig.usart.interrupts());
  (void)ReadAll(rig.link);
  rig.Receive(Bytes(5));
  EXPECT_EQ(ReadAll(rig.link), Bytes(5));
}

TEST(DmaUartLink, StartsAReceivingStreamAgainThatHasFailed) {
  DmaRig rig;
  rig.Receive(Bytes(7));
  (void)ReadAll(rig.link);
  rig.dma.Fail(2);
  rig.Serve();
  EXPECT_TRUE(rig.dma.runs(2));
  EXPECT_EQ(rig.link.counters().receive_overruns, 1u);
  rig.Receive(Bytes(40, 9));
  EXPECT_EQ(ReadAll(rig.link), Bytes(40, 9));
}

TEST(DmaUartLink, SendsFramesInOrderWholeAndRefusesWhatDoesNotFit) {
  DmaRig rig;
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
  EXPECT_EQ(rig.usart.sent, expected);
  EXPECT_TRUE(rig.machine.violations.empty()) << rig.machine.violations[0];
}

TEST(DmaUartLink, StopsItsStreamAndItsInterruptBehindTheLastByte) {
  DmaRig rig;
  ASSERT_EQ(rig.link.Write(Bytes(20), Lane::kCommand), Status::kOk);
  rig.usart.Send(7);
  rig.link.OnSendInterrupt();  // without a flag: nothing has happened
  EXPECT_FALSE(rig.link.idle());
  rig.usart.Send(13);
  EXPECT_EQ(rig.usart.sent, Bytes(20));
  rig.Serve();
  EXPECT_FALSE(rig.dma.interrupts(7));  // or it comes again at once, for ever
  EXPECT_FALSE(rig.dma.runs(7));
  EXPECT_TRUE(rig.link.idle());
}

TEST(DmaUartLink, AsksForNoTickWhereNothingHasHappened) {
  DmaRig rig;
  rig.Receive(Bytes(5), false);
  rig.link.OnUartInterrupt();
  EXPECT_EQ(Core::ticks, 0);
}

TEST(DmaUartLink, CountsWhatItSendsAndWhatItRefuses) {
  DmaRig rig;
  ASSERT_EQ(rig.link.Write(Bytes(20), Lane::kCommand), Status::kOk);
  EXPECT_EQ(rig.link.Write(std::vector<std::uint8_t>(kSendBytes + 1), Lane::kCommand), Status::kWouldBlock);
  EXPECT_EQ(rig.link.counters().sent_bytes, 20u);
  EXPECT_EQ(rig.link.counters().refused_frames, 1u);
}

TEST(DmaUartLink, GoesOnBehindARunThatCouldNotBeSent) {
  DmaRig rig;
  ASSERT_EQ(rig.link.Write(Bytes(20), Lane::kCommand), Status::kOk);
  rig.dma.Fail(7);
  rig.Serve();
  EXPECT_EQ(rig.link.send_errors(), 1u);
  EXPECT_TRUE(rig.link.idle());
  ASSERT_EQ(rig.link.Write(Bytes(20, 50), Lane::kCommand), Status::kOk);
  rig.usart.Send(20);
  EXPECT_EQ(rig.usart.sent, Bytes(20, 50));
}

}  // namespace
}  // namespace tactus::hal::stm32::uart
