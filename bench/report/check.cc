#include "bench/report/check.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

namespace tactus::bench {
namespace {

Check Judged(std::string name, double value, std::string unit, std::string goal, bool holds) {
  return {std::move(name), value, std::move(unit), std::move(goal), std::isfinite(value) && holds};
}

}  // namespace

Check AtMost(double bound, std::string name, double value, std::string unit) {
  return Judged(std::move(name), value, std::move(unit), fmt::format("<= {:g}", bound), value <= bound);
}
Check Below(double bound, std::string name, double value, std::string unit) {
  return Judged(std::move(name), value, std::move(unit), fmt::format("< {:g}", bound), value < bound);
}
Check AtLeast(double bound, std::string name, double value, std::string unit) {
  return Judged(std::move(name), value, std::move(unit), fmt::format(">= {:g}", bound), value >= bound);
}
Check Above(double bound, std::string name, double value, std::string unit) {
  return Judged(std::move(name), value, std::move(unit), fmt::format("> {:g}", bound), value > bound);
}
Check Speed(double bound, std::string name, double value, std::string unit) {
  Check check = AtMost(bound, std::move(name), value, std::move(unit));
  check.binding = false;
  return check;
}
Check Stated(std::string name, double value, std::string unit) {
  return Judged(std::move(name), value, std::move(unit), "stated", true);
}

}  // namespace tactus::bench
