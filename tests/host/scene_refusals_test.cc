// What a scene's file may not say: each is refused at its line, by its key, with the numbers that are compared.
#include <fmt/core.h>

#include <filesystem>
#include <fstream>

#include "host_tools/link/host_error.h"
#include "host_tools/scene/out_of_range.h"
#include "host_tools/scene/scene_file.h"
#include "host_tools/scene/scene_places.h"
#include "scene_folder.h"
#include "temporary_file.h"

namespace tactus::host {
namespace {

/// A tool, a block and a floor of other materials, in 20 lines; `end` comes behind.
std::string Toml(const std::string& end, const std::string& motion = "free") {
  return "[tool]\n"
         "mass_kg = 0.1\n"
         "motion = \"" +
         motion +
         "\"\n"
         "[[tool.shapes]]\n"
         "kind = \"sphere\"\n"
         "radius_m = 0.01\n"
         "material = \"tip\"\n"
         "[[bodies]]\n"
         "name = \"block\"\n"
         "mass_kg = 0.2\n"
         "position_m = [0.1, 0, 0]\n"
         "[[bodies.shapes]]\n"
         "kind = \"box\"\n"
         "size_m = [0.02, 0.04, 0.06]\n"
         "[[world]]\n"
         "kind = \"half-space\"\n"
         "position_m = [0, 0, -0.1]\n"
         "material = \"floor\"\n"
         "\n"
         "\n" +
         end;
}

/// @param where  line and key, as "22: joints[0].low_deg: "
void Expect(const std::string& text, const std::string& where, const std::string& what) {
  const std::string error = ErrorOf(text);
  EXPECT_NE(error.find(".toml:" + where + ": " + what), std::string::npos) << error << "\nwanted " << where << ": " << what;
}

std::string Hinge(const std::string& more) { return "[[joints]]\nkind = \"hinge\"\na = \"block\"\n" + more; }
std::string Pair(const std::string& more) { return "[[pairs]]\na = \"tip\"\nb = \"floor\"\n" + more; }

TEST(SceneRefusals, ValueAndBoundDoNotLookAlike) {
  EXPECT_EQ(OutOfRange(11, 0, 10), "11 is out of range: 0 to 10");
  EXPECT_EQ(OutOfRange(3e6, 1, 20000), "3e+06 is out of range: 1 to 20000");
  EXPECT_EQ(OutOfRange(10000001, 100, 1e7), "10000001 is out of range: 100 to 10000000");
  EXPECT_EQ(OutOfRange(99.99999, 100, 1e7), "99.99999 is out of range: 100 to 1e+07");
  EXPECT_EQ(OutOfRange(std::nan(""), 0, 10), "nan is not finite; its range is 0 to 10");
  const double next = std::nextafter(10.0, 11.0);
  EXPECT_EQ(OutOfRange(next, 0, 10), "10.000000000000002 is out of range: 0 to 10");
}

// The passivity controller of a default Config multiplies the dampings.
TEST(SceneRefusals, ACouplingThatNoControllerTakes) {
  for (const char* const damping : {"0", "1e-12", "-1", "101"}) {
    Expect(Toml(fmt::format("[coupling]\ndamping_Ns_per_m = {}\n", damping)), "22", "coupling.damping_Ns_per_m: ");
    Expect(Toml(fmt::format("[coupling]\nangular_damping_Nms_per_rad = {}\n", damping)), "22",
           "coupling.angular_damping_Nms_per_rad: ");
  }
  Expect(Toml("[coupling]\ndamping_Ns_per_m = 0\n"), "22", "coupling.damping_Ns_per_m: 0 is out of range: 1e-09 to 100");
  EXPECT_EQ(ErrorOf(Toml("[coupling]\ndamping_Ns_per_m = 1e-9\nangular_damping_Nms_per_rad = 1e-9\n")), "");
}

// Source: linear algebra. Of one hinge pair both speeds, and of wheels in mesh ω_a = ratio · ω_b, hold only if they agree.
TEST(SceneRefusals, JointsThatContradictEachOther) {
  const auto motor = [](double speed) { return fmt::format("motor_speed = {}\nmotor_force = 1\n", speed); };
  const std::string at = "at_m = [0.1, 0, 0]\n", still = "low_deg = -10\nhigh_deg = 0\n";
  const std::string wheel =
      "[[bodies]]\nname = \"wheel\"\nposition_m = [0.2, 0, 0]\n[[bodies.shapes]]\nkind = \"sphere\"\nradius_m = 0.01\n";
  const std::string on_wheel = "[[joints]]\nkind = \"hinge\"\na = \"wheel\"\nat_m = [0.2, 0, 0]\n";
  const std::string gear = "[[joints]]\nkind = \"gear\"\na = \"block\"\nb = \"wheel\"\nratio = -2\n";
  const std::string weld = "[[joints]]\nkind = \"weld\"\na = \"block\"\n";
  const auto both = [](int line) {
    return fmt::format(":{}): where they start no motion of the bodies is what both ask", line);
  };
  const std::string two = ErrorOf(Toml(Hinge(at + motor(1)) + Hinge(at + motor(-1))));
  EXPECT_NE(two.find(":31: joints[1].motor_speed: contradicts joints[0] ("), std::string::npos) << two;
  EXPECT_NE(two.find(both(21)), std::string::npos) << two;
  Expect(Toml(Hinge(at) + Hinge("at_m = [0.15, 0, 0]\naxis = [1, 0, 0]\n" + motor(1))), "30",
         "joints[1].motor_speed: contradicts joints[0] (");
  Expect(Toml(Hinge(at + motor(1)) + weld), "28", "joints[1].kind: contradicts joints[0] (");
  const std::string meshed = ErrorOf(Toml(wheel + Hinge(at + motor(1)) + on_wheel + motor(1) + gear));
  EXPECT_NE(meshed.find("joints[2].kind: contradicts joints[0] ("), std::string::npos) << meshed;
  EXPECT_NE(meshed.find(" and joints[1] ("), std::string::npos) << meshed;
  EXPECT_EQ(ErrorOf(Toml(Hinge(at + motor(1)) + Hinge(at + motor(1)))), "");  // redundant
  EXPECT_EQ(ErrorOf(Toml(Hinge(at) + Hinge("at_m = [0.1, 0, 0.05]\n" + motor(1)))), "");
  EXPECT_EQ(ErrorOf(Toml(Hinge(at + motor(1)) + Hinge(at + "friction = 1\n"))), "");  // friction gives way
  EXPECT_EQ(ErrorOf(Toml(Hinge(at + motor(1) + still) + Hinge(at))), "");             // it presses on its stop
  EXPECT_EQ(ErrorOf(Toml(wheel + Hinge(at + motor(1)) + on_wheel + motor(-0.5) + gear)), "");
}

// Source: a parallelogram of four hinges moves in one way, and one motor drives it. 3 of its 20 rows say again what others
// say; no rounding of theirs is a contradiction. With a second motor it is one where the two cranks' speeds differ.
TEST(SceneRefusals, AMotorInAClosedLoopIsNoContradiction) {
  const auto bar = [](const char* name, double x_m, double z_m) {
    return fmt::format(
        "[[bodies]]\nname = \"{}\"\nposition_m = [{}, 0.1, {}]\n[[bodies.shapes]]\nkind = \"sphere\"\nradius_m = 0.01\n",
        name, x_m, z_m);
  };
  const auto hinge = [](const char* a, const char* b, double x_m, double z_m, const std::string& more) {
    return fmt::format("[[joints]]\nkind = \"hinge\"\na = \"{}\"\nb = \"{}\"\nat_m = [{}, 0.1, {}]\naxis = [0, 1, 0]\n{}", a,
                       b, x_m, z_m, more);
  };
  const auto loop = [&](double speed, const std::string& second) {
    return Toml(bar("p", 0.2, 0.05) + bar("q", 0.25, 0.1) + bar("r", 0.3, 0.05) +
                hinge("p", "world", 0.2, 0, fmt::format("motor_speed = {}\nmotor_force = 0.5\n", speed)) +
                hinge("q", "p", 0.2, 0.1, "") + hinge("r", "q", 0.3, 0.1, "") + hinge("r", "world", 0.3, 0, second));
  };
  for (const double speed : {1e-3, 3.0, 200.0}) EXPECT_EQ(ErrorOf(loop(speed, "")), "");
  EXPECT_EQ(ErrorOf(loop(3, "motor_speed = 3\nmotor_force = 0.5\n")), "");
  EXPECT_NE(ErrorOf(loop(3, "motor_speed = 3.001\nmotor_force = 0.5\n")).find("joints[3].motor_speed: contradicts"),
            std::string::npos);
}

// Source: the block's lower face is at z = -0.03 m; the default margin_m is 0.5 mm.
TEST(SceneRefusals, BodiesThatStartInsideEachOther) {
  const auto floor = [](double z_m) {
    return fmt::format("[[world]]\nkind = \"half-space\"\nposition_m = [0, 0, {}]\nmaterial = \"floor\"\n", z_m);
  };
  Expect(Toml(floor(-0.028)), "11",
         "bodies[0].position_m: \"block\" starts 0.002 m inside the world, deeper than margin_m, 0.0005: move it out by");
  EXPECT_EQ(ErrorOf(Toml(floor(-0.0296))), "");
  EXPECT_EQ(ErrorOf("margin_m = 0.003\n" + Toml(floor(-0.028))), "");
  const std::string any_yields = "[any_pair]\nstiffness_N_per_m = 5000\n";  // it rests on its spring
  EXPECT_EQ(ErrorOf(Toml(floor(-0.028) + any_yields)), "");
  const auto second = [](double x_m) {
    return fmt::format(
        "[[bodies]]\nname = \"second\"\nposition_m = [{}, 0, 0]\n[[bodies.shapes]]\nkind = \"sphere\"\n"
        "radius_m = 0.01\n",
        x_m);
  };
  Expect(Toml(second(0.115)), "23", "bodies[1].position_m: \"second\" starts 0.005 m inside \"block\"");
  const std::string hinge = Hinge("b = \"second\"\nat_m = [0.11, 0, 0]\n");
  EXPECT_EQ(ErrorOf(Toml(second(0.115) + hinge)), "");  // what a joint holds together does not touch
  // The tool is in the hand, wherever the file has it.
  EXPECT_EQ(ErrorOf(Toml("[[world]]\nkind = \"sphere\"\nradius_m = 0.02\n")), "");
}

// The file has corners, and no faces or vertices.
TEST(SceneRefusals, CornersThatAreNoHull) {
  const auto hull = [](const std::string& more) {
    return Toml("[[world]]\nkind = \"hull\"\ncorners = [{ at_m = [0, 1, 0] }, { at_m = [1, 1, 0] }, { at_m = [0, 2, 0] }, " +
                more + "]\n");
  };
  Expect(hull("{ at_m = [1, 2, 0] }"), "23", "world[1].corners: lie in one plane: a hull has a volume");
  Expect(hull("{ at_m = [0, 1, 1] }, { at_m = [0.1, 1.1, 0.1] }"), "23",
         "world[1].corners: corner 4 is inside of the hull of the others, or on a face of it: leave it out");
  EXPECT_EQ(ErrorOf(hull("{ at_m = [0, 1, 1] }")), "");
}

TEST(SceneRefusals, AnglesThatAreNoNumber) {
  Expect(Toml("[[world]]\nkind = \"sphere\"\nradius_m = 0.01\nangle_deg = nan\n"), "24",
         "world[1].angle_deg: nan is not finite: give a number of degrees");
}

// Source: the table of joints in docs/scenes.md.
TEST(SceneRefusals, WhatAKindOfJointHasNot) {
  const auto joint = [](const char* kind, const std::string& more) {
    return Toml(fmt::format("[[joints]]\nkind = \"{}\"\na = \"block\"\n{}\n", kind, more));
  };
  for (const char* const key :
       {"low_deg", "high_m", "rest_deg", "stiffness", "damping", "friction", "motor_speed", "motor_force"})
    Expect(joint("weld", fmt::format("{} = 1", key)), "24",
           fmt::format("joints[0].{}: is not for a weld, which holds all: there is nothing to move", key));
  for (const char* const key : {"low_deg", "high_m", "rest_deg"})
    Expect(joint("ball", fmt::format("{} = -1", key)), "24",
           fmt::format("joints[0].{}: is not for a ball: its one stop is high_deg", key));
  Expect(joint("rope", "high_m = 1"), "24", "joints[0].high_m: is not for a rope, whose upper limit is length_m");
  Expect(joint("rope", "low_deg = 1"), "24", "joints[0].low_deg: is an angle, and this joint has a length");
  Expect(joint("screw", "rest_m = 1"), "24", "joints[0].rest_m: is a length, and this joint turns");
  Expect(Toml("[[joints]]\nkind = \"gear\"\na = \"world\"\nb = \"block\"\nfriction = 1\n"), "25",
         "joints[0].friction: needs a body as a: a gear's coordinate is the turn of a");
}

TEST(SceneRefusals, WhatAJointsKindHasNotOrCannotBeWithout) {
  const auto joint = [](const std::string& kind, const std::string& lines) {
    return Toml("[[joints]]\nkind = \"" + kind + "\"\na = \"block\"\n" + lines + "\n");
  };
  for (const char* const kind : {"weld", "hinge", "slider", "ball", "gear"})
    Expect(joint(kind, "pitch_m_per_rad = 0.001"), "24", "joints[0].pitch_m_per_rad: is for a screw alone");
  Expect(joint("hinge", "ratio = 2"), "24", "joints[0].ratio: is for a gear alone");
  Expect(joint("slider", "axis_b = [1, 0, 0]"), "24", "joints[0].axis_b: is for a gear alone");
  Expect(joint("ball", "length_m = 1"), "24", "joints[0].length_m: is for a rope alone");
  Expect(joint("hinge", "to_m = [0, 0, 0]"), "24", "joints[0].to_m: is for a rope alone");
  Expect(joint("screw", ""), "21", "joints[0].pitch_m_per_rad: is missing: a screw needs");
  Expect(joint("rope", "length_m = 1"), "21", "joints[0].to_m: is missing: a rope needs the place of its end on b");
  Expect(joint("rope", "to_m = [0, 0, 0.1]"), "21", "joints[0].length_m: is missing: a rope needs its greatest length");
  Expect(joint("rope", "axis = [0, 0, 1]"), "24", "joints[0].axis: is not for a rope");
  Expect(joint("hinge", "rest_deg = 10"), "24", "joints[0].rest_deg: needs a stiffness");
  Expect(joint("slider", "rest_m = 0.01"), "24", "joints[0].rest_m: needs a stiffness");
  Expect(Toml("[[joints]]\nkind = \"hinge\"\na = \"world\"\n"), "21",
         "joints[0].b: is missing: a is the world, and so is b where it is left out");
}

TEST(SceneRefusals, RangesOfAJointsCoordinate) {
  const std::string rope = "[[joints]]\nkind = \"rope\"\na = \"block\"\nto_m = [0.1, 0, 0.1]\nat_m = [0.1, 0, 0]\n";
  for (const char* const kind : {"hinge", "screw", "gear"}) {
    std::string of = fmt::format("[[joints]]\nkind = \"{}\"\na = \"block\"\nb = \"tool\"\n", kind);
    const bool is_screw = kind == std::string("screw");
    if (is_screw) of += "pitch_m_per_rad = 0.001\n";
    EXPECT_EQ(ErrorOf(Toml(of + "low_deg = -360000\nhigh_deg = 360000\nrest_deg = 1080\nstiffness = 1e-4\n")), "") << kind;
    Expect(Toml(of + "high_deg = 360001\n"), is_screw ? "26" : "25",
           "joints[0].high_deg: 360001 is out of range: -360000 to 360000");
  }
  const std::string ball = "[[joints]]\nkind = \"ball\"\na = \"block\"\n";
  EXPECT_EQ(ErrorOf(Toml(ball + "high_deg = 178\nfriction = 0.1\n")), "");
  Expect(Toml(ball + "high_deg = 0.9\n"), "24", "joints[0].high_deg: 0.9 is out of range: 1 to 178");
  EXPECT_EQ(ErrorOf(Toml(rope + "length_m = 0.2\nlow_m = 0.05\n")), "");
  Expect(Toml(rope + "length_m = 0.2\nlow_m = 0.15\n"), "27", "joints[0].low_m: 0.15 is more than 0.1, from at_m to to_m");
  Expect(Toml(rope + "length_m = 0.2\nlow_m = 0.3\n"), "27", "joints[0].low_m: 0.3 is above length_m, 0.2");
  Expect(Toml(rope + "length_m = 0.2\nrest_m = -0.1\nstiffness = 1\n"), "27",
         "joints[0].rest_m: -0.1 is out of range: 0 to 10");
}

TEST(SceneRefusals, AnglesAreInDegrees) {
  Expect(Toml(Hinge("low_deg = -400000\n")), "24", "joints[0].low_deg: -400000 is out of range: -360000 to 360000");
  Expect(Toml(Hinge("rest_deg = 400000\nstiffness = 1e-4\n")), "24",
         "joints[0].rest_deg: 400000 is out of range: -360000 to 360000");
  Expect(Toml(Hinge("low_deg = 20\nhigh_deg = 10\n")), "24", "joints[0].low_deg: 20 is above high_deg, 10");
  Expect(Toml("[[joints]]\nkind = \"slider\"\na = \"block\"\nlow_m = 0.2\nhigh_m = 0.1\n"), "24",
         "joints[0].low_m: 0.2 is above high_m, 0.1");
  Expect(Toml("[[paths]]\nturn_deg = 6000\nperiod_s = 1000\n[[paths.shapes]]\nkind = \"sphere\"\nradius_m = 0.01\n"), "22",
         "paths[0].turn_deg: 6000 is out of range: -5729.58 to 5729.58");
}

TEST(SceneRefusals, SayWhatIsCompared) {
  Expect(Toml("[any_pair]\nfriction = 0.5\nstatic_friction = 0.4\n"), "23",
         "any_pair.static_friction: 0.4 is below friction, 0.5");
  Expect(Toml(Pair("wave_length_m = 0.001\nwave_height_m = 0.0002\n")), "25",
         "pairs[0].wave_height_m: 0.0002 is too steep for a wave_length_m of 0.001: at most 7.958e-05");
  Expect("margin_m = 0.0001\n" + Toml(Pair("wave_length_m = 0.1\nwave_height_m = 0.0002\n")), "26",
         "pairs[0].wave_height_m: 0.0002 is above the scene's margin_m, 0.0001");
  Expect(Toml(Pair("wave_height_m = 0.0001\n")), "24",
         "pairs[0].wave_height_m: needs a wave_length_m, which is missing or 0");
  Expect(Toml("gravity = 1\n[workspace]\nscale = 0.04\n"), "21", "");
  Expect(Toml("[workspace]\nscale = 0.04\n"), "22", "workspace.scale: 0.04 is out of range: 0.05 to 100");
  Expect(Toml("[workspace]\nforce_scale = 101\n"), "22", "workspace.force_scale: 101 is out of range: 0.01 to 100");
  Expect(Toml("[workspace]\noffset_m = [0, nan, 0]\n"), "22", "workspace.offset_m: nan is not finite; its range is -100");
  Expect(Toml("[[world]]\nkind = \"sphere\"\nradius_m = inf\n"), "23", "world[1].radius_m: inf is not finite; its range is");
  Expect("gravity_mps2 = [inf, 0, 0]\n" + Toml(""), "1", "gravity_mps2: inf is not finite");
  Expect(Toml("[checks]\nmax_force_N = nan\n"), "22", "checks.max_force_N: nan is not finite; its range is 1e-06 to 1000");
  Expect(Toml("[[fields]]\nkind = \"detents\"\nstrength = 1\ncount = 1.5\n"), "24", "fields[0].count: 1.5 is no whole");
  Expect(Toml("[[bodies]]\ninertia_kgm2 = [1e-5, 1e-5, 1e-3]\n"), "22",
         "bodies[1].inertia_kgm2: is no inertia: one moment, 0.001, is above the sum of the others, 2e-05");
  Expect(Toml("[[paths]]\nway_m = [0, 0, 1]\n[[paths.shapes]]\nkind = \"sphere\"\nradius_m = 0.01\n"), "22",
         "paths[0].way_m: is 1 m long, too far for a period_s of 1: at most 0.3183 m");
}

// Source: h² K/m <= 1/2 and h B/m <= 1/2 with h = 1 ms: 0.5e6 · 0.2 kg and 500 · 0.2 kg.
TEST(SceneRefusals, SayHowStiffASpringMayBe) {
  const std::string slider = "[[joints]]\nkind = \"slider\"\na = \"block\"\n";
  Expect(Toml("[[bodies]]\nname = \"light\"\nmass_kg = 0.02\ninertia_kgm2 = [1e-5, 1e-5, 1e-5]\n"
              "[[joints]]\nkind = \"slider\"\na = \"light\"\nstiffness = 60000\n"),
         "28", "joints[0].stiffness: 60000 is too stiff for the joint's bodies at 1 kHz: at most 1e+04");
  Expect(Toml(slider + "damping = 200\n"), "24",
         "joints[0].damping: 200 is too much for the joint's bodies at 1 kHz: at most 100");
  Expect(Toml("[[fields]]\nkind = \"point\"\nstrength = 60000\n"), "23",
         "fields[0].strength: 60000 is too stiff, with what else holds it, for the tool at 1 kHz: at most 5e+04");
  EXPECT_EQ(ErrorOf(Toml(slider + "damping = 99.9\n")), "");
}

TEST(SceneRefusals, TwoLawsOfOnePair) {
  Expect(Toml(Pair("friction = 0.1\n") + Pair("friction = 0.2\n")), "26",
         "pairs[1].a: \"tip\" and \"floor\" have a pair already: pairs[0], line 21");
  Expect(Toml(Pair("friction = 0.1\n") + "[[pairs]]\na = \"floor\"\nb = \"tip\"\n"), "26",
         "pairs[1].a: \"floor\" and \"tip\" have a pair already");
  EXPECT_EQ(ErrorOf(Toml(Pair("") + "[[pairs]]\na = \"floor\"\nb = \"any\"\n")), "");
}

// A file that takes in another says its own.
TEST(SceneRefusals, NotAPairInsteadOfAnIncludedOne) {
  const SceneFolder folder;
  (void)folder.Write("room.toml", Pair("friction = 0.1\n"));
  const SceneFile file = LoadScene(folder.Write("own.toml", "include = [\"room.toml\"]\n" + Toml(Pair("friction = 0.2\n"))));
  ASSERT_EQ(file.scene.laws.size(), 2);
  EXPECT_EQ(file.scene.laws[1].friction, 0.2);  // the later one counts
}

TEST(SceneRefusals, TwoPathsOfOneName) {
  const std::string shape = "[[paths.shapes]]\nkind = \"sphere\"\nradius_m = 0.01\n";
  const auto path = [&](const std::string& name) { return "[[paths]]\nname = \"" + name + "\"\n" + shape; };
  Expect(Toml(path("p") + path("p")), "27", "paths[1].name: \"p\" is the name of another path or body");
  for (const char* const name : {"block", "tool", "world"}) Expect(Toml(path(name)), "22", "paths[0].name: ");
  EXPECT_EQ(ErrorOf(Toml(path("p") + path("q"))), "");
  Expect(Toml(path("p") + path("q") + path("r")), "31", "paths[2]: is one too many: a controller has room for 2 paths");
  Expect(Toml("[[paths]]\nway_m = [0, 0, 0.1]\n"), "21", "paths[0].shapes: are missing");
}

TEST(SceneRefusals, AJointThatStartsBesideItsStops) {
  Expect(Toml(Hinge("low_deg = 10\nhigh_deg = 20\n")), "24", "joints[0].low_deg: 10 is above 0, where the joint starts");
  Expect(Toml(Hinge("low_deg = -20\nhigh_deg = -10\n")), "25", "joints[0].high_deg: -10 is below 0, where the joint starts");
  EXPECT_EQ(ErrorOf(Toml(Hinge("low_deg = 0\nhigh_deg = 20\n"))), "");
  // The tool starts in the hand, wherever its joint stands.
  EXPECT_EQ(ErrorOf(Toml("[[joints]]\nkind = \"slider\"\na = \"tool\"\nlow_m = 0.01\nhigh_m = 0.02\n")), "");
}

TEST(SceneRefusals, ARopeThatIsShorterThanItsWay) {
  const std::string rope = "[[joints]]\nkind = \"rope\"\na = \"block\"\nat_m = [0.1, 0, 0]\nto_m = [0.1, 0, 0.1]\n";
  Expect(Toml(rope + "length_m = 0.05\n"), "26", "joints[0].length_m: 0.05 is less than 0.1, from at_m to to_m");
  Expect(Toml(rope), "21", "joints[0].length_m: is missing");
  Expect(Toml(rope + "length_m = 0\n"), "26", "joints[0].length_m: is 0; a rope's is above 0, at most 10");
  EXPECT_EQ(ErrorOf(Toml(rope + "length_m = 0.1\n")), "");
  Expect(Toml("[[joints]]\nkind = \"rope\"\na = \"block\"\nlength_m = 1\nto_m = [11, 0, 0]\n"), "25",
         "joints[0].to_m: 11 is");
}

TEST(SceneRefusals, AMotorWithoutForce) {
  Expect(Toml(Hinge("motor_speed = 1\n")), "24", "joints[0].motor_speed: needs a motor_force");
  Expect(Toml("[[joints]]\nkind = \"ball\"\na = \"block\"\nmotor_speed = 1\n"), "24",
         "joints[0].motor_speed: needs a motor_force");
  EXPECT_EQ(ErrorOf(Toml(Hinge("motor_speed = 1\nmotor_force = 0\n"))), "");  // switched off
}

TEST(SceneRefusals, AFieldThatDoesNothing) {
  Expect(Toml("[[fields]]\nkind = \"point\"\n"), "21", "fields[0].strength: is missing; its range is 0 to 100000");
  EXPECT_EQ(ErrorOf(Toml("[[fields]]\nkind = \"point\"\nstrength = 0\n")), "");  // switched off
  Expect(Toml("[[fields]]\nkind = \"detents\"\nstrength = 0.01\n"), "21",
         "fields[0].count: is missing: detents have 1 to 360 a turn");
  Expect(Toml("[[fields]]\nkind = \"detents\"\nstrength = 0.01\ncount = 0\n"), "24",
         "fields[0].count: is 0: detents have 1");
  Expect(Toml("[[fields]]\nkind = \"detents\"\nstrength = 0.001\ncount = 12\n", "translation"), "22",
         "fields[0].kind: \"detents\" turn the tool, and its motion is \"translation\"");
  EXPECT_EQ(ErrorOf(Toml("[[fields]]\nkind = \"detents\"\nstrength = 0.001\ncount = 12\n")), "");
  Expect(Toml("[[fields]]\nkind = \"point\"\nstrenght = 1\n"), "23",
         "fields[0].strenght: is not known here; did you mean st");
  Expect(Toml("[[fields]]\nkind = \"constant\"\nstrength = 1\n"), "21", "fields[0].direction: is missing");
  EXPECT_EQ(ErrorOf(Toml("[[fields]]\nkind = \"constant\"\nstrength = 1\ndirection = [0, 1, 0]\n")), "");
  Expect(Toml("[[fields]]\nkind = \"detents\"\nstrength = 0.001\ncount = 12\nmax_force_N = 1\n"), "25",
         "fields[0].max_force_N: is not for detents");
}

// 0 would be no bound at all: what overlaps leaves in one step. And half of a rotation turns nothing.
TEST(SceneRefusals, WhatWouldMeanTheOpposite) {
  const std::string body = "[[tool.shapes]]\nkind = \"sphere\"\nradius_m = 0.01\n";
  EXPECT_NE(ErrorOf("max_push_out_mps = 0\n[tool]\nmass_kg = 0.05\n" + body).find("max_push_out_mps: 0 is out of range"),
            std::string::npos);
  EXPECT_EQ(ErrorOf("max_push_out_mps = 0.0001\n[tool]\nmass_kg = 0.05\n" + body), "");
  const std::string floor = "[[world]]\nkind = \"half-space\"\nposition_m = [0, 0, -0.1]\n";
  Expect(Toml(floor + "axis = [0, 1, 0]\n"), "24", "world[1].axis: turns nothing by itself");
  EXPECT_EQ(ErrorOf(Toml(floor + "axis = [0, 1, 0]\nangle_deg = 10\n")), "");
}

// A key behind a table is in that table: what has nothing in common with its keys gets no suggestion but all of them.
TEST(SceneRefusals, AKeyOfAnotherTable) {
  const std::string error = ErrorOf(Toml("[[world]]\nkind = \"half-space\"\ngravity_mps2 = [0, 0, -9.81]\n"));
  EXPECT_EQ(error.find("did you mean"), std::string::npos) << error;
  EXPECT_NE(error.find("is not known here; a key is in the [table] above it, which has: "), std::string::npos) << error;
}

TEST(SceneRefusals, AWaveAlongTheNormal) {
  const std::string wave = "wave_length_m = 0.01\nwave_height_m = 0.0001\nwave_along = ";
  Expect(Toml(Pair(wave + "[0, 0, 2]\n")), "26", "pairs[0].wave_along: is the normal of its half-space");
  EXPECT_EQ(ErrorOf(Toml(Pair(wave + "[1, 0, 2]\n"))), "");
  // A box of that material has sides, which the wave goes along.
  EXPECT_EQ(ErrorOf(Toml("[[world]]\nkind = \"box\"\nsize_m = [0.01, 0.01, 0.01]\nmaterial = \"floor\"\n" +
                         Pair(wave + "[0, 0, 1]\n"))),
            "");
}

TEST(SceneRefusals, AShapeInAPlaceThatCannotHaveIt) {
  const std::string body = "[[bodies]]\n[[bodies.shapes]]\nkind = ";
  Expect(Toml(body + "\"half-space\"\n"), "23", "bodies[1].shapes[0].kind: \"half-space\" is for the world only");
  Expect(Toml(body + "\"torus\"\nradius_m = 0.02\ntube_radius_m = 0.005\n"), "23",
         "bodies[1].shapes[0].kind: \"torus\" is for the world and paths only");
  Expect(Toml("[[paths]]\n[[paths.shapes]]\nkind = \"half-space\"\n"), "23",
         "paths[0].shapes[0].kind: \"half-space\" is for the world only");
  Expect(Toml("[[bodies]]\n[[bodies.shapes]]\nkind = \"hull\"\ncorners = [{ at_m = [0, 0, 0] }, { at_m = [0.01, 0, 0] }, "
              "{ at_m = [0, 0.01, 0] }, { at_m = [0, 0, 0.01] }]\n"),
         "21", "bodies[1].inertia_kgm2: is missing: a hull's moments are not computed here");
}

TEST(SceneRefusals, AxesByTheirKeys) {
  Expect(Toml(Hinge("axis = [inf, 0, 0]\n")), "24", "joints[0].axis: inf is not finite");
  Expect(Toml(Hinge("axis = [0, 0, 0]\n")), "24", "joints[0].axis: has no direction");
  Expect(Toml("[[fields]]\nkind = \"line\"\nstrength = 1\ndirection = [0, 0, 0]\n"), "24",
         "fields[0].direction: has no dir");
  Expect(Toml("[[world]]\nkind = \"sphere\"\nradius_m = 0.01\nangle_deg = nan\n"), "24",
         "world[1].angle_deg: nan is not fin");
  EXPECT_EQ(ErrorOf(Toml(Hinge("axis = [1e308, 0, 0]\n"))), "");
  EXPECT_EQ(ErrorOf(Toml(Hinge("axis = [0, 1e-320, 0]\n"))), "");
}

TEST(SceneRefusals, AClutchInASecondHand) {
  const std::string second = "[second_tool]\n[[second_tool.shapes]]\nkind = \"sphere\"\nradius_m = 0.01\n";
  const std::string hand = "duration_s = 1\n";
  const std::string what = "true is for one tool: with two there is no clutch";
  Expect(Toml(second + "[[hand]]\n" + hand + "[[second_hand]]\n" + hand + "clutch = true\n"), "29",
         "second_hand[0].clutch: " + what);
  Expect(Toml(second + "[[hand]]\n" + hand + "clutch = true\n[[second_hand]]\n" + hand), "27", "hand[0].clutch: " + what);
  EXPECT_EQ(ErrorOf(Toml("[[hand]]\nclutch = true\n" + hand)), "");
}

TEST(SceneRefusals, NoShippedScene) {
  for (const std::string& path : ShippedScenes()) EXPECT_NO_THROW((void)LoadScene(path)) << path;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(TACTUS_SOURCE_FOLDER) + "/rigs/scenes"))
    EXPECT_NO_THROW((void)LoadScene(entry.path().string())) << entry.path();
}

}  // namespace
}  // namespace tactus::host
