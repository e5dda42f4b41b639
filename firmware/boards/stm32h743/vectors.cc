#include "hal/stm32/vectors.h"

#include "hal/stm32/h7/registers.h"

namespace tactus::board {

namespace h7 = hal::stm32::h7;

extern "C" void ClockGuardHandler();
extern "C" void Usart3Handler();
extern "C" void Dma1Stream1Handler();
extern "C" void Dma1Stream2Handler();

extern "C" {
[[gnu::section(".vectors"), gnu::used]] constinit const auto vector_table = hal::stm32::MakeVectors<h7::kInterrupts>({
    {h7::kTim5Interrupt, ClockGuardHandler},
    {h7::kUsart3Interrupt, Usart3Handler},
    {h7::kDma1Stream1Interrupt, Dma1Stream1Handler},
    {h7::kDma1Stream2Interrupt, Dma1Stream2Handler},
});
}

}  // namespace tactus::board
