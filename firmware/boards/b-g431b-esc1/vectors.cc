#include "hal/stm32/vectors.h"

#include "hal/stm32/g4/registers.h"

namespace tactus::board {

namespace g4 = hal::stm32::g4;

extern "C" void ClockGuardHandler();
extern "C" void Usart2Handler();
extern "C" void Dma1Channel3Handler();
extern "C" void Dma1Channel4Handler();

extern "C" {
[[gnu::section(".vectors"), gnu::used]] constinit const auto vector_table = hal::stm32::MakeVectors<g4::kInterrupts>({
    {g4::kTim3Interrupt, ClockGuardHandler},
    {g4::kUsart2Interrupt, Usart2Handler},
    {g4::kDma1Channel3Interrupt, Dma1Channel3Handler},
    {g4::kDma1Channel4Interrupt, Dma1Channel4Handler},
});
}

}  // namespace tactus::board
