#pragma once
#include <string>

namespace tactus::bench {

/// A figure with its goal. What is not finite misses every goal. A binding goal that is not met makes the bench fail; one of
/// speed does not, for the machine has its say in it.
struct Check {
  std::string name;
  double value = 0;
  std::string unit;
  std::string goal;  ///< "<= 5"; "stated": any finite value is good
  bool met = false;
  bool binding = true;
};

Check AtMost(double bound, std::string name, double value, std::string unit);
Check Below(double bound, std::string name, double value, std::string unit);
Check AtLeast(double bound, std::string name, double value, std::string unit);
Check Above(double bound, std::string name, double value, std::string unit);
/// A goal of speed: at most, and not binding.
Check Speed(double bound, std::string name, double value, std::string unit);
Check Stated(std::string name, double value, std::string unit);

}  // namespace tactus::bench
