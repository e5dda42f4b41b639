namespace tactus::internal {

/// center + radius (cos · u + sin · v), in S.
template <class Scalar>
struct Circle {
  Vec<Scalar, 3> center_m;
  Vec<Scalar, 3> u, v;
  Scalar radius_m;

  // Inlined: each scan makes twelve points, each minimum fifteen more.
  [[gnu::always_inline]] Vec<Scalar, 3> FromCenter(const CircleDirection<Scalar>& direction) const {
    return {radius_m * (direction.cos * u(0) + direction.sin * v(0)),
            radius_m * (direction.cos * u(1) + direction.sin * v(1)),
            radius_m * (direction.cos * u(2) + direction.sin * v(2))};
  }
  Vec<Scalar, 3> Point(const CircleDirection<Scalar>& direction) const { return center_m + FromCenter(direction); }
};

/// A circle and its points at the kCircleSamples directions, for all surfaces that it is held against.
template <class Scalar>
struct SampledCircle : Circle<Scalar> {
  explicit SampledCircle(const Circle<Scalar>& circle) : Circle<Scalar>(circle) {
    constexpr int kHalf = kCircleSamples / 2;
    for (int i = 0; i < kHalf; ++i) {
      const Vec<Scalar, 3> from_center_m = this->FromCenter(kHalfCircle<Scalar>[i]);
      sample_m[i] = this->center_m + from_center_m;
      sample_m[i + kHalf] = this->center_m - from_center_m;
    }
  }
  Vec<Scalar, 3> sample_m[kCircleSamples];
};

/// Minima that are less deep than this below their fixed neighbours are not worth a contact of their own.
template <class Scalar>
inline constexpr Scalar kWorthwhile_m = Scalar(1e-7);

/// The gaps of one surface around one circle, and the contacts that follow from them.
template <class Scalar, class Surface, int kCapacity>
class CircleScan {
 public:
  CircleScan(PegFeature feature, const SampledCircle<Scalar>& circle, const Surface& surface, Scalar margin_m,
             ContactSet<Scalar, kCapacity>* contacts)
      : feature_(feature), circle_(circle), surface_(surface), margin_m_(margin_m), contacts_(contacts) {}

  void Run() {
    for (int i = 0; i < kCircleSamples; ++i) gap_m_[i] = surface_.Gap(circle_.sample_m[i]);
    for (int i = 0; i < kCircleSamples; i += 2) {
      fixed_[i / 2] = gap_m_[i] < margin_m_ && AddIfItApplies(i, circle_.sample_m[i]);
    }
    AddMinima();
  }

 private:
  static constexpr int Wrap(int i) { return (i + kCircleSamples) % kCircleSamples; }

  /// @returns whether a contact point came out
  [[gnu::noinline]] bool AddIfItApplies(int number, const Vec<Scalar, 3>& p_S) {
    if (!surface_.Applies(p_S, margin_m_)) return false;
    ContactPoint<Scalar> contact = surface_.Measure(p_S);
    contact.id = static_cast<std::int32_t>(feature_) * kFeatureStride + number;
    contacts_->Add(contact);
    return true;
  }

  /// The two lowest samples that are minima; -1: there is none.
  void FindMinima(int* lowest, int* second) const {
    *lowest = *second = -1;
    Scalar here_m = gap_m_[kCircleSamples - 1], after_m = gap_m_[0];
    for (int i = 0; i < kCircleSamples; ++i) {
      const Scalar before_m = here_m;
      here_m = after_m;
      after_m = gap_m_[i + 1 < kCircleSamples ? i + 1 : 0];
      if (!(here_m < before_m && here_m <= after_m) || Max(before_m, after_m) - here_m < kWorthwhile_m<Scalar>) continue;
      if (*lowest < 0 || here_m < gap_m_[*lowest]) {
        *second = *lowest;
        *lowest = i;
      } else if (*second < 0 || here_m < gap_m_[*second]) {
        *second = i;
      }
    }
  }

  /// The deepest fixed contact next to sample i; the margin where there is none.
  Scalar NeighbourGap(int i) const {
    Scalar gap_m = margin_m_;
    for (int j = i - 1; j <= i + 1; ++j) {
      const int k = Wrap(j);
      if (k % 2 == 0 && fixed_[k / 2]) gap_m = Min(gap_m, gap_m_[k]);
    }
    return gap_m;
  }

  void AddMinima() {
    int minima[2];
    FindMinima(&minima[0], &minima[1]);
    for (int rank = 0; rank < 2 && minima[rank] >= 0; ++rank) {
      const int i = minima[rank];
      if (gap_m_[i] > margin_m_ + circle_.radius_m / 8) continue;  // a minimum lies at most 1 - cos 30° < 1/7 radii below
      const CircleDirection<Scalar> direction =
          RefineMinimum([this](const CircleDirection<Scalar>& d) { return surface_.Gap(circle_.Point(d)); },
                        CircleSample<Scalar>(i), gap_m_[Wrap(i - 1)], gap_m_[Wrap(i + 1)]);
      const Vec<Scalar, 3> p_S = circle_.Point(direction);
      if (surface_.Gap(p_S) < NeighbourGap(i) - kWorthwhile_m<Scalar>) AddIfItApplies(kCircleSamples + rank, p_S);
    }
  }

  PegFeature feature_;
  const SampledCircle<Scalar>& circle_;
  const Surface& surface_;
  Scalar margin_m_;
  ContactSet<Scalar, kCapacity>* contacts_;
  Scalar gap_m_[kCircleSamples];
  bool fixed_[kCircleSamples / 2];
};

template <class Scalar, class Surface, int kCapacity>
void ScanCircle(PegFeature feature, const SampledCircle<Scalar>& circle, const Surface& surface, Scalar margin_m,
                ContactSet<Scalar, kCapacity>* contacts) {
  CircleScan<Scalar, Surface, kCapacity>(feature, circle, surface, margin_m, contacts).Run();
}

/// The peg's edge around `center`. Its direction 0 follows the hole's x axis, not the peg's own turning, so that contacts
/// stay where they are when the peg is twisted; a peg that lies (axis more than 60° off) takes the upward direction instead.
template <class Scalar>
Circle<Scalar> PegEdge(const Vec<Scalar, 3>& center_m, const Vec<Scalar, 3>& z_T_S, Scalar radius_m) {
  const Vec<Scalar, 3> reference = Abs(z_T_S(2)) > Scalar(0.5) ? Vec<Scalar, 3>::UnitX() : Vec<Scalar, 3>::UnitZ();
  const Vec<Scalar, 3> across = reference - reference.dot(z_T_S) * z_T_S;
  const Vec<Scalar, 3> u = across / Norm(across);
  return {.center_m = center_m, .u = u, .v = Cross(z_T_S, u), .radius_m = radius_m};
}

}  // namespace tactus::internal

namespace tactus {

template <class Scalar, int kCapacity>
void CollideEdgeWithHole(int end, const Vec<Scalar, 3>& center_m, const Vec<Scalar, 3>& z_T_S, Scalar radius_m,
                         const PlateWithHole<Scalar>& plate, Scalar margin_m,
                         ContactSet<Scalar, kCapacity>* contacts) noexcept {
  const Scalar tilt = Sqrt(Max(Scalar(0), Scalar(1) - z_T_S(2) * z_T_S(2)));  // sine of the angle between the axes
  const Scalar lowest_m = center_m(2) - radius_m * tilt;
  if (lowest_m > margin_m) return;  // this edge is above the plate
  const internal::SampledCircle<Scalar> edge(internal::PegEdge(center_m, z_T_S, radius_m));
  const Scalar farthest_m = internal::AxisDistance(center_m) + radius_m;  // from the hole's axis, or nearer
  if (lowest_m < -plate.rim_radius_m && farthest_m > plate.hole_radius_m - margin_m) {
    internal::ScanCircle(end == 0 ? PegFeature::kBottomWall : PegFeature::kTopWall, edge,
                         internal::WallSurface<Scalar>{plate}, margin_m, contacts);
  }
  if (lowest_m < -plate.hole_depth_m + margin_m) {
    internal::ScanCircle(end == 0 ? PegFeature::kBottomFloor : PegFeature::kTopFloor, edge,
                         internal::FloorSurface<Scalar>{plate}, margin_m, contacts);
  }
  if (farthest_m > plate.hole_radius_m + plate.rim_radius_m) {
    internal::ScanCircle(end == 0 ? PegFeature::kBottomPlate : PegFeature::kTopPlate, edge,
                         internal::PlateSurface<Scalar>{plate}, margin_m, contacts);
  }
}

template <class Scalar, int kCapacity>
void CollidePegWithHole(const Peg<Scalar>& peg, const PlateWithHole<Scalar>& plate, const Vec<Scalar, 3>& p_ST_m,
                        const Vec<Scalar, 3>& z_T_S, Scalar margin_m, ContactSet<Scalar, kCapacity>* contacts) noexcept {
  const Scalar half_m = peg.length_m / 2;
  const Scalar tilt = Sqrt(Max(Scalar(0), Scalar(1) - z_T_S(2) * z_T_S(2)));  // sine of the angle between the axes

  const Scalar reach_m = half_m * Abs(z_T_S(2)) + peg.radius_m * tilt + margin_m;
  if (p_ST_m(2) > reach_m) return;  // the whole peg is above the plate

  for (int end = 0; end < 2; ++end) {
    const Vec<Scalar, 3> center_m = p_ST_m + (end == 0 ? -half_m : half_m) * z_T_S;
    CollideEdgeWithHole(end, center_m, z_T_S, peg.radius_m, plate, margin_m, contacts);
  }
  const internal::Circle<Scalar> core{.center_m = Vec<Scalar, 3>(Scalar(0), Scalar(0), -plate.rim_radius_m),
                                      .u = Vec<Scalar, 3>::UnitX(),
                                      .v = Vec<Scalar, 3>::UnitY(),
                                      .radius_m = plate.hole_radius_m + plate.rim_radius_m};
  internal::ScanCircle(PegFeature::kRim, internal::SampledCircle<Scalar>(core),
                       internal::RimSurface<Scalar>{peg, plate, p_ST_m, z_T_S}, margin_m, contacts);
}

}  // namespace tactus
