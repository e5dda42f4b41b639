#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <set>

#include "tests/stm32/machine.h"

namespace tactus::hal::stm32::model {

/// A write whose loss nobody can see, or the loss of bits, with the reason why.
struct Unseen {
  std::string block;
  std::size_t offset;
  std::optional<std::uint32_t> value;  ///< that is written; none: whatever it is
  std::uint32_t bits;                  ///< 0: the whole write
  std::string why;
};

/// The general proof that models and tests bite. Does `is_well` once as it is; then, for each register write of the driver's
/// start (Machine::BeginStart to EndStart), with this write lost, and with each of its bits lost. It has to say no each
/// time.
///
/// @param is_well  makes a rig, starts it, and says whether what was promised is there, or told what is not
/// @param is_meant  of which writes
inline void ExpectEachWriteCounts(
    const std::function<bool()>& is_well, const std::vector<Unseen>& unseen = {},
    const std::function<bool(const Access&)>& is_meant = [](const Access&) { return true; }) {
  Machine::next_fault = {};
  ASSERT_TRUE(is_well()) << "with every write";
  const std::vector<Access> accesses = Machine::last_start;
  std::set<std::string> used;
  int number = -1;
  for (const Access& access : accesses) {
    ++number;
    if (!is_meant(access)) continue;
    std::vector<std::uint32_t> losses{0};
    for (std::uint32_t bit = 1; bit != 0; bit <<= 1)
      if ((access.value & bit) != 0) losses.push_back(bit);
    for (const std::uint32_t flipped : losses) {
      const auto excused = [&](const Unseen& one) {
        return one.block == access.block && one.offset == access.offset &&
               one.value.value_or(access.value) == access.value &&
               (flipped == 0 ? one.bits == 0 : (one.bits & flipped) != 0);
      };
      const auto excuse = std::find_if(unseen.begin(), unseen.end(), excused);
      Machine::next_fault = {number, flipped};
      const bool seen = !is_well();
      if (excuse != unseen.end()) used.insert(excuse->why);
      EXPECT_NE(seen, excuse != unseen.end())
          << access.block << " + 0x" << std::hex << access.offset << " = 0x" << access.value << ", lost 0x"
          << (flipped == 0 ? access.value : flipped) << std::dec << ", write " << number;
    }
  }
  EXPECT_GT(number, -1);
  for (const Unseen& one : unseen) EXPECT_EQ(used.count(one.why), 1u) << "excused for nothing: " << one.why;
}

}  // namespace tactus::hal::stm32::model
