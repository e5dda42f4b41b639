#pragma once
#include <fmt/core.h>

#include <cmath>
#include <string>

namespace tactus::host {

/// A number in so few digits as tell it from each of two others; six where they need no more.
inline std::string DigitsBeside(double value, double one, double other, double shown) {
  const auto text = [](double x, int digits) { return fmt::format("{:.{}g}", x, digits); };
  const auto looks_like = [&](double x, int digits) { return x != value && text(x, digits) == text(value, digits); };
  int digits = 6;
  while (digits < 17 && (looks_like(one, digits) || looks_like(other, digits))) ++digits;
  return text(shown, digits);
}

/// "10000001 is out of range: 100 to 10000000": a value never looks like the bound that it passes.
inline std::string OutOfRange(double value, double low, double high) {
  if (!std::isfinite(value)) return fmt::format("{:g} is not finite; its range is {:g} to {:g}", value, low, high);
  const auto shown = [&](double x) { return DigitsBeside(value, low, high, x); };
  return fmt::format("{} is out of range: {} to {}", shown(value), shown(low), shown(high));
}

}  // namespace tactus::host
