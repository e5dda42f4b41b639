#pragma once
#include <cstdint>

namespace tactus {

// Scalar functions that compile to instructions, never to calls into libm: libm's results differ between platforms.

template <class Scalar>
inline constexpr Scalar kPi = Scalar(3.14159265358979323846);
template <class Scalar>
inline constexpr Scalar kTurn_rad = Scalar(6.28318530717958647693);  ///< of a whole turn, 2π

template <class Scalar>
constexpr Scalar Min(Scalar a, Scalar b) {
  return b < a ? b : a;
}
template <class Scalar>
constexpr Scalar Max(Scalar a, Scalar b) {
  return a < b ? b : a;
}
template <class Scalar>
constexpr Scalar Clamp(Scalar x, Scalar low, Scalar high) {
  return Min(Max(x, low), high);
}
constexpr double Abs(double x) { return __builtin_fabs(x); }
constexpr float Abs(float x) { return __builtin_fabsf(x); }

// FPv5 with double precision (Cortex-M7) has maximum and minimum as instructions; there is no feature macro for them.
#if defined(__ARM_ARCH_7EM__) && (__ARM_FP & 8)
#define TACTUS_HAS_VMAXNM 1
#else
#define TACTUS_HAS_VMAXNM 0
#endif

/// Max(a, b) with a ≥ 0 and Min(a, b), of which only b may be NaN and then does not count: the same results as
/// Max and Min everywhere, a zero's sign aside, in one instruction where the processor has it.
inline double MaxNonNegative(double a, double b) { return TACTUS_HAS_VMAXNM ? __builtin_fmax(a, b) : Max(a, b); }
inline float MaxNonNegative(float a, float b) { return TACTUS_HAS_VMAXNM ? __builtin_fmaxf(a, b) : Max(a, b); }
inline double MinPositive(double a, double b) { return TACTUS_HAS_VMAXNM ? __builtin_fmin(a, b) : Min(a, b); }
inline float MinPositive(float a, float b) { return TACTUS_HAS_VMAXNM ? __builtin_fminf(a, b) : Min(a, b); }

/// √x, correctly rounded on every target (IEEE 754). x ≥ 0.
inline double Sqrt(double x) { return __builtin_sqrt(x); }
inline float Sqrt(float x) { return __builtin_sqrtf(x); }

/// The largest whole number that is not above x. |x| < 2³¹. (A Cortex-M4F has no instruction for it.)
template <class Scalar>
constexpr Scalar Floor(Scalar x) {
  const Scalar towards_zero = static_cast<Scalar>(static_cast<std::int32_t>(x));
  return towards_zero > x ? towards_zero - 1 : towards_zero;
}

/// False for NaN and the infinities.
template <class Scalar>
constexpr bool IsFinite(Scalar x) {
  return x - x == Scalar(0);
}

}  // namespace tactus
