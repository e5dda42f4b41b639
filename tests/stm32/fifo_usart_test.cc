#include "tests/stm32/uart_rig.h"

// Source: RM0433 48, RM0440 37 (USART): the last words, and drivers that are wrong on purpose.

namespace tactus::hal::stm32::uart {
namespace {

TEST(UsartClockOf, HasTheBaudRateOfTheLine) {  // to half a per cent: DS12110 and DS12589 leave 2 for the oscillators
  for (const std::uint32_t bus_Hz : {120'000'000u, 170'000'000u})
    EXPECT_NEAR(bus_Hz / static_cast<double>(BaudWord({bus_Hz})), model::kLineBaud, 0.005 * model::kLineBaud);
}

TEST(SendPastQueues, SendsTheLastWordsWhateverTheLinkDoes) {
  const std::vector<std::uint8_t> words = Bytes(13, 100);
  for (const bool started : {false, true}) {
    DmaRig<H7Line> rig;
    if (!started) rig.usart.regs().cr1.bits = 0;
    rig.usart.accesses_a_byte = 50;
    const std::size_t before = rig.machine.accesses;
    SendPastQueues(rig.usart.regs(), words);
    EXPECT_LT(rig.machine.accesses - before, words.size() * 52);  // a wait ends with the room
    rig.usart.Send(8);
    EXPECT_EQ(rig.usart.sent, words);
    EXPECT_FALSE(rig.usart.interrupts());
    EXPECT_TRUE(rig.machine.violations.empty());
  }
}

template <class Line>
void ExpectTheLastWordsPastARun() {
  DmaRig<Line> rig;
  ASSERT_EQ(rig.link.Write(Bytes(200), Lane::kCommand), Status::kOk);
  rig.usart.Send(20);
  rig.usart.accesses_a_byte = 20;
  SendPastQueues(rig.usart.regs(), Bytes(13, 100));
  rig.usart.Send(30);
  std::vector<std::uint8_t> expected = Bytes(28), words = Bytes(13, 100);  // what was in the FIFO leaves first
  expected.insert(expected.end(), words.begin(), words.end());
  EXPECT_EQ(rig.usart.sent, expected);
  EXPECT_TRUE(rig.machine.violations.empty());
}

TEST(SendPastQueues, SendsTheLastWordsInOnePiecePastARunOfTheDma) {
  ExpectTheLastWordsPastARun<H7Line>();
  ExpectTheLastWordsPastARun<G4Line>();
}

TEST(SendPastQueues, EndsOnALineThatTakesNothing) {
  DmaRig<H7Line> rig;
  SendPastQueues(rig.usart.regs(), std::vector<std::uint8_t>(10, 1));
  EXPECT_LT(rig.machine.accesses, 10u * 110'000);
  EXPECT_TRUE(rig.usart.sent.empty());
}

TEST(FifoUsartModel, FindsADriverThatReadsNothingOrSetsUpWhileItRuns) {
  DmaRig<H7Line> rig;
  (void)static_cast<std::uint32_t>(rig.usart.regs().rdr);
  rig.usart.regs().brr = 1;
  rig.usart.regs().cr3 = 1u | 1u << 6 | 1u << 13;
  rig.Receive(Bytes(1, 7));
  EXPECT_EQ(ReadAll(rig.link), Bytes(1, 7));  // at the baud rate of before
  EXPECT_EQ(rig.machine.violations,
            (std::vector<std::string>{"USART3: read where there was nothing", "USART3: BRR written while enabled",
                                      "USART3: OVRDIS or DDRE written while enabled"}));
}

// A link whose DMA is cut off by the first byte with an error hears nothing behind it, until the error is cleared.
TEST(FifoUsartModel, HoldsBackWhatIsBehindAnErrorWithDdre) {
  DmaRig<H7Line> rig;
  rig.usart.regs().cr1.bits &= ~1u;
  rig.usart.regs().cr3 = 1u | 1u << 6 | 1u << 13;
  rig.usart.regs().cr1.bits |= 1u;
  rig.usart.Break();
  rig.Receive(Bytes(3), false);
  EXPECT_TRUE(ReadAll(rig.link).empty());
  rig.Serve();
  rig.Receive(Bytes(1, 4));
  EXPECT_EQ(ReadAll(rig.link), Bytes(4));
}

// A stream without TRBUFF, with it for a converter, and another request while it runs.
TEST(H7DmaModel, FindsAStreamThatLocksUpAndARequestThatIsChangedWhileItIsServed) {
  DmaRig<H7Line> rig;
  rig.dma.regs().stream[H7Line::kReceive].cr.bits &= ~h7::kBufferable;
  rig.usart.Receive(7);
  EXPECT_TRUE(ReadAll(rig.link).empty());
  rig.dma.regs().stream[H7Line::kReceive].cr.bits |= h7::kBufferable;
  rig.mux.regs().ccr[H7Line::kReceive] = model::H7DmaModel::kAdc1;
  EXPECT_FALSE(rig.dma.FromPeripheral(model::H7DmaModel::kAdc1, rig.usart.regs().rdr, 1));
  EXPECT_EQ(rig.machine.violations, (std::vector<std::string>{"DMA1: TRBUFF is for USARTs, and they need it",
                                                              "DMAMUX: a request was changed while it was served",
                                                              "DMA1: TRBUFF is for USARTs, and they need it"}));
}

}  // namespace
}  // namespace tactus::hal::stm32::uart
