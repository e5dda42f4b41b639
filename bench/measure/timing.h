#pragma once
#include <algorithm>
#include <chrono>
#include <vector>

namespace tactus::bench {

/// How well a time is measured.
struct Timing {
  int samples = 7;            ///< the median of so many is taken
  double sample_ns = 20'000;  ///< least length of a sample: shorter calls are repeated within it
  double longest_ns = 3e8;    ///< of all samples: what takes long is measured less often, but at least once
};

/// Median time of one call of `work`, in nanoseconds.
template <class Work>
double MedianNanoseconds(const Timing& timing, Work&& work) {
  using Clock = std::chrono::steady_clock;
  const auto run = [&work](long calls) {
    const Clock::time_point start = Clock::now();
    for (long i = 0; i < calls; ++i) work();
    return std::chrono::duration<double, std::nano>(Clock::now() - start).count() / static_cast<double>(calls);
  };
  const double first = run(1);  // also fetches code and data
  if (first > timing.longest_ns) return first;
  const long calls = std::max(1L, static_cast<long>(timing.sample_ns / std::max(run(1), 1.0)) + 1);
  const double all_ns = static_cast<double>(calls) * first * timing.samples;
  const int samples =
      all_ns <= timing.longest_ns ? timing.samples : std::max(1, static_cast<int>(timing.longest_ns / first));
  std::vector<double> times;
  for (int i = 0; i < std::min(samples, timing.samples); ++i) times.push_back(run(calls));
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

/// Keeps the compiler from leaving out what computes `value`.
template <class Value>
void Keep(const Value& value) {
  asm volatile("" : : "r"(&value) : "memory");
}

}  // namespace tactus::bench
