#include "tests/target/solver_bits.h"

#include "tactus/contact/friction_frame.h"
#include "tactus/contact/whiten.h"
#include "tactus/core/trig.h"
#include "tactus/solve/convex/successive_convex.h"
#include "tactus/solve/dantzig/dantzig_friction.h"
#include "tactus/solve/dantzig/impending_motion.h"
#include "tactus/solve/ladder.h"
#include "tactus/solve/lemke/lemke_dense.h"
#include "tactus/solve/lemke/lemke_structural.h"
#include "tests/target/hash.h"
#include "tests/target/scalars.h"

namespace tactus::target {
namespace {

constexpr Capacity kSpatial{.bodies = 2, .contacts = 10, .joints = 2, .directions = 6, .dof = 6};
constexpr Capacity kPlanar{.bodies = 3, .contacts = 12, .joints = 1, .directions = 2, .dof = 3};
constexpr int kProblems = 40;
constexpr int kMaxSteps = 400;

template <class V>
void DrawInto(Random* random, double size, V* vector) {
  for (int i = 0; i < vector->size(); ++i) {
    (*vector)(i) = static_cast<typename V::Scalar>(random->Between(-size, size));
  }
}

template <class Scalar, int kDof>
Body<Scalar, kDof> DrawBody(Random* random) {
  Body<Scalar, kDof> body;
  body.mass_kg = static_cast<Scalar>(random->Between(0.05, 0.5));
  for (int i = 0; i < body.inertia_kgm2.rows(); ++i) {
    body.inertia_kgm2(i, i) = static_cast<Scalar>(random->Between(2e-5, 4e-5));
  }
  DrawInto(random, 0.05, &body.position_m);
  DrawInto(random, 0.3, &body.velocity);
  DrawInto(random, 5, &body.wrench);
  return body;
}

template <class Scalar, int kDof>
Contact<Scalar, kDof> DrawContact(Random* random, int bodies, int id) {
  Contact<Scalar, kDof> contact;
  contact.id = id;
  contact.a = static_cast<int>(random->Between(0, bodies));
  contact.b = static_cast<int>(random->Between(-1, bodies + 1)) - 1;
  if (contact.b == contact.a) contact.b = kFixed;
  DrawInto(random, 0.05, &contact.point_m);
  DrawInto(random, 1, &contact.normal);
  contact.normal /= Sqrt(contact.normal.squaredNorm());
  contact.friction = static_cast<Scalar>(random->Between(0, 0.8));
  contact.gap_m = static_cast<Scalar>(random->Between(0, 1e-4));
  return contact;
}

template <class Scalar, Capacity kCapacity>
ContactProblem<Scalar, kCapacity> DrawProblem(Random* random) {
  constexpr int kDof = kCapacity.dof;
  ContactProblem<Scalar, kCapacity> problem;
  problem.directions = kCapacity.directions;
  for (int k = 0; k < kCapacity.bodies; ++k) (void)problem.bodies.push_back(DrawBody<Scalar, kDof>(random));
  const int contacts = static_cast<int>(random->Between(1, kCapacity.contacts + 1));
  for (int i = 0; i < contacts; ++i) {  // there is room for all
    (void)problem.contacts.push_back(DrawContact<Scalar, kDof>(random, kCapacity.bodies, i));
  }
  const int joints = static_cast<int>(random->Between(0, kCapacity.joints + 1));
  for (int j = 0; j < joints; ++j) {
    Joint<Scalar, kDof> joint;
    joint.b = 1;
    DrawInto(random, 1, &joint.jacobian_a);
    DrawInto(random, 1, &joint.jacobian_b);
    (void)problem.joints.push_back(joint);
  }
  return problem;
}

/// Every solver for one capacity. The objects are large: one of these is static.
template <class Scalar, Capacity kCapacity>
class AllSolvers {
 public:
  using Hashes = std::array<Hash, kSolverNames.size()>;

  void Run(std::uint64_t seed, Hashes* hashes) {
    hashes_ = hashes;
    Random random(seed);
    for (int i = 0; i < kProblems; ++i) {
      Whitened(DrawProblem<Scalar, kCapacity>(&random));
      RunLemke();
      RunConvex();
      RunLadder();
      RunDantzigFriction();
      for (int c = 0; c < problem_.contacts.size(); ++c) problem_.contacts[c].mu = Scalar(0);
      RunFrictionless();
    }
  }

 private:
  using Problem = WhitenedProblem<Scalar, kCapacity>;
  using Impulses = WhitenedImpulses<Scalar, kCapacity>;

  void Whitened(const ContactProblem<Scalar, kCapacity>& physical) {
    FixedVector<Vec<Scalar, LinearSize(kCapacity.dof)>, kCapacity.contacts> tangents;
    for (const auto& contact : physical.contacts) {
      if constexpr (kCapacity.dof == 6) {
        (void)tangents.push_back(DefaultTangent(contact.normal));
      } else {
        (void)tangents.push_back({-contact.normal(1), contact.normal(0)});
      }
    }
    const ProblemFault fault = Whiten(physical, tangents, WhitenOptions<Scalar, kCapacity>{}, &problem_);
    TACTUS_CHECK(!fault);
  }

  template <class List>
  void Add(std::size_t solver, const List& values) {
    for (const Scalar value : values) (*hashes_)[solver].AddValue(value);
  }

  void AddImpulses(std::size_t solver) {
    Add(solver, impulses_.theta);
    for (const auto& phi : impulses_.phi) Add(solver, phi);
  }

  template <class Lemke>
  void AddLemke(std::size_t solver, const Lemke& lemke, const LemkeReport& report) {
    (*hashes_)[solver].AddValue(report.outcome);
    (*hashes_)[solver].AddValue(report.pivots);
    lemke.GetImpulses(problem_, &impulses_);
    AddImpulses(solver);
  }

  // Warm: from the basis of the problem before, which has nothing to do with this one.
  void RunLemke() {
    AddLemke(1, reduced_, reduced_.SolveWarm(problem_, 0, kMaxSteps));
    AddLemke(0, reduced_, reduced_.SolveCold(problem_, 0, kMaxSteps));
    AddLemke(2, structural_, structural_.SolveCold(problem_, 0, kMaxSteps));
    AddLemke(3, dense_, dense_.SolveCold(problem_, 0, kMaxSteps));
  }

  void RunConvex() {
    (*hashes_)[4].AddValue(convex_.Solve(problem_, {}, kMaxSteps));
    (*hashes_)[4].AddValue(convex_.iterations());
    convex_.GetImpulses(problem_, &impulses_);
    AddImpulses(4);
    Add(4, convex_.velocity());
    (*hashes_)[5].AddValue(successive_.Solve(problem_, {}).iterations);
    successive_.GetImpulses(problem_, &impulses_);
    AddImpulses(5);
  }

  void RunDantzigFriction() {
    (*hashes_)[7].AddValue(friction_.Solve(problem_, kMaxSteps).outcome);
    Add(7, friction_.impulses().normal);
    for (const auto& tangential : friction_.impulses().friction) Add(7, tangential);
  }

  void RunFrictionless() {
    (*hashes_)[6].AddValue(dantzig_.Solve(problem_, kMaxSteps).steps);
    dantzig_.GetImpulses(problem_, &impulses_);
    AddImpulses(6);
    for (auto& contact : problem_.contacts) contact.b = contact.b_clear = Scalar(0);  // all touch: (52) is defined
    Add(8, motion_.ByContactForces(problem_, kMaxSteps).acceleration);
    Add(8, motion_.ByLeastConstraint(problem_, kMaxSteps).acceleration);
    Add(8, motion_.BySteepestDescent(problem_, kMaxSteps).acceleration);
  }

  // With so little work that every rung is reached.
  void RunLadder() {
    for (const int attempts : {0, 4, 2}) {
      LadderOptions options;
      const int n = problem_.contacts.size();
      options.deadline.work_budget = attempts == 0 ? 0 : static_cast<int>(work::Reserve(n) + attempts * work::Attempt(n));
      options.warm = attempts == 4;
      const auto recall = [this](Impulses* last) { *last = impulses_; };
      ladder_.Run(&problem_, options, recall, &answer_, &certificate_);
      (*hashes_)[9].AddValue(ladder_.rung());
      Add(9, ladder_.velocity());
    }
  }

  Problem problem_;
  Impulses impulses_, answer_, certificate_;
  LemkeReduced<Scalar, kCapacity> reduced_;
  LemkeStructural<Scalar, kCapacity> structural_;
  LemkeDense<Scalar, kCapacity> dense_;
  ConvexStep<Scalar, kCapacity> convex_;
  SuccessiveConvex<Scalar, kCapacity> successive_;
  DantzigContacts<Scalar, kCapacity> dantzig_;
  DantzigFriction<Scalar, kCapacity> friction_;
  ImpendingMotion<Scalar, kCapacity> motion_;
  Ladder<Scalar, kCapacity> ladder_;
  Hashes* hashes_ = nullptr;
};

}  // namespace

template <class Scalar>
std::array<std::uint64_t, kSolverNames.size()> SolverBitsByName() {
  static AllSolvers<Scalar, kSpatial> spatial;
  static AllSolvers<Scalar, kPlanar> planar;
  std::array<Hash, kSolverNames.size()> hashes;
  spatial.Run(3, &hashes);
  planar.Run(4, &hashes);
  std::array<std::uint64_t, kSolverNames.size()> values{};
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = hashes[i].value();
  return values;
}

#define TACTUS_BITS(Scalar) template std::array<std::uint64_t, kSolverNames.size()> SolverBitsByName<Scalar>();
TACTUS_FOR_EACH_SCALAR(TACTUS_BITS)

}  // namespace tactus::target
