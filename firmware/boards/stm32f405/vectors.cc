#include "hal/stm32/vectors.h"

#include "hal/stm32/f4/registers.h"

namespace tactus::board {

namespace f4 = hal::stm32::f4;

extern "C" void ClockGuardHandler();
extern "C" void Usart1Handler();
extern "C" void Dma2Stream2Handler();
extern "C" void Dma2Stream7Handler();

extern "C" {
[[gnu::section(".vectors"), gnu::used]] constinit const auto vector_table = hal::stm32::MakeVectors<f4::kInterrupts>({
    {f4::kTim4Interrupt, ClockGuardHandler},
    {f4::kUsart1Interrupt, Usart1Handler},
    {f4::kDma2Stream2Interrupt, Dma2Stream2Handler},
    {f4::kDma2Stream7Interrupt, Dma2Stream7Handler},
});
}

}  // namespace tactus::board
