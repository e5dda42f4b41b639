#pragma once
#include <complex>
#include <utility>
#include <vector>

#include "bench/feel/handle.h"

namespace tactus::bench::feel {

/// Power spectrum of a signal sampled at 1 kHz [Welch67]: segments of 500 samples (bins of 2 Hz) that overlap by half, their
/// mean taken off, Hann's window, DFT; the mean of the segments' |X|², one-sided and divided by N Σ w², so that the sum over
/// the bins is the signal's mean square (Parseval). A sine of amplitude A between the bins' edges adds A²/2.
///
/// The signal is a vector; powers of its components add up. Less than one segment: all zero.
class Spectrum {
 public:
  static constexpr int kSegment = 500;
  static constexpr double kBin_Hz = 1000.0 / kSegment;

  explicit Spectrum(const std::vector<Vec3>& signal);

  /// Root of the mean square between the two frequencies, both included.
  double BandRms(double low_Hz, double high_Hz) const;
  /// (frequency [Hz], amplitude density [unit/√Hz])
  std::vector<std::pair<double, double>> Density() const;

 private:
  std::vector<double> power_;  // of bin k, at k kBin_Hz
};

/// The band in which a hand feels texture and hears the motors.
inline constexpr double kNoiseLow_Hz = 100, kNoiseHigh_Hz = 500;

/// Amplitude and phase of the part of `signal` at `frequency_Hz`: z of Re(z exp(jωt)), t = 0 at the first sample. The signal
/// holds a whole number of cycles; then neither its mean nor its harmonics count.
std::complex<double> Phasor(const std::vector<double>& signal, double frequency_Hz);

}  // namespace tactus::bench::feel
