#pragma once
#include "hal/stm32/registers.h"

namespace tactus::hal::stm32 {

inline constexpr std::uint32_t kPvdLine = 1u << 16;  // of EXTI: RM0090 12.2.5, RM0433 20.4, RM0440 15.3

/// The voltage detector and its interrupt line, which each family has in other places.
template <class R>
struct SupplyDetector {
  R& control;                      ///< of PWR
  std::uint32_t level_mask, word;  ///< its field for the level; the level and the switch
  const R& state;                  ///< of PWR
  std::uint32_t below;             ///< its flag, PVDO
  R &pending, &rising, &mask;      ///< of EXTI
};

/// An interrupt (kPvdInterrupt) when the supply falls below the level. The brown-out reset, which option bytes set, comes
/// below it; this comes first, so that the outputs go off while the core still works.
///
/// The detector is switched on last, and off before: the line sees edges alone, so an output that is high before its edge
/// is chosen, of a supply that is low already or of a loader's detector, would never interrupt.
template <class R>
void WatchSupply(const SupplyDetector<R>& d) {
  d.control = d.control & ~(d.level_mask | d.word);
  d.rising = d.rising | kPvdLine;  // PVDO rises when the supply falls
  d.pending = kPvdLine;
  d.mask = d.mask | kPvdLine;
  d.control = d.control | d.word;
}

/// The supply is below the level now. @pre WatchSupply
template <class R>
bool SupplyIsLow(const SupplyDetector<R>& d) {
  return (d.state & d.below) != 0;
}

}  // namespace tactus::hal::stm32
