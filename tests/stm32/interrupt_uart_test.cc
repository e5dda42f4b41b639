#include "tests/stm32/uart_rig.h"

// Source: RM0090 30 (USART).

namespace tactus::hal::stm32::uart {
namespace {

struct InterruptRig {
  explicit InterruptRig(bool used = false) {
    Core::ticks = 0;
    if (used) LeaveUsed();
    link.Start();
    machine.EndStart();
  }
  /// With a stream that takes the bytes.
  void LeaveUsed() {
    usart.LeaveUsed();
    dma.Reach(stray, 1);
    dma.regs().stream[2].cr.bits = 1u | 4u << 25;
    dma.regs().stream[2].par.bits = dma.Low(&usart.regs().dr);
    dma.regs().stream[2].m0ar.bits = dma.Low(stray);
  }
  void Serve() {
    for (int i = 0; i < 10 && usart.interrupts(); ++i) link.OnInterrupt();
  }
  std::uint8_t stray[1] = {};
  model::Machine machine;
  model::DmaModel dma{machine};
  model::UsartModel usart{machine, &dma, kBus_Hz};
  f4::InterruptUartLink<ModelRegister, Core> link{usart.regs(), {kBus_Hz}};
};

TEST(InterruptUartLink, ReceivesAndAsksForATickAtTheEndOfAFrame) {
  InterruptRig rig;
  for (const std::uint8_t byte : std::vector<std::uint8_t>{1, 2, 3, 0}) {
    EXPECT_EQ(Core::ticks, 0);
    rig.usart.Receive(byte);
    rig.Serve();
  }
  EXPECT_EQ(Core::ticks, 1);
  EXPECT_EQ(ReadAll(rig.link), (std::vector<std::uint8_t>{1, 2, 3, 0}));
}

TEST(InterruptUartLink, CountsAnOverrunAndKeepsTheByteThatCameFirst) {
  InterruptRig rig;
  rig.usart.Receive(1);
  rig.usart.Receive(2);  // lost
  rig.Serve();
  EXPECT_FALSE(rig.usart.interrupts());
  EXPECT_EQ(rig.link.counters().receive_overruns, 1u);
  rig.usart.Receive(3);
  rig.Serve();
  EXPECT_EQ(ReadAll(rig.link), (std::vector<std::uint8_t>{1, 3}));
  EXPECT_EQ(rig.link.counters().receive_overruns, 1u);
}

// RM0090 30.3.3: a byte that is lost between the handler's read of SR and that of DR leaves ORE without RXNE.
TEST(InterruptUartLink, AnOverrunWithoutAByteDoesNotInterruptForEver) {
  InterruptRig rig;
  rig.usart.regs().sr.bits |= 1u << 3;  // ORE
  ASSERT_TRUE(rig.usart.interrupts());
  rig.Serve();
  EXPECT_FALSE(rig.usart.interrupts());
  EXPECT_EQ(rig.link.counters().receive_overruns, 1u);
}

TEST(InterruptUartLink, SendsOneByteARoomAndThenStopsItsInterrupt) {
  InterruptRig rig;
  ASSERT_EQ(rig.link.Write(Bytes(50), Lane::kCommand), Status::kOk);
  for (int i = 0; i < 100; ++i) {
    rig.usart.Send(1);
    rig.Serve();
  }
  EXPECT_EQ(rig.usart.sent, Bytes(50));
  EXPECT_TRUE(rig.link.idle());
  EXPECT_FALSE(rig.usart.interrupts());
  EXPECT_TRUE(rig.machine.violations.empty());
}

bool InterruptLinkIsWell() {
  InterruptRig rig(true);
  rig.usart.Receive(0);
  bool well = rig.usart.interrupts();
  rig.Serve();
  well = well && ReadAll(rig.link) == std::vector<std::uint8_t>{0} && Core::ticks == 1;
  well = well && rig.link.Write(Bytes(20), Lane::kCommand) == Status::kOk;
  for (int i = 0; i < 40; ++i) {
    rig.usart.Send(1);
    rig.Serve();
  }
  return well && rig.usart.sent == Bytes(20) && rig.link.idle() && rig.machine.violations.empty();
}

TEST(InterruptUartLink, EachWriteOfItsStartCounts) { model::ExpectEachWriteCounts(InterruptLinkIsWell); }

TEST(InterruptUartLink, KeepsWhatComesApartFromWhatGoes) {
  InterruptRig rig;
  ASSERT_EQ(rig.link.Write(Bytes(5), Lane::kCommand), Status::kOk);
  rig.usart.Receive(77);  // while there is no room to send
  rig.Serve();
  for (int i = 0; i < 10; ++i) {
    rig.usart.Send(1);
    rig.Serve();
  }
  EXPECT_EQ(rig.usart.sent, Bytes(5));
  EXPECT_EQ(ReadAll(rig.link), std::vector<std::uint8_t>{77});
  EXPECT_EQ(rig.link.counters().received_bytes, 1u);
  EXPECT_TRUE(rig.machine.violations.empty());
}

TEST(InterruptUartLink, ABreakOnTheLineDoesNotInterruptForEver) {
  InterruptRig rig;
  rig.usart.Break();
  ASSERT_TRUE(rig.usart.interrupts());
  rig.Serve();
  EXPECT_FALSE(rig.usart.interrupts());
}

TEST(UsartModel, FindsADriverThatReadsOnlyDataOrWritesWithoutRoom) {
  InterruptRig rig;
  rig.usart.Receive(1);
  rig.usart.Receive(2);
  (void)static_cast<std::uint32_t>(rig.usart.regs().dr);  // SR not read: the overrun stays, and interrupts for ever
  EXPECT_TRUE(rig.usart.interrupts());
  rig.usart.regs().dr = 'a';
  rig.usart.regs().dr = 'b';
  EXPECT_EQ(rig.machine.violations, std::vector<std::string>{"USART1: a byte was written where there was no room"});
}

}  // namespace
}  // namespace tactus::hal::stm32::uart
