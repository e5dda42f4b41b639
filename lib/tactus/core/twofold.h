#pragma once
#include <limits>

#include "tactus/core/scalar.h"

namespace tactus {

/// The unevaluated sum hi + lo, |lo| ≤ ulp(hi)/2: twice the digits of Scalar, with its instructions alone ([Dekker71]; the
/// sums are Knuth's). Needs -ffp-contract=off and round to nearest. Overflows where Scalar's square does.
template <class Scalar>
struct Twofold {
  Scalar hi = Scalar(0), lo = Scalar(0);

  constexpr Twofold() = default;
  constexpr explicit Twofold(Scalar x) : hi(x) {}

  explicit operator Scalar() const { return hi; }

  friend Twofold operator+(const Twofold& a, const Twofold& b) {
    Twofold sum = ExactSum(a.hi, b.hi);
    return Renormalised(sum.hi, sum.lo + (a.lo + b.lo));
  }
  friend Twofold operator-(const Twofold& a) { return Make(-a.hi, -a.lo); }
  friend Twofold operator-(const Twofold& a, const Twofold& b) { return a + (-b); }
  friend Twofold operator*(const Twofold& a, const Twofold& b) {
    const Twofold product = ExactProduct(a.hi, b.hi);
    return Renormalised(product.hi, product.lo + (a.hi * b.lo + a.lo * b.hi));
  }
  friend Twofold operator/(const Twofold& a, const Twofold& b) {
    const Scalar first = a.hi / b.hi;
    const Twofold rest = a - Twofold(first) * b;
    return Renormalised(first, rest.hi / b.hi);
  }
  /// √a by one step of Newton's from √hi. a > 0
  friend Twofold Sqrt(const Twofold& a) {
    const Scalar first = Sqrt(a.hi);
    const Twofold rest = a - ExactProduct(first, first);
    return Renormalised(first, rest.hi / (first + first));
  }

 private:
  static Twofold Make(Scalar hi, Scalar lo) {
    Twofold x;
    x.hi = hi;
    x.lo = lo;
    return x;
  }
  static Twofold Renormalised(Scalar hi, Scalar lo) {
    const Scalar sum = hi + lo;
    return Make(sum, lo - (sum - hi));
  }
  static Twofold ExactSum(Scalar a, Scalar b) {
    const Scalar sum = a + b, part = sum - a;
    return Make(sum, (a - (sum - part)) + (b - part));
  }
  static Twofold ExactProduct(Scalar a, Scalar b) {
    const Scalar a_hi = Upper(a), a_lo = a - a_hi, b_hi = Upper(b), b_lo = b - b_hi, product = a * b;
    return Make(product, ((a_hi * b_hi - product) + a_hi * b_lo + a_lo * b_hi) + a_lo * b_lo);
  }
  // The upper half of the digits of x.
  static Scalar Upper(Scalar x) {
    constexpr int kHalf = (std::numeric_limits<Scalar>::digits + 1) / 2;
    constexpr Scalar kSplitter = static_cast<Scalar>((1u << kHalf) + 1u);
    const Scalar scaled = kSplitter * x;
    return scaled - (scaled - x);
  }
};

}  // namespace tactus
