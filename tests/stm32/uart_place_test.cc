#include "tests/stm32/uart_rig.h"

// A USART that no board of ours uses, as a board of somebody else's may: USART2 of the F405, on DMA1 and the slow bus, which
// an ST-LINK's serial port is wired to. Source: RM0090 table 42 (streams), 7.2 (42 MHz), 30.3.4 (baud rates).

namespace tactus::hal::stm32::uart {
namespace {

struct Usart2Streams {
  static constexpr unsigned kReceive = 5, kSend = 6, kChannel = 4;
};
constexpr std::uint32_t kSlowBus_Hz = 42'000'000;

TEST(UsartClockOf, RefusesABusThatIsHalfAPercentOff) {
  EXPECT_FALSE((DividesToBaud<kSlowBus_Hz, 921'600>));  // 46: 913 043, 0.93 % too slow
  EXPECT_TRUE((DividesToBaud<kSlowBus_Hz, 1'000'000>));
  EXPECT_TRUE((DividesToBaud<45'000'000, 921'600>));   // 49: 918 367, 0.35 %
  EXPECT_FALSE((DividesToBaud<16'000'000, 921'600>));  // 17: 941 176, 2.1 % too fast
}

struct Usart2Rig {
  Usart2Rig() {
    dma.Reach(buffers.ring.data(), kReceiveBytes);
    dma.Reach(buffers.run.data(), buffers.run.size());
    link.Start();
  }
  model::Machine machine;
  model::DmaModel dma{machine, nullptr, "DMA1"};
  model::UsartModel usart{machine, &dma, kSlowBus_Hz, nullptr, {.name = "USART2", .receive = 5, .send = 6, .baud = 1e6}};
  LinkBuffers buffers{};
  f4::DmaUartLink<ModelRegister, Core, Usart2Streams> link{usart.regs(), UsartClockOf<kSlowBus_Hz, 1'000'000>(), dma.regs(),
                                                           buffers};
};

TEST(DmaUartPlace, WorksOnAnotherUsartWithItsStreamsAndItsBaudRate) {
  Usart2Rig rig;
  for (const std::uint8_t byte : Bytes(50)) rig.usart.Receive(byte);
  EXPECT_EQ(ReadAll(rig.link), Bytes(50));
  EXPECT_EQ(rig.link.Write(Bytes(20), Lane::kCommand), Status::kOk);
  rig.usart.Send(30);
  EXPECT_EQ(rig.usart.sent, Bytes(20));
  EXPECT_TRUE(rig.dma.interrupts(6));
  EXPECT_TRUE(rig.machine.violations.empty());
}

TEST(DmaUartPlace, SendsTheLastWordsPastARunOfItsStream) {
  Usart2Rig rig;
  rig.usart.accesses_a_byte = 20;
  ASSERT_EQ(rig.link.Write(Bytes(200), Lane::kCommand), Status::kOk);
  const std::size_t before = rig.machine.accesses;
  f4::SendPastQueues<Usart2Streams>(rig.usart.regs(), rig.dma.regs(), Bytes(13, 100));
  EXPECT_LT(rig.machine.accesses - before, 13u * 22);  // a wait ends with the room
  rig.usart.Send(30);
  ASSERT_GE(rig.usart.sent.size(), 13u);
  EXPECT_EQ(std::vector<std::uint8_t>(rig.usart.sent.end() - 13, rig.usart.sent.end()), Bytes(13, 100));
}

}  // namespace
}  // namespace tactus::hal::stm32::uart
