#include <array>
#include <span>

#include "firmware/servo/tick_markers.h"
#include "hal/api/last_words.h"
#include "hal/cortex_m/semihosting.h"
#include "tactus/collide/broad_phase.h"
#include "tactus/collide/collide.h"
#include "tactus/collide/grid_contacts.h"
#include "tactus/collide/hull_of_points.h"
#include "tests/collide/made_grid.h"

// What a pair costs on the board, in instructions: each case of a table once a tick along a slow motion, 0.1 mm and 2 mrad a
// tick, between the two markers that toolchain/tick_counter counts between. tests/target/solver_instructions.py reads the
// counts. The first tick is cold: it is the most.

namespace tactus::target {
namespace {

using Scalar = TACTUS_BOARD_SCALAR;
using Vec3 = Vec<Scalar, 3>;
using Mat3 = Mat<Scalar, 3, 3>;
constexpr int kTicks = 100, kShapes = 24;

struct Hulls {
  Hull<Scalar> h12, h32, h64;
};
Hulls hulls;

bool MakeBall(int points, Hull<Scalar>* hull) {
  std::uint32_t state = 1;
  const auto draw = [&state] {
    state = state * 1664525U + 1013904223U;
    return static_cast<Scalar>(static_cast<std::int32_t>(state) / 65536) / Scalar(32768);
  };
  for (int attempt = 0; attempt < 20; ++attempt) {
    Vec3 corners[kHullVertices];
    for (int i = 0; i < points; ++i) {
      Vec3 d;
      for (int x = 0; x < 3; ++x) d(x) = draw() + draw() + draw();
      corners[i] = Scalar(0.02) * d / Norm(d);
    }
    if (!MakeHullOfPoints<Scalar>(std::span<const Vec3>(corners, static_cast<std::size_t>(points)), hull)) return true;
  }
  return false;
}

enum class Kind { kPlane, kSphere, kCapsule, kBox, kCylinder, kCone, kHull12, kHull32, kHull64 };

Solid<Scalar> SolidOf(Kind kind, const Vec3& p, const Mat3& R) {
  const Scalar mm = Scalar(1e-3);
  switch (kind) {
    case Kind::kPlane: return Place(HalfSpaceShape<Scalar>(), p, R);
    case Kind::kSphere: return Place(SphereShape<Scalar>(20 * mm), p, R);
    case Kind::kCapsule: return Place(CapsuleShape<Scalar>(5 * mm, 15 * mm), p, R);
    case Kind::kBox: return Place(BoxShape<Scalar>(Vec3(20 * mm, 20 * mm, 20 * mm)), p, R);
    case Kind::kCylinder: return Place(CylinderShape<Scalar>(15 * mm, 20 * mm), p, R);
    case Kind::kCone: return Place(ConeShape<Scalar>(15 * mm, 40 * mm), p, R);
    case Kind::kHull12: return Place(HullShape<Scalar>(), p, R, &hulls.h12);
    case Kind::kHull32: return Place(HullShape<Scalar>(), p, R, &hulls.h32);
    case Kind::kHull64: return Place(HullShape<Scalar>(), p, R, &hulls.h64);
  }
  return {};
}

struct Case {
  const char* name;
  Kind a, b;
  double height_mm, turn_rad, margin_mm;
};
constexpr Case kCases[] = {
    {"sphere plane", Kind::kSphere, Kind::kPlane, 20.1, 0, 1},
    {"box plane", Kind::kBox, Kind::kPlane, 20.1, 0, 1},
    {"hull64 plane", Kind::kHull64, Kind::kPlane, 20.1, 0, 1},
    {"cylinder plane", Kind::kCylinder, Kind::kPlane, 20.1, 0, 1},
    {"sphere sphere", Kind::kSphere, Kind::kSphere, 40.1, 0, 1},
    {"capsule capsule", Kind::kCapsule, Kind::kCapsule, 40.1, 1.5, 1},
    {"sphere box", Kind::kSphere, Kind::kBox, 40.1, 0, 1},
    {"capsule box", Kind::kCapsule, Kind::kBox, 40.1, 0, 1},
    {"box box, 4 points", Kind::kBox, Kind::kBox, 40.1, 0, 1},
    {"box box, 8 points", Kind::kBox, Kind::kBox, 40.1, 0.785, 1},
    {"box hull32", Kind::kBox, Kind::kHull32, 38, 0, 4},
    {"hull12 hull32", Kind::kHull12, Kind::kHull32, 37, 0, 5},
    {"hull64 hull64", Kind::kHull64, Kind::kHull64, 38, 0, 4},
    {"cylinder box, stands", Kind::kCylinder, Kind::kBox, 40.1, 0, 1},
    {"cylinder sphere", Kind::kCylinder, Kind::kSphere, 40.1, 0, 1},
    {"cylinder hull32", Kind::kCylinder, Kind::kHull32, 38, 0, 4},
    {"cylinder cylinder", Kind::kCylinder, Kind::kCylinder, 40.1, 0, 1},
    {"cone plane", Kind::kCone, Kind::kPlane, 10.1, 0, 1},
    {"cone sphere", Kind::kCone, Kind::kSphere, 30.1, 0, 1},
    {"cone box, stands", Kind::kCone, Kind::kBox, 30.1, 0, 1},
    {"cone hull32", Kind::kCone, Kind::kHull32, 28, 0, 4},
    {"cone cylinder", Kind::kCone, Kind::kCylinder, 30.1, 0, 1},
    {"cone cone", Kind::kCone, Kind::kCone, 40.1, 0, 1},
    {"box box, far", Kind::kBox, Kind::kBox, 60, 0, 1},
    {"hull64 hull64, far", Kind::kHull64, Kind::kHull64, 60, 0, 1},
};
constexpr std::size_t kCaseCount = std::size(kCases);

struct Bench {
  std::array<PairCache<Scalar>, kCaseCount> cache;
  PairContacts<Scalar> contacts;
  FixedVector<LocalBox<Scalar>, kShapes> local;
  FixedVector<WorldBox<Scalar>, kShapes> boxes;
  FixedVector<std::int16_t, kShapes> bodies;
  FixedVector<ShapePair, 276> pairs;
};
Bench bench;

void Print(const char* text) { hal::cortex_m::semihosting::Print(text); }

int RunCase(std::size_t i, int tick) {
  const Case& one = kCases[i];
  const Scalar t = static_cast<Scalar>(tick) - Scalar(kTicks) / 2;
  const Vec3 p(Scalar(1e-4) * t, Scalar(5e-5) * t, static_cast<Scalar>(one.height_mm * 1e-3));
  const Scalar turn = static_cast<Scalar>(one.turn_rad) + Scalar(2e-3) * t;
  const Mat3 R = RotationMatrix(ExpMap(Vec3(Scalar(1e-4), Scalar(0), turn)));
  const Solid<Scalar> a = SolidOf(one.a, p, R), b = SolidOf(one.b, Vec3::Zero(), Mat3::Identity());
  tactus_tick_begin();
  const PairReport<Scalar> report =
      Collide(a, b, static_cast<Scalar>(one.margin_mm * 1e-3), &bench.cache[i], &bench.contacts);
  tactus_tick_end();
  return report.status == Status::kOk ? 0 : 1;
}

/// A ball of 30 mm on a grid of 64³ samples, and a box of 218 points on it.
struct GridBench {
  std::array<std::uint8_t, 400'000> bytes;
  DistanceGrid grid;
  SampleCloud<Scalar> cloud;
  std::array<std::array<std::int32_t, kMaxPairContacts>, 3> last;
  std::array<std::size_t, 3> last_count;
};
GridBench grid_bench;

struct GridCase {
  const char* name;
  double height_mm, margin_mm;
};
constexpr GridCase kGridCases[] = {
    {"218 points grid, 0.5 mm", 40.1, 0.5}, {"218 points grid, 2 mm", 40.1, 2}, {"218 points grid, far", 60, 0.5}};

bool FillGrid() {
  const MadeGrid made{.blocks = 8, .spacing_m = 1.5625e-3, .band_m = 4e-3, .step_m = 4e-7, .slack_m = 3e-5};
  const auto ball = [](double x, double y, double z) {
    return static_cast<double>(Sqrt(static_cast<Scalar>(x * x + y * y + z * z))) - 0.03;
  };
  const std::size_t size = MakeGrid(made, ball, grid_bench.bytes);
  const Shape<Scalar> box = BoxShape<Scalar>(Vec3(Scalar(0.01), Scalar(0.01), Scalar(0.01)));
  const Status sampled =
      AddSamplePoints(box, nullptr, Scalar(3.4e-3), Vec3(Vec3::Zero()), Mat3(Mat3::Identity()), &grid_bench.cloud);
  MakeClusters(&grid_bench.cloud);
  return sampled == Status::kOk && DistanceGrid::Open(std::span(grid_bench.bytes).first(size), &grid_bench.grid) == nullptr;
}

int RunGrid(std::size_t i, int tick) {
  const GridCase& one = kGridCases[i];
  const Scalar t = static_cast<Scalar>(tick) - Scalar(kTicks) / 2;
  const Vec3 p(Scalar(1e-4) * t, Scalar(5e-5) * t, static_cast<Scalar>(one.height_mm * 1e-3));
  const Mat3 R = RotationMatrix(ExpMap(Vec3(Scalar(0.02), Scalar(0), Scalar(2e-3) * t)));
  const std::span<const std::int32_t> last(grid_bench.last[i].data(), grid_bench.last_count[i]);
  tactus_tick_begin();
  const GridReport<Scalar> report =
      CollideGrid(grid_bench.cloud, p, R, grid_bench.grid, Vec3(Vec3::Zero()), Mat3(Mat3::Identity()),
                  static_cast<Scalar>(one.margin_mm * 1e-3), last, &bench.contacts);
  tactus_tick_end();
  grid_bench.last_count[i] = 0;
  for (const ContactPoint<Scalar>& point : bench.contacts) grid_bench.last[i][grid_bench.last_count[i]++] = point.id;
  return report.status == Status::kOk ? 0 : 1;
}

void FillBroadPhase() {
  const Shape<Scalar> box = BoxShape<Scalar>(Vec3(Scalar(0.02), Scalar(0.02), Scalar(0.02)));
  for (int i = 0; i < kShapes; ++i) {
    (void)bench.local.push_back(LocalBox<Scalar>(box, nullptr));  // room for all
    (void)bench.bodies.push_back(static_cast<std::int16_t>(i < 16 ? i / 4 : 4 + i));
  }
  bench.boxes.resize(kShapes);
}

void RunBroadPhase(int tick, Scalar spacing_m) {
  const Mat3 R = RotationMatrix(ExpMap(Vec3(Scalar(0.3), Scalar(2e-3) * static_cast<Scalar>(tick), Scalar(0.1))));
  for (int i = 0; i < kShapes; ++i) {
    const Vec3 p(spacing_m * static_cast<Scalar>(i % 5), spacing_m * static_cast<Scalar>(i / 5), Scalar(0));
    bench.boxes[i] = BoxAt(bench.local[i], p, R, Scalar(1e-3));
  }
  tactus_tick_begin();
  bench.pairs.clear();
  FindPairs(bench.boxes, bench.bodies, [](ShapePair pair) { (void)bench.pairs.push_back(pair); });  // 276 fit
  tactus_tick_end();
}

void RunBox(int tick) {
  const Mat3 R = RotationMatrix(ExpMap(Vec3(Scalar(0.3), Scalar(2e-3) * static_cast<Scalar>(tick), Scalar(0.1))));
  tactus_tick_begin();
  bench.boxes[0] = BoxAt(bench.local[0], Vec3(R.col(0)), R, Scalar(1e-3));
  tactus_tick_end();
}

}  // namespace
}  // namespace tactus::target

extern "C" void TickHandler() {}  // the clock is not started

constinit const std::span<const std::uint8_t> tactus::hal::kLastWords{};

int main() {
  using namespace tactus;
  using namespace tactus::target;
  int faults = (MakeBall(12, &hulls.h12) && MakeBall(32, &hulls.h32) && MakeBall(64, &hulls.h64)) ? 0 : 1;
  for (const Case& one : kCases) {
    Print("solver ");
    Print(one.name);
    Print("\n");
  }
  for (const GridCase& one : kGridCases) {
    Print("solver ");
    Print(one.name);
    Print("\n");
  }
  faults += FillGrid() ? 0 : 1;
  Print("solver one world box\nsolver pairs of 24, spread\nsolver pairs of 24, in a heap\n");
  FillBroadPhase();
  for (int tick = 0; tick < kTicks; ++tick) {
    for (std::size_t i = 0; i < kCaseCount; ++i) faults += RunCase(i, tick);
    for (std::size_t i = 0; i < std::size(kGridCases); ++i) faults += RunGrid(i, tick);
    RunBox(tick);
    RunBroadPhase(tick, Scalar(0.05));
    RunBroadPhase(tick, Scalar(0.01));
  }
  hal::cortex_m::semihosting::Exit(faults == 0 ? 0 : 1);
}
