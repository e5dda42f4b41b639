#include "tactus/contact/validate.h"

#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "tests/contact/scenes.h"

namespace tactus::test {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Case {
  const char* name;
  std::function<void(SmallProblem<>*)> spoil;
  const char* list;
  int index;
  const char* field;
};

SmallProblem<> GoodProblem() {
  SmallProblem<> problem = SqueezedBox<>(0.3, 0, Vec<double, 6>::Zero());
  (void)problem.bodies.push_back(Ball<>());
  Joint<double, 6> joint;
  joint.a = 1;
  joint.jacobian_a(0) = 1;
  (void)problem.joints.push_back(joint);
  return problem;
}

void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

class ValidateBad : public testing::TestWithParam<Case> {};

TEST_P(ValidateBad, NamesTheField) {
  SmallProblem<> problem = GoodProblem();
  GetParam().spoil(&problem);
  const ProblemFault fault = Validate(problem);
  ASSERT_TRUE(fault);
  EXPECT_STREQ(fault.list, GetParam().list);
  EXPECT_EQ(fault.index, GetParam().index);
  EXPECT_STREQ(fault.field, GetParam().field);
}

INSTANTIATE_TEST_SUITE_P(
    Fields, ValidateBad,
    testing::Values(
        Case{"step zero", [](auto* p) { p->step_s = 0; }, nullptr, -1, "step_s"},
        Case{"step NaN", [](auto* p) { p->step_s = kNan; }, nullptr, -1, "step_s"},
        Case{"no bodies", [](auto* p) { p->bodies.clear(); }, nullptr, -1, "bodies"},
        Case{"too few directions", [](auto* p) { p->directions = 2; }, nullptr, -1, "directions"},
        Case{"too many directions", [](auto* p) { p->directions = 9; }, nullptr, -1, "directions"},
        Case{"offset infinite", [](auto* p) { p->direction_offset_rad = kInfinity; }, nullptr, -1, "direction_offset_rad"},
        Case{"mass zero", [](auto* p) { p->bodies[1].mass_kg = 0; }, "bodies", 1, "mass_kg"},
        Case{"mass infinite", [](auto* p) { p->bodies[1].mass_kg = kInfinity; }, "bodies", 1, "mass_kg"},
        Case{"inertia negative", [](auto* p) { p->bodies[0].inertia_kgm2(1, 1) *= -1; }, "bodies", 0, "inertia_kgm2"},
        Case{"inertia singular", [](auto* p) { p->bodies[0].inertia_kgm2.setOnes(); }, "bodies", 0, "inertia_kgm2"},
        Case{"inertia not symmetric", [](auto* p) { p->bodies[0].inertia_kgm2(0, 1) = 1e-5; }, "bodies", 0, "inertia_kgm2"},
        Case{"position NaN", [](auto* p) { p->bodies[0].position_m(2) = kNan; }, "bodies", 0, "position_m"},
        Case{"velocity NaN", [](auto* p) { p->bodies[0].velocity(5) = kNan; }, "bodies", 0, "velocity"},
        Case{"wrench infinite", [](auto* p) { p->bodies[0].wrench(3) = -kInfinity; }, "bodies", 0, "wrench"},
        Case{"body a out of range", [](auto* p) { p->contacts[3].a = 2; }, "contacts", 3, "a"},
        Case{"body b out of range", [](auto* p) { p->contacts[3].b = -2; }, "contacts", 3, "b"},
        Case{"both fixed", [](auto* p) { p->contacts[3].a = kFixed; }, "contacts", 3, "b"},
        Case{"a against itself", [](auto* p) { p->contacts[3].b = 0; }, "contacts", 3, "b"},
        Case{"point NaN", [](auto* p) { p->contacts[7].point_m(0) = kNan; }, "contacts", 7, "point_m"},
        Case{"normal too long", [](auto* p) { p->contacts[0].normal *= 1.0001; }, "contacts", 0, "normal"},
        Case{"normal zero", [](auto* p) { p->contacts[0].normal.setZero(); }, "contacts", 0, "normal"},
        Case{"tangent along the normal", [](auto* p) { p->contacts[0].tangent = p->contacts[0].normal; }, "contacts", 0,
             "tangent"},
        Case{"tangent too short", [](auto* p) { p->contacts[0].tangent *= 0.5; }, "contacts", 0, "tangent"},
        Case{"friction negative", [](auto* p) { p->contacts[2].friction = -1e-300; }, "contacts", 2, "friction"},
        Case{"gap NaN", [](auto* p) { p->contacts[2].gap_m = kNan; }, "contacts", 2, "gap_m"},
        Case{"gap by step infinite", [](auto* p) { p->contacts[2].gap_m = 1e306; }, "contacts", 2, "gap_m"},
        Case{"surface velocity NaN", [](auto* p) { p->contacts[2].surface_velocity_mps(1) = kNan; }, "contacts", 2,
             "surface_velocity_mps"},
        Case{"id twice", [](auto* p) { p->contacts[3].id = p->contacts[1].id; }, "contacts", 3, "id"},
        Case{"compliance without room for it", [](auto* p) { p->contacts[2].compliance_mps_per_Ns = 1; }, "contacts", 2,
             "compliance_mps_per_Ns"},
        Case{"joint body out of range", [](auto* p) { p->joints[0].a = 7; }, "joints", 0, "a"},
        Case{"joint row zero", [](auto* p) { p->joints[0].jacobian_a.setZero(); }, "joints", 0, "jacobian_a"},
        Case{"joint speed NaN", [](auto* p) { p->joints[0].speed = kNan; }, "joints", 0, "speed"}));

TEST(Validate, AcceptsAGoodProblem) { EXPECT_FALSE(Validate(GoodProblem())); }

TEST(Validate, AcceptsANeedle) {  // inertias of a rod 1 m long and 1 mm thick: ratio 2e6
  SmallProblem<> problem = GoodProblem();
  problem.bodies[0].inertia_kgm2.diagonal() << 1e-1, 1e-1, 5e-8;
  EXPECT_FALSE(Validate(problem));
}

}  // namespace
}  // namespace tactus::test
