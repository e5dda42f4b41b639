#pragma once

namespace tactus::internal {

/// The covering vector c > 0 of [Lloyd04] (17), by row of the LCP: g = 1 + frac(0.618034 row + 0.37 seed)/2, numbers in
/// [1, 1.5) that have nothing to do with the geometry. For such a c no two basic variables tie while z0 > 0 (docs/theory,
/// section 5); it is equal over the directions j of a contact, which Lloyd's appendix B needs. The cones' share is smaller:
/// an iterate leaves its friction cones by at most c_γ z0, and the closer it stays the shorter is the path (peg, n =
/// 16: 17.4 pivots with 1, 14.7 with 0.3, 13.9 with 0.01; n = 32: 23.4, 18.4, 17.3).
template <class Scalar>
class GenericCover {
 public:
  GenericCover() = default;
  /// Another seed gives another path.
  explicit GenericCover(unsigned seed) : offset_(Scalar(0.37) * static_cast<Scalar>(seed % 1000u)) {}

  Scalar Normal(int contact) const { return At(3 * contact + 1); }        ///< c_ν
  Scalar Slip(int contact) const { return At(3 * contact + 2); }          ///< c_σ, for all j
  Scalar Cone(int contact) const { return kCone * At(3 * contact + 3); }  ///< c_γ

  Scalar At(int row) const {
    // Multiples of the golden ratio are spread evenly; 0.37 lies far from them and keeps the seeds apart.
    const Scalar x = Scalar(0.618034) * static_cast<Scalar>(row) + offset_;
    return Scalar(1) + Scalar(0.5) * (x - static_cast<Scalar>(static_cast<int>(x)));
  }

 private:
  static constexpr Scalar kCone = Scalar(0.2);

  Scalar offset_ = Scalar(0);
};

}  // namespace tactus::internal
