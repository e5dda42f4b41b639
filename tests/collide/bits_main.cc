// Prints a checksum of the contacts of many random pairs, in both precisions, for same_output.py: the bits may depend
// neither on the optimisation nor on the machine.
#include <cstdio>
#include <cstring>

#include "tactus/collide/collide.h"
#include "tactus/collide/hull_of_points.h"

namespace tactus {
namespace {

/// Whole numbers from a seed; no library's distribution.
class Draws {
 public:
  double Next() {  // in [-1, 1), a multiple of 2^-23
    state_ = state_ * 6364136223846793005U + 1442695040888963407U;
    return static_cast<double>(static_cast<std::int32_t>(state_ >> 40) - (1 << 23)) / (1 << 23);
  }

 private:
  std::uint64_t state_ = 1;
};

template <class Scalar>
struct Checksum {
  std::uint64_t sum = 0;
  int contacts = 0;

  void Take(Scalar x) {
    x += Scalar(0);  // one zero
    std::uint64_t bits = 0;
    std::memcpy(&bits, &x, sizeof x);
    sum = (sum ^ bits) * 1099511628211U;
  }
};

template <class Scalar>
Vec<Scalar, 3> Point(Draws* draws, double scale) {
  const double x = draws->Next(), y = draws->Next(), z = draws->Next();
  return Vec<double, 3>(scale * x, scale * y, scale * z).cast<Scalar>();
}

template <class Scalar>
Mat<Scalar, 3, 3> Rotation(Draws* draws) {
  const double w = draws->Next(), x = draws->Next(), y = draws->Next(), z = draws->Next();
  return RotationMatrix(Normalized(Quaternion<Scalar>(Vec<double, 4>(w, x, y, z).cast<Scalar>())));
}

template <class Scalar>
void Run(const char* name) {
  using Vec3 = Vec<Scalar, 3>;
  Draws draws;
  Vec3 corners[12];
  Hull<Scalar> hull;
  for (int attempt = 0; attempt < 100; ++attempt) {
    for (Vec3& p : corners) {
      const Vec3 d = Point<Scalar>(&draws, 1);
      p = Scalar(0.015) * d / Norm(d);
    }
    if (!MakeHullOfPoints<Scalar>(corners, &hull)) break;
  }
  const Shape<Scalar> shapes[] = {HalfSpaceShape<Scalar>(),
                                  SphereShape<Scalar>(Scalar(0.01)),
                                  CapsuleShape<Scalar>(Scalar(0.005), Scalar(0.01)),
                                  BoxShape<Scalar>(Vec3(Scalar(0.012), Scalar(0.01), Scalar(0.008))),
                                  CylinderShape<Scalar>(Scalar(0.01), Scalar(0.01)),
                                  HullShape<Scalar>(),
                                  ConeShape<Scalar>(Scalar(0.01), Scalar(0.02)),
                                  HoleShape<Scalar>(Scalar(0.012), Scalar(0.02), Scalar(0.001)),
                                  ChamferedHoleShape<Scalar>(Scalar(0.012), Scalar(0.02), Scalar(0.001), Scalar(0.003))};
  constexpr int kShapes = 9;
  Checksum<Scalar> checksum;
  for (int i = 0; i < 8000; ++i) {
    const Shape<Scalar>&a = shapes[i % kShapes], &b = shapes[i / kShapes % kShapes];
    const Mat<Scalar, 3, 3> R_a = i % 4 == 0 ? Mat<Scalar, 3, 3>::Identity() : Rotation<Scalar>(&draws);
    const Mat<Scalar, 3, 3> R_b = i % 8 == 0 ? Mat<Scalar, 3, 3>::Identity() : Rotation<Scalar>(&draws);
    const Vec3 p_a = Point<Scalar>(&draws, 0.018), p_b = Point<Scalar>(&draws, 0.018);
    PairCache<Scalar> cache;
    PairContacts<Scalar> contacts;
    const PairReport<Scalar> report =
        Collide(Place(a, p_a, R_a, &hull), Place(b, p_b, R_b, &hull), Scalar(1e-3), &cache, &contacts);
    checksum.Take(report.gap_m);
    for (const ContactPoint<Scalar>& contact : contacts) {
      ++checksum.contacts;
      checksum.Take(static_cast<Scalar>(contact.id));
      checksum.Take(contact.gap_m);
      for (int x = 0; x < 3; ++x) {
        checksum.Take(contact.point_m(x));
        checksum.Take(contact.normal(x));
      }
    }
  }
  std::fprintf(stderr, "%s %d contacts %016llx\n", name, checksum.contacts, static_cast<unsigned long long>(checksum.sum));
}

}  // namespace
}  // namespace tactus

int main() {
  tactus::Run<double>("double");
  tactus::Run<float>("float");
}
