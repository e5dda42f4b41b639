#include <gtest/gtest.h>

#include "tests/stm32/each_write.h"
#include "tests/stm32/fifo_usart_model.h"

// Source: RM0433 48, RM0440 37 (USART).

namespace tactus::hal::stm32 {
namespace {

using model::FifoUsartModel;
using model::Machine;
using model::ModelRegister;

constexpr std::uint32_t kBus_Hz = 120'000'000;

struct Core {
  struct Guard {
    Guard() {}
    ~Guard() {}
  };
  static void PendTick() { ++ticks; }
  static void Lock() {}
  static void Unlock() {}
  static inline int ticks = 0;
};

struct LinkRig {
  explicit LinkRig(bool used = false) {
    Core::ticks = 0;
    if (used) usart.LeaveUsed();
    link.Start();
    machine.EndStart();
  }
  void Serve() {
    for (int i = 0; i < 20 && usart.interrupts(); ++i) link.OnInterrupt();
  }
  std::vector<std::uint8_t> ReadAll() {
    std::vector<std::uint8_t> room(4096);
    std::size_t count = 0;
    EXPECT_EQ(link.Read(room, &count), Status::kOk);
    room.resize(count);
    return room;
  }
  Machine machine;
  FifoUsartModel usart{machine, "USART3", kBus_Hz};
  FifoUartLink<ModelRegister, Core> link{usart.regs(), {kBus_Hz}};
};

TEST(FifoUartLink, ReceivesCountsAnOverrunAndAsksForATick) {
  LinkRig rig;
  for (std::uint8_t byte = 1; byte <= 10; ++byte) rig.usart.Receive(byte);  // eight have room
  rig.Serve();
  EXPECT_EQ(rig.ReadAll(), (std::vector<std::uint8_t>{1, 2, 3, 4, 5, 6, 7, 8}));
  EXPECT_EQ(rig.link.counters().receive_overruns, 1u);
  EXPECT_EQ(Core::ticks, 0);
  rig.usart.Receive(0);
  rig.usart.GoIdle();
  rig.Serve();
  EXPECT_FALSE(rig.usart.interrupts());
  EXPECT_EQ(Core::ticks, 2);
  EXPECT_TRUE(rig.machine.violations.empty());
}

/// Bytes both ways, bursts of a whole FIFO, what the line may do; on a block that a loader has used: true if all of it is
/// so.
bool LinkIsWell() {
  LinkRig rig(true);
  const std::vector<std::uint8_t> burst{9, 8, 7, 6, 5, 4, 3, 2};
  for (const std::uint8_t byte : burst) rig.usart.Receive(byte);
  bool well = rig.usart.interrupts() && (rig.usart.State() & fifo_usart::kErrors) == 0;
  rig.Serve();
  well = well && Core::ticks == 0 && rig.ReadAll() == burst;
  rig.usart.GoIdle();
  well = well && rig.usart.interrupts();
  rig.Serve();
  well = well && Core::ticks == 1;
  rig.usart.Disturb();
  well = well && rig.usart.interrupts();
  rig.Serve();
  well = well && !rig.usart.interrupts() && rig.link.counters().receive_overruns == 0;
  for (int i = 0; i < 9; ++i) rig.usart.Receive(1);
  rig.Serve();
  well = well && rig.link.counters().receive_overruns == 1;
  well = well && rig.link.Write(burst, Lane::kCommand) == Status::kOk && !rig.usart.interrupts();  // all have room
  for (int i = 0; i < 10; ++i) rig.usart.Send();
  return well && rig.usart.sent == burst && rig.machine.violations.empty();
}

TEST(FifoUartLink, EachWriteOfItsStartCounts) { model::ExpectEachWriteCounts(LinkIsWell); }

TEST(FifoUartLink, HasTheBaudRateOfTheLine) {  // to a half of a per cent: DS12110 and DS12589 leave 2 for the oscillators
  for (const std::uint32_t bus_Hz : {120'000'000u, 170'000'000u})
    EXPECT_NEAR(bus_Hz / static_cast<double>(BaudWord({bus_Hz})), model::kLineBaud, 0.005 * model::kLineBaud);
}

TEST(SendPastQueues, SendsTheLastWordsWhateverTheLinkDoes) {
  const std::vector<std::uint8_t> words{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13};
  for (const bool started : {false, true}) {
    LinkRig rig;
    if (!started) rig.usart.regs().cr1.bits = 0;
    rig.usart.accesses_a_byte = 50;
    const std::size_t before = rig.machine.accesses;
    SendPastQueues(rig.usart.regs(), words);
    EXPECT_LT(rig.machine.accesses - before, words.size() * 52);  // a wait ends with the room
    for (int i = 0; i < 8; ++i) rig.usart.Send();
    EXPECT_EQ(rig.usart.sent, words);
    EXPECT_FALSE(rig.usart.interrupts());
    EXPECT_TRUE(rig.machine.violations.empty());
  }
}

TEST(SendPastQueues, EndsOnALineThatTakesNothing) {
  LinkRig rig;
  SendPastQueues(rig.usart.regs(), std::vector<std::uint8_t>(10, 1));
  EXPECT_LT(rig.machine.accesses, 10u * 110'000);
  EXPECT_TRUE(rig.usart.sent.empty());
}

TEST(FifoUartLink, KeepsWhatComesApartFromWhatGoes) {
  LinkRig rig;
  const std::vector<std::uint8_t> frame{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  ASSERT_EQ(rig.link.Write(frame, Lane::kCommand), Status::kOk);
  rig.usart.Receive(77);  // while there is no room to send
  rig.link.OnInterrupt();
  for (int i = 0; i < 20; ++i) {
    rig.usart.Send();
    rig.Serve();
  }
  EXPECT_EQ(rig.usart.sent, frame);
  EXPECT_EQ(rig.ReadAll(), std::vector<std::uint8_t>{77});
  EXPECT_EQ(rig.link.counters().received_bytes, 1u);
  EXPECT_TRUE(rig.machine.violations.empty());
}

TEST(FifoUartLink, ABreakOnTheLineDoesNotInterruptForEver) {
  LinkRig rig;
  rig.usart.Break();
  ASSERT_TRUE(rig.usart.interrupts());
  rig.Serve();
  EXPECT_FALSE(rig.usart.interrupts());
  EXPECT_EQ(rig.ReadAll(), std::vector<std::uint8_t>{0});
}

TEST(FifoUartLink, SendsInOrderAndThenStopsItsInterrupt) {
  LinkRig rig;
  const std::vector<std::uint8_t> frame{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  ASSERT_EQ(rig.link.Write(frame, Lane::kCommand), Status::kOk);
  for (int i = 0; i < 100; ++i) {
    rig.Serve();
    rig.usart.Send();
  }
  EXPECT_EQ(rig.usart.sent, frame);
  EXPECT_TRUE(rig.link.idle());
  EXPECT_FALSE(rig.usart.interrupts());
  EXPECT_TRUE(rig.machine.violations.empty());
}

TEST(FifoUsartModel, FindsADriverThatReadsNothingOrSetsUpWhileItRuns) {
  LinkRig rig;
  (void)static_cast<std::uint32_t>(rig.usart.regs().rdr);
  rig.usart.regs().brr = 1;
  rig.usart.Receive(7);
  EXPECT_EQ(static_cast<std::uint32_t>(rig.usart.regs().rdr), 7u);  // at the baud rate of before
  EXPECT_EQ(rig.machine.violations,
            (std::vector<std::string>{"USART3: read where there was nothing", "USART3: BRR written while enabled"}));
}

}  // namespace
}  // namespace tactus::hal::stm32
