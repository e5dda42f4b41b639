#pragma once
#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "hal/stm32/f4/uart_link.h"
#include "tests/stm32/each_write.h"
#include "tests/stm32/usart_model.h"

// What the tests of both links of the F405 have alike.

namespace tactus::hal::stm32::uart {

using model::ModelRegister;

struct Core {
  struct Guard {
    Guard() { ++guards; }
    ~Guard() {}
  };
  static void PendTick() { ++ticks; }
  static void Lock() {}
  static void Unlock() {}
  static inline int ticks = 0, guards = 0;
};

inline constexpr std::uint32_t kBus_Hz = 84'000'000;

inline std::vector<std::uint8_t> Bytes(std::size_t count, std::uint8_t first = 1) {
  std::vector<std::uint8_t> bytes(count);
  std::iota(bytes.begin(), bytes.end(), first);
  return bytes;
}

inline std::vector<std::uint8_t> ReadAll(ByteLink& link) {
  std::vector<std::uint8_t> all, room(300);
  for (std::size_t count = 1; count > 0;) {
    EXPECT_EQ(link.Read(room, &count), Status::kOk);
    all.insert(all.end(), room.begin(), room.begin() + static_cast<std::ptrdiff_t>(count));
  }
  return all;
}

}  // namespace tactus::hal::stm32::uart
