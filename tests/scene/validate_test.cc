// Each number of a scene that is out of its range is named, with list, place and field.
#include <limits>

#include "scenes.h"

namespace tactus {
namespace {

Scene<> Good() {
  Scene<> scene;
  EXPECT_EQ(scene.bodies.push_back(Cube(0.1, 0.04, {0, 0, 0.02})), Status::kOk);
  EXPECT_EQ(scene.bodies.push_back(Cube(0.1, 0.04, {0.1, 0, 0.02})), Status::kOk);
  EXPECT_EQ(scene.shapes.push_back(CubeShape(0, 0.04)), Status::kOk);
  EXPECT_EQ(scene.shapes.push_back({.kind = ShapeKind::kHalfSpace}), Status::kOk);
  EXPECT_EQ(scene.laws.push_back({}), Status::kOk);
  EXPECT_EQ(scene.joints.push_back({.a = 0, .b = 1}), Status::kOk);
  EXPECT_EQ(scene.fields.push_back({}), Status::kOk);
  return scene;
}

void ExpectFault(const Scene<>& scene, const char* list, int index, const char* field) {
  const SceneFault fault = Validate(scene);
  ASSERT_TRUE(fault) << field;
  EXPECT_STREQ(fault.list, list);
  EXPECT_EQ(fault.index, index) << field;
  EXPECT_STREQ(fault.field, field);
}

TEST(SceneValidate, TakesAGoodOne) {
  const SceneFault fault = Validate(Good());
  EXPECT_FALSE(fault) << fault.list << fault.field << fault.what;
}

TEST(SceneValidate, NamesTheField) {
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN(), kInf = std::numeric_limits<double>::infinity();
  for (const double bad : {kNaN, kInf, -kInf, 1e300, -1e300}) {
    const auto expect = [](const char* list, int index, const char* field, const auto& change) {
      Scene<> scene = Good();
      change(&scene);
      ExpectFault(scene, list, index, field);
    };
    expect(nullptr, -1, "gravity_W_mps2", [&](Scene<>* s) { s->gravity_W_mps2[1] = bad; });
    expect(nullptr, -1, "margin_m", [&](Scene<>* s) { s->margin_m = bad; });
    expect(nullptr, -1, "max_push_out_mps", [&](Scene<>* s) { s->max_push_out_mps = bad; });
    expect("default_law", -1, "friction", [&](Scene<>* s) { s->default_law.friction = bad; });
    expect("bodies", 1, "mass_kg", [&](Scene<>* s) { s->bodies[1].mass_kg = bad; });
    expect("bodies", 1, "inertia_kgm2", [&](Scene<>* s) { s->bodies[1].inertia_kgm2[2] = bad; });
    expect("bodies", 0, "p_WB_m", [&](Scene<>* s) { s->bodies[0].p_WB_m[2] = bad; });
    expect("bodies", 0, "q_WB", [&](Scene<>* s) { s->bodies[0].q_WB[0] = bad; });
    expect("bodies", 0, "velocity_mps", [&](Scene<>* s) { s->bodies[0].velocity_mps[0] = bad; });
    expect("bodies", 0, "omega_radps", [&](Scene<>* s) { s->bodies[0].omega_radps[0] = bad; });
    expect("shapes", 0, "p_BS_m", [&](Scene<>* s) { s->shapes[0].p_BS_m[0] = bad; });
    expect("shapes", 0, "q_BS", [&](Scene<>* s) { s->shapes[0].q_BS[3] = bad; });
    expect("shapes", 0, "half_m", [&](Scene<>* s) { s->shapes[0].half_m[1] = bad; });
    expect("shapes", 0, "radius_m", [&](Scene<>* s) { s->shapes[0].radius_m = bad; });
    expect("laws", 0, "static_friction", [&](Scene<>* s) { s->laws[0].static_friction = bad; });
    expect("laws", 0, "viscous_friction_Ns_per_m", [&](Scene<>* s) { s->laws[0].viscous_friction_Ns_per_m = bad; });
    expect("laws", 0, "surface_velocity_mps", [&](Scene<>* s) { s->laws[0].surface_velocity_mps[0] = bad; });
    expect("joints", 0, "p_AJ_m", [&](Scene<>* s) { s->joints[0].p_AJ_m[0] = bad; });
    expect("joints", 0, "q_BJ", [&](Scene<>* s) { s->joints[0].q_BJ[0] = bad; });
    expect("joints", 0, "stiffness", [&](Scene<>* s) { s->joints[0].stiffness = bad; });
    expect("joints", 0, "motor_force", [&](Scene<>* s) { s->joints[0].motor_force = bad; });
    expect("joints", 0, "ratio", [&](Scene<>* s) { s->joints[0].ratio = bad; });
    expect("fields", 0, "direction", [&](Scene<>* s) { s->fields[0].direction[0] = bad; });
    expect("fields", 0, "strength", [&](Scene<>* s) { s->fields[0].strength = bad; });
  }
}

TEST(SceneValidate, RefusesWhatContradicts) {
  Scene<> scene = Good();
  scene.joints[0].kind = JointKind::kGear, scene.joints[0].ratio = 0;
  scene.joints[0].limited = false, scene.joints[0].stiffness = scene.joints[0].damping = scene.joints[0].friction = 0;
  scene.joints[0].motor_force = 0;
  ExpectFault(scene, "joints", 0, "ratio");
  scene = Good();
  scene.max_push_out_mps = 0;  // the solver would take it for no bound
  ExpectFault(scene, nullptr, -1, "max_push_out_mps");
  scene = Good();
  scene.bodies.clear();
  ExpectFault(scene, nullptr, -1, "bodies");
  scene = Good();
  scene.bodies[0].inertia_kgm2 = {1e-5, 1e-5, 3e-5};  // above the sum of the others
  ExpectFault(scene, "bodies", 0, "inertia_kgm2");
  scene = Good();
  scene.shapes[1].body = 0;  // a half space that moves
  ExpectFault(scene, "shapes", 1, "kind");
  scene = Good();
  scene.shapes[0].body = 2;
  ExpectFault(scene, "shapes", 0, "body");
  scene = Good();
  scene.shapes[0].kind = ShapeKind::kHull;
  ExpectFault(scene, "shapes", 0, "hull");
  scene = Good();
  scene.joints[0].b = 0;
  ExpectFault(scene, "joints", 0, "b");
  scene = Good();
  scene.joints[0].limited = true;
  scene.joints[0].low = 1;
  ExpectFault(scene, "joints", 0, "low");
  scene = Good();
  scene.joints[0].kind = JointKind::kWeld;
  scene.joints[0].friction = 1;
  ExpectFault(scene, "joints", 0, "friction");
}

TEST(ScenePrepare, RefusesAPolytopeThatIsOpenAndASpringThatWouldBlowUp) {
  auto prepared = std::make_unique<PreparedScene<double>>();
  Scene<> scene = Good();
  SceneHull tetrahedron;
  for (const Vector3& p : {Vector3{0, 0, 0}, Vector3{0.1, 0, 0}, Vector3{0, 0.1, 0}, Vector3{0, 0, 0.1}})
    ASSERT_EQ(tetrahedron.vertex_m.push_back(p), Status::kOk);
  for (int i = 0; i < 3; ++i) ASSERT_EQ(tetrahedron.counts.push_back(3), Status::kOk);  // a face is missing
  for (const int i : {0, 2, 1, 0, 1, 3, 0, 3, 2})
    ASSERT_EQ(tetrahedron.corners.push_back(static_cast<std::uint8_t>(i)), Status::kOk);
  ASSERT_EQ(scene.hulls.push_back(tetrahedron), Status::kOk);
  SceneFault fault = Prepare(scene, prepared.get());
  ASSERT_TRUE(fault);
  EXPECT_STREQ(fault.list, "hulls");
  scene.hulls[0].counts.resize(4);
  scene.hulls[0].counts[3] = 3;
  for (const int i : {1, 2, 3}) ASSERT_EQ(scene.hulls[0].corners.push_back(static_cast<std::uint8_t>(i)), Status::kOk);
  EXPECT_FALSE(Prepare(scene, prepared.get()));
  scene.joints[0].stiffness = 1000;  // against 27 mg m²
  fault = Prepare(scene, prepared.get());
  ASSERT_TRUE(fault);
  EXPECT_STREQ(fault.field, "stiffness");
}

}  // namespace
}  // namespace tactus
