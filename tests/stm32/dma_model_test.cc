#include <gtest/gtest.h>

#include "hal/stm32/dma_stream.h"
#include "tests/stm32/dma_model.h"

// Source: RM0090 10 (DMA): the flags of a stream, and drivers that are wrong on purpose.

namespace tactus::hal::stm32 {
namespace {

// RM0090 10.5.1 to 10.5.4: streams 0 to 3 in the low registers, 4 to 7 in the high ones.
TEST(DmaStream, SeesAndClearsTheFlagsOfItsOwnStreamOnly) {
  for (unsigned number = 0; number < 8; ++number) {
    model::Machine machine;
    model::DmaModel dma(machine);
    for (unsigned other = 0; other < 8; ++other)
      if (other != number) dma.LeaveUsed(other);
    const DmaStream<model::ModelRegister> stream(dma.regs(), number);
    EXPECT_EQ(stream.Flags(), 0u) << number;
    dma.LeaveUsed(number);
    EXPECT_EQ(stream.Flags(), 0x3Du) << number;
    stream.ClearFlags();
    for (unsigned other = 0; other < 8; ++other) EXPECT_EQ(dma.Flags(other), other == number ? 0u : 0x3Du) << number;
  }
}

TEST(DmaModel, FindsAStreamThatIsChangedWhileItRunsOrStartedWithItsFlags) {
  model::Machine machine;
  model::DmaModel dma(machine);
  dma.regs().stream[7].cr = stream::kEnable;
  dma.regs().stream[7].ndtr = 3;
  EXPECT_EQ(static_cast<std::uint32_t>(dma.regs().stream[7].ndtr), 0u);  // not taken
  dma.regs().stream[2].ndtr = 1;
  dma.regs().lisr.bits = 1u << 21;  // TCIF2
  dma.regs().stream[2].cr = stream::kEnable;
  EXPECT_FALSE(dma.runs(2));
  dma.regs().lifcr = 1u << 21;
  dma.regs().stream[2].cr = stream::kEnable | stream::kCircular;
  EXPECT_EQ(machine.violations, (std::vector<std::string>{"DMA2: a stream was changed while it ran",
                                                          "DMA2: a stream was started with its flags set",
                                                          "DMA2: a stream was set up by the write that starts it"}));
}

TEST(DmaModel, FindsADriverThatDoesNotWaitUntilItsStreamHasStopped) {
  model::Machine machine;
  model::DmaModel dma(machine);
  dma.LeaveUsed(2);
  dma.regs().stream[2].cr = 0;
  dma.regs().stream[2].ndtr = 3;
  EXPECT_EQ(machine.violations, std::vector<std::string>{"DMA2: a stream was changed while it ran"});
}

}  // namespace
}  // namespace tactus::hal::stm32
