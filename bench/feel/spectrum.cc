#include "bench/feel/spectrum.h"

#include <array>
#include <cmath>
#include <numbers>

namespace tactus::bench::feel {
namespace {

constexpr std::size_t kSize = Spectrum::kSegment;
constexpr double kTurn_rad = 2 * std::numbers::pi;

/// cos and sin of 2π i / N.
struct Circle {
  std::array<double, kSize> cos{}, sin{};
  Circle() {
    for (std::size_t i = 0; i < kSize; ++i) {
      cos[i] = std::cos(kTurn_rad * static_cast<double>(i) / kSize);
      sin[i] = std::sin(kTurn_rad * static_cast<double>(i) / kSize);
    }
  }
};

/// Mean off, times Hann's window w = (1 - cos(2π i/N)) / 2.
std::array<double, kSize> Windowed(const std::vector<Vec3>& signal, std::size_t first, int component, const Circle& circle) {
  double mean = 0;
  for (std::size_t i = 0; i < kSize; ++i) mean += signal[first + i](component) / kSize;
  std::array<double, kSize> windowed;
  for (std::size_t i = 0; i < kSize; ++i) windowed[i] = (signal[first + i](component) - mean) * (1 - circle.cos[i]) / 2;
  return windowed;
}

}  // namespace

Spectrum::Spectrum(const std::vector<Vec3>& signal) : power_(kSize / 2 + 1, 0.0) {
  if (signal.size() < kSize) return;
  const Circle circle;
  const std::size_t segments = (signal.size() - kSize) / (kSize / 2) + 1;
  constexpr double kWindowPower = 3.0 / 8 * kSize;  // Σ w²
  for (std::size_t segment = 0; segment < segments; ++segment) {
    for (int component = 0; component < 3; ++component) {
      const std::array<double, kSize> x = Windowed(signal, segment * kSize / 2, component, circle);
      for (std::size_t k = 0; k < power_.size(); ++k) {
        double re = 0, im = 0;
        for (std::size_t i = 0, angle = 0; i < kSize; ++i) {
          re += x[i] * circle.cos[angle];
          im -= x[i] * circle.sin[angle];
          angle = angle + k < kSize ? angle + k : angle + k - kSize;
        }
        const double sides = k == 0 || k == kSize / 2 ? 1 : 2;
        power_[k] += sides * (re * re + im * im) / (kSize * kWindowPower * static_cast<double>(segments));
      }
    }
  }
}

double Spectrum::BandRms(double low_Hz, double high_Hz) const {
  double mean_square = 0;
  for (std::size_t k = 0; k < power_.size(); ++k) {
    const double frequency_Hz = static_cast<double>(k) * kBin_Hz;
    if (frequency_Hz >= low_Hz && frequency_Hz <= high_Hz) mean_square += power_[k];
  }
  return std::sqrt(mean_square);
}

std::vector<std::pair<double, double>> Spectrum::Density() const {
  std::vector<std::pair<double, double>> density;
  for (std::size_t k = 1; k < power_.size(); ++k) {
    density.emplace_back(static_cast<double>(k) * kBin_Hz, std::sqrt(power_[k] / kBin_Hz));
  }
  return density;
}

std::complex<double> Phasor(const std::vector<double>& signal, double frequency_Hz) {
  std::complex<double> sum = 0;
  for (std::size_t i = 0; i < signal.size(); ++i) {
    sum += signal[i] * std::polar(1.0, -kTurn_rad * frequency_Hz * static_cast<double>(i) / 1000.0);
  }
  return 2.0 * sum / static_cast<double>(signal.size());
}

}  // namespace tactus::bench::feel
