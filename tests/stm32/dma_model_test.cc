#include <gtest/gtest.h>

#include "tests/stm32/dma_model.h"

// Source: RM0090 10 (DMA): drivers that are wrong on purpose.

namespace tactus::hal::stm32 {
namespace {

TEST(DmaModel, FindsAStreamThatIsChangedWhileItRunsOrStartedWithItsFlags) {
  model::Machine machine;
  model::DmaModel dma(machine);
  dma.regs().stream[7].cr = f4::dma::kEnable;
  dma.regs().stream[7].ndtr = 3;
  EXPECT_EQ(static_cast<std::uint32_t>(dma.regs().stream[7].ndtr), 0u);  // not taken
  dma.regs().stream[2].ndtr = 1;
  dma.regs().lisr.bits = 1u << 21;  // TCIF2
  dma.regs().stream[2].cr = f4::dma::kEnable;
  EXPECT_FALSE(dma.runs(2));
  dma.regs().lifcr = 1u << 21;
  dma.regs().stream[2].cr = f4::dma::kEnable | f4::dma::kCircular;
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
