// Scene files: the shipped ones run, and an error says where it is and what would be right.
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "host_tools/link/host_error.h"
#include "host_tools/scene/mass_properties.h"
#include "host_tools/scene/scene_drawing.h"
#include "host_tools/scene/scene_file.h"
#include "host_tools/scene/scene_places.h"
#include "host_tools/scene/start_check.h"
#include "local_run.h"
#include "scene_folder.h"
#include "temporary_file.h"

namespace tactus::host {
namespace {

/// A small good file; `change` comes at its end.
std::string Toml(const std::string& end) {
  return "gravity_mps2 = [0, 0, -9.81]\n"
         "[tool]\n"
         "mass_kg = 0.1\n"
         "[[tool.shapes]]\n"
         "kind = \"sphere\"\n"
         "radius_m = 0.01\n"
         "[[bodies]]\n"
         "name = \"block\"\n"
         "mass_kg = 0.2\n"
         "position_m = [0.1, 0, 0]\n"
         "[[bodies.shapes]]\n"
         "kind = \"box\"\n"
         "size_m = [0.02, 0.04, 0.06]\n" +
         end;
}

SceneFile Load(const std::string& text) {
  const TemporaryFile file("toml");
  std::ofstream(file.path()) << text;
  return LoadScene(file.path());
}

TEST(SceneFile, ReadsWhatItSays) {
  const SceneFile file =
      Load(Toml("[[joints]]\nkind = \"hinge\"\na = \"block\"\nat_m = [0.1, 0.05, 0]\nhigh_deg = 90\n"
                "[coupling]\nstiffness_N_per_m = 800\n[checks]\nmax_force_N = 3\n"));
  ASSERT_EQ(file.scene.bodies.size(), 2);
  EXPECT_EQ(file.bodies[1], "block");
  EXPECT_EQ(file.scene.shapes[1].body, 1);
  // Source: box m/12 (b² + c²), ball 2/5 m r².
  EXPECT_NEAR(file.scene.bodies[1].inertia_kgm2[0], 0.2 / 12 * (0.04 * 0.04 + 0.06 * 0.06), 1e-12);
  EXPECT_NEAR(file.scene.bodies[0].inertia_kgm2[1], 0.4 * 0.1 * 1e-4, 1e-12);
  ASSERT_EQ(file.scene.joints.size(), 1);
  EXPECT_NEAR(file.scene.joints[0].p_AJ_m[1], 0.05, 1e-12);  // in the block's frame
  EXPECT_NEAR(file.scene.joints[0].p_AJ_m[0], 0, 1e-12);
  EXPECT_TRUE(file.scene.joints[0].limited);
  EXPECT_NEAR(file.scene.joints[0].high, 1.5707963267948966, 1e-12);
  EXPECT_EQ(file.checks.bounds.at("max_force_N"), 3);
  wire::Config config = servo::ConfigToWire(PegInHoleConfig());
  file.Tell(&config);
  EXPECT_EQ(config.coupling_stiffness_N_per_m(), 800);
}

TEST(SceneFile, NamesFileLineFieldAndRange) {
  const auto expect = [](const std::string& end, const std::string& line, const std::string& words) {
    const std::string error = ErrorOf(Toml(end));
    EXPECT_NE(error.find(".toml:" + line + ": "), std::string::npos) << error << "\nwanted line " << line;
    EXPECT_NE(error.find(words), std::string::npos) << error << "\nwanted " << words;
  };
  expect("[[bodies]]\nmass_kg = -2\ninertia_kgm2 = [1e-5, 1e-5, 1e-5]\n", "15",
         "bodies[1].mass_kg: -2 is out of range: 0.001 to 1000");
  // Said of the mass, and not of the moments that would be made of it.
  expect("[[bodies]]\nmass_kg = -2\n[[bodies.shapes]]\nkind = \"sphere\"\nradius_m = 0.01\n", "15",
         "bodies[1].mass_kg: -2 is out of range: 0.001 to 1000");
  expect("[any_pair]\nfriction = 11\n", "15", "any_pair.friction: 11 is out of range: 0 to 10");
  expect("[coupling]\nstiffness_N_per_m = 3e6\n", "15", "coupling.stiffness_N_per_m: 3e+06 is out of range: 1 to 20000");
  expect("[[bodies]]\nmass_kg = nan\ninertia_kgm2 = [1e-5, 1e-5, 1e-5]\n", "15", "is not finite");
  expect("[[bodies]]\nmass_kg = \"much\"\n", "15", "is no number");
  expect("[[bodies]]\nmas_kg = 1\n[[bodies.shapes]]\nkind = \"sphere\"\nradius_m = 0.01\n", "15", "did you mean mass_kg");
  expect("[[world]]\nkind = \"cube\"\n", "15", "\"cube\" is none of: half-space, sphere");
  expect("[[world]]\nkind = \"box\"\nsize_m = [1, 2]\n", "16", "are not three numbers");
  expect("[[world]]\nkind = \"box\"\nsize_m = [0.1, 0, 0.1]\n", "16", "world[0].size_m: 0 is out of range: 8e-05 to 20");
  expect("[[world]]\nkind = \"sphere\"\n", "14", "world[0].radius_m: is missing; its range is 2e-05 to 10");
  expect("[[world]]\nkind = \"box\"\nsize_m = [1, 1, 0.0004]\n", "14",
         "rounding_m: is 0.0002 where it is left out, too much for an edge of 0.0004: give at most 0.0001");
  expect("[[world]]\nkind = \"box\"\nsize_m = [1, 1, 0.001]\nrounding_m = 0.001\n", "17",
         "rounding_m: 0.001 is out of range: 2e-05 to 0.00025");
  expect("[[joints]]\nkind = \"hinge\"\na = \"blok\"\n", "16", "\"blok\" is none of: tool, block, world");
  expect("[[joints]]\nkind = \"hinge\"\na = \"block\"\nlow_deg = 20\nhigh_deg = 10\n", "17", "is above high");
  expect("[[fields]]\nkind = \"point\"\nstrength = -1\n", "16", "strength: -1 is out of range");
  expect("[checks]\nmax_farce_N = 1\n", "15", "did you mean max_force_N");
  expect("[checks]\nmax_force_N = 0\n", "15", "checks.max_force_N: 0 is out of range: 1e-06 to 1000");
  expect("[checks]\nmax_force_N = -1\n", "15", "checks.max_force_N: -1 is out of range: 1e-06 to 1000");
  expect("[checks]\nmin_exact_share = 1.1\n", "15", "checks.min_exact_share: 1.1 is out of range: 0 to 1");
  expect("[[joints]]\nkind = \"gear\"\na = \"block\"\nb = \"tool\"\nratio = 0\n", "18",
         "joints[0].ratio: 0 holds a and leaves b free; its range is -100 to 100 without 0");
  expect("[[bodies]]\nname = \"\"\n", "15", "bodies[1].name: is empty: give a name, or leave it out");
  expect("[[hand]]\nname = \"\"\nduration_s = 1\n", "15", "hand[0].name: is empty");
  expect("[[hand]]\nduration_s = 0\n", "15", "above 0");
  // Moments that were made of shapes and a mass are not a key of the file.
  const std::string small_words =
      "its shapes and mass give moments of 1.67e-10 to 1.67e-10 kg m2, the least is 1e-09: larger";
  expect("[[bodies]]\nmass_kg = 0.001\n[[bodies.shapes]]\nkind = \"box\"\nsize_m = [0.001, 0.001, 0.001]\n", "16",
         "bodies[1].shapes: " + small_words);
  expect("[[bodies]]\nname = \"block\"\n", "15", "is the name of another body");
  expect("gravity = \n", "14", "");
  expect("[[bodies]]\nmass_kg = 1\n[[bodies.shapes]]\nkind = \"sphere\"\nradius_m = 0.01\nposition_m = [0.01, 0, 0]\n", "14",
         "the centre of mass, which is at [0.01, 0, 0]");
  std::string many;
  for (int i = 0; i < 24; ++i) many += "[[bodies]]\ninertia_kgm2 = [1e-5, 1e-5, 1e-5]\n";
  expect(many, "58", "bodies[23]: is one too many: a controller has room for 24 bodies");
  EXPECT_NE(ErrorOf("title = \"nothing\"\n").find("tool: is missing"), std::string::npos);
}

TEST(SceneFile, TakesInOtherFiles) {
  const SceneFolder folder;
  folder.Write("floor.toml",
               "gravity_mps2 = [0, 0, -1]\n[[world]]\nkind = \"half-space\"\nmaterial = \"ice\"\n"
               "position_m = [0, 0, -0.1]\n");
  folder.Write("room.toml",
               "include = [\"floor.toml\"]\n[[world]]\nkind = \"sphere\"\nradius_m = 0.02\nposition_m = [1, 0, 0]\n"
               "[coupling]\nstiffness_N_per_m = 700\ndamping_Ns_per_m = 1\n");
  const SceneFile file = LoadScene(folder.Write(
      "own.toml",
      "include = [\"room.toml\"]\n" + Toml("[[world]]\nkind = \"box\"\nsize_m = [0.1, 0.1, 0.1]\nposition_m = [2, 0, 0]\n"
                                           "[coupling]\nstiffness_N_per_m = 800\n")));
  EXPECT_EQ(file.scene.gravity_W_mps2[2], -9.81);  // the file's own, not the floor's
  ASSERT_EQ(file.scene.shapes.size(), 5);
  EXPECT_EQ(file.scene.shapes[2].kind, ShapeKind::kHalfSpace);  // what is included comes first
  EXPECT_EQ(file.scene.shapes[3].kind, ShapeKind::kSphere);
  EXPECT_EQ(file.scene.shapes[4].kind, ShapeKind::kBox);
  EXPECT_EQ(file.coupling.at("stiffness_N_per_m"), 800);
  EXPECT_EQ(file.coupling.at("damping_Ns_per_m"), 1);
}

TEST(SceneFile, NamesTheIncludedFileInErrors) {
  const SceneFolder folder;
  folder.Write("floor.toml", "\n[[world]]\nkind = \"sphere\"\nradius_m = -1\n");
  const std::string good = Toml("");
  EXPECT_NE(ErrorOfScene(folder.Write("a.toml", "include = [\"floor.toml\"]\n" + good))
                .find("floor.toml:4: world[0].radius_m: -1 is out of range"),
            std::string::npos)
      << ErrorOfScene(folder.Write("a.toml", "include = [\"floor.toml\"]\n" + good));
  EXPECT_NE(ErrorOfScene(folder.Write("b.toml", "\ninclude = [\"none.toml\"]\n" + good))
                .find("b.toml:2: include: there is no file"),
            std::string::npos);
  EXPECT_NE(ErrorOfScene(folder.Write("c.toml", "include = [\"c.toml\"]\n" + good)).find("includes itself"),
            std::string::npos);
  EXPECT_NE(ErrorOfScene(folder.Write("d.toml", "include = \"floor.toml\"\n" + good)).find("is no list of files"),
            std::string::npos);
  for (int i = 0; i < 5; ++i)
    folder.Write("n" + std::to_string(i) + ".toml", "include = [\"n" + std::to_string(i + 1) + ".toml\"]\n");
  EXPECT_NE(ErrorOfScene(folder.Write("e.toml", "include = [\"n0.toml\"]\n")).find("more than 4 files deep"),
            std::string::npos);
  std::string wide = "include = [";
  for (int i = 0; i < 20; ++i) wide += "\"floor.toml\", ";
  EXPECT_NE(ErrorOfScene(folder.Write("f.toml", wide + "]\n" + good)).find("f.toml:1: include: "), std::string::npos);
  EXPECT_NE(ErrorOfScene(folder.Write("f.toml", wide + "]\n" + good)).find("floor.toml is one of more than 16 files"),
            std::string::npos);
}

TEST(SceneFile, TellsWhatIsInsideWhat) {
  // The block's face is at x = 0.09, the ball's radius 0.01: at 0.085 it is 5 mm inside.
  const auto look = [](const std::string& end) { return LookAtStart(Load(Toml(end))); };
  const std::string home = "[[hand]]\nduration_s = 1\nto_m = [0.05, 0, 0]\n";
  EXPECT_TRUE(look("").empty());
  EXPECT_TRUE(look(home + "[[hand]]\nduration_s = 1\nto_m = [0.079, 0, 0]\n").empty());
  const auto inside = look(home + "[[hand]]\nduration_s = 1\nto_m = [0.085, 0, 0]\n");
  ASSERT_EQ(inside.size(), 1u);
  EXPECT_NE(inside[0].find("\"tool\" starts 0.005 m inside \"block\": there is no force"), std::string::npos) << inside[0];
  // The block's lower face is at z = -0.03; the ball is 18 mm above.
  const auto block = look("[[world]]\nkind = \"half-space\"\nposition_m = [0, 0, -0.0296]\n");
  ASSERT_EQ(block.size(), 1u);
  EXPECT_NE(block[0].find("\"block\" starts 0.0004 m inside the world"), std::string::npos) << block[0];
  ASSERT_EQ(look(home).size(), 1u);
  EXPECT_NE(look(home)[0].find("the hand stands still"), std::string::npos);
  // The tool is put into the hand, at y = 0.03, and its joints stand where the file says.
  const std::string off = "[[hand]]\nduration_s = 1\n[[hand]]\nduration_s = 1\nto_m = [0, 0.03, 0]\n";
  const std::string slide = "[[joints]]\nkind = \"slider\"\na = \"tool\"\naxis = [0, 1, 0]\nlow_m = 0\nhigh_m = ";
  EXPECT_TRUE(look(off + slide + "0.03\n").empty());
  const auto beside = look(off + slide + "0.02\n");
  ASSERT_EQ(beside.size(), 1u);
  EXPECT_NE(beside[0].find("joints[0] starts at 0.03 m, beside its stops, 0 to 0.02"), std::string::npos) << beside[0];
  const auto taut = look(off + "[[joints]]\nkind = \"rope\"\na = \"tool\"\nto_m = [0, 0, 0]\nlength_m = 0.02\n");
  ASSERT_EQ(taut.size(), 1u);
  EXPECT_NE(taut[0].find("joints[0], a rope of 0.02 m, starts 0.03 m long"), std::string::npos) << taut[0];
  // The controller's workspace, guard.workspace_radius_m: 0.15 m.
  const auto far = look(home + "[[hand]]\nname = \"far\"\nduration_s = 1\nto_m = [0, 0.12, 0.09]\n");
  ASSERT_EQ(far.size(), 1u);
  EXPECT_NE(far[0].find("\"far\" goes 0.15 m from the origin; at 0.15 m the workspace ends"), std::string::npos) << far[0];
  for (const std::string& path : ShippedScenes()) EXPECT_TRUE(LookAtStart(LoadScene(path)).empty()) << path;
}

// Source: K (t/2 + r), 300 N/m (10 mm + 10 mm) = 6 N and 500 N/m (20 mm) = 10 N, where the default force is 8 N.
TEST(SceneFile, TellsWhatATouchGoesThrough) {
  const auto look = [](const std::string& K) {
    return LookAtStart(Load(Toml("[any_pair]\nstiffness_N_per_m = " + K + "\n")));
  };
  const auto soft = look("300");
  ASSERT_EQ(soft.size(), 1u);
  EXPECT_NE(soft[0].find("yields with 300 N/m: one point that carries 6 N is past the middle of what is 0.02 m thick"),
            std::string::npos)
      << soft[0];
  EXPECT_TRUE(look("500").empty());
  EXPECT_TRUE(look("0").empty());
}

TEST(SceneFile, NamesWhatIsWrongWithAGridOrATorus) {
  const SceneFolder folder;
  const auto error = [&folder](const std::string& shape) {
    return ErrorOfScene(folder.Write("a.toml",
                                     "[tool]\nmass_kg = 0.1\n[[tool.shapes]]\nkind = \"sphere\"\nradius_m = 0.004\n"
                                     "[[world]]\n" +
                                         shape));
  };
  const auto says = [](const std::string& what, const std::string& part) {
    EXPECT_NE(what.find(part), std::string::npos) << what;
  };
  (void)folder.Write("part.stl", std::string(100, 'x'));
  const std::string pebble = std::filesystem::absolute(ScenesFolder() + "/pebble.tsdf").string();
  EXPECT_EQ(error("kind = \"grid\"\nfile = \"" + pebble + "\"\n"), "");
  // Source: 6 mm, 3 mm and the margin of 0.5 mm are 9.5; said upwards. Its band is 8 mm.
  says(ErrorOfScene(folder.Write("a.toml",
                                 "[tool]\n[[tool.shapes]]\nkind = \"sphere\"\nradius_m = 0.006\n[[world]]\nkind = \"grid\"\n"
                                 "file = \"" +
                                     pebble + "\"\n")),
       "a.toml:4: tool.shapes[0].radius_m: 0.006, with margin_m and 3 mm on it, is beyond a grid's band: bake the grid with "
       "--band 9.6mm");
  says(error("kind = \"grid\"\n"), "world[0].file: is missing");
  says(error("kind = \"grid\"\nfile = \"none.tsdf\"\n"), "none.tsdf': No such file");
  says(error("kind = \"grid\"\nfile = \".\"\n"), "world[0].file: cannot read");
  says(error("kind = \"grid\"\nfile = \"part.stl\"\n"), "is not a distance grid: `tactus scene bake` makes one");
  for (const char* const bad : {"0", "-1", "nan", "inf", "1e300"})
    says(error("kind = \"grid\"\nfile = \"" + pebble + "\"\nspacing_m = " + bad + "\n"), "world[0].spacing_m: ");
  EXPECT_EQ(error("kind = \"torus\"\nradius_m = 0.01\ntube_radius_m = 0.002\n"), "");
  says(error("kind = \"torus\"\nradius_m = 0.01\n"), "world[0].tube_radius_m: is missing");
  says(error("kind = \"torus\"\nradius_m = 0.01\ntube_radius_m = 0.01\n"), "there is no hole");
  for (const char* const bad : {"0", "-1", "nan", "inf", "1e300"}) {
    says(error(std::string("kind = \"torus\"\ntube_radius_m = 0.002\nradius_m = ") + bad + "\n"), "world[0].radius_m: ");
    says(error(std::string("kind = \"torus\"\nradius_m = 0.01\ntube_radius_m = ") + bad + "\n"), "world[0].tube_radius_m: ");
  }
}

/// Of a tool that is one shape.
std::string ErrorOfTool(const std::string& shape) { return ErrorOf("[tool]\nmass_kg = 0.1\n[[tool.shapes]]\n" + shape); }

TEST(SceneFile, NamesWhatIsWrongWithACone) {
  const auto says = [](const std::string& what, const std::string& part) {
    EXPECT_NE(what.find(part), std::string::npos) << what;
  };
  EXPECT_EQ(ErrorOfTool("kind = \"cone\"\nradius_m = 0.01\nlength_m = 0.02\n"), "");
  says(ErrorOfTool("kind = \"cone\"\nradius_m = 0.01\n"), "tool.shapes[0].length_m: is missing");
  says(ErrorOfTool("kind = \"cone\"\nlength_m = 0.01\n"), "tool.shapes[0].radius_m: is missing");
  for (const char* const bad : {"0", "-1", "nan", "inf", "1e300"}) {
    says(ErrorOfTool(std::string("kind = \"cone\"\nlength_m = 0.02\nradius_m = ") + bad + "\n"),
         "tool.shapes[0].radius_m: ");
    says(ErrorOfTool(std::string("kind = \"cone\"\nradius_m = 0.01\nlength_m = ") + bad + "\n"),
         "tool.shapes[0].length_m: ");
    says(ErrorOfTool(std::string("kind = \"cone\"\nradius_m = 0.01\nlength_m = 0.02\nrounding_m = ") + bad + "\n"),
         "tool.shapes[0].rounding_m: ");
  }
  says(ErrorOfTool("kind = \"cone\"\nradius_m = 0.01\nlength_m = 0.02\nrounding_m = 0.004\n"), "to 0.00309017");
  says(ErrorOfTool("kind = \"cone\"\nradius_m = 4e-5\nlength_m = 8e-5\n"), "the largest ball inside is 4.94427e-05 wide");
  says(ErrorOfTool("kind = \"cone\"\nradius_m = 0.0005\nlength_m = 0.0005\n"), "is 0.0002 where it is left out, too much");
}

TEST(SceneFile, NamesWhatIsWrongWithAHole) {
  const auto error = [](const std::string& tool, const std::string& hole) {
    return ErrorOfTool(tool + "[[world]]\nkind = \"hole\"\n" + hole);
  };
  const auto says = [](const std::string& what, const std::string& part) {
    EXPECT_NE(what.find(part), std::string::npos) << what;
  };
  const std::string peg = "kind = \"cylinder\"\nradius_m = 0.00998\nlength_m = 0.04\n";
  const std::string good = "radius_m = 0.01\ndepth_m = 0.02\nrim_radius_m = 0.001\n";
  EXPECT_EQ(error(peg, good), "");
  says(error(peg, "radius_m = 0.01\ndepth_m = 0.02\n"), "world[0].rim_radius_m: is missing");
  says(error(peg, "radius_m = 0.01\nrim_radius_m = 0.001\n"), "world[0].depth_m: is missing");
  says(error(peg, "radius_m = 0.01\ndepth_m = 0.02\nrim_radius_m = 0.02\n"), "is the depth: there is no wall");
  for (const char* const bad : {"0", "-1", "nan", "inf", "1e300"}) {
    says(error(peg, std::string("depth_m = 0.02\nrim_radius_m = 0.001\nradius_m = ") + bad + "\n"), "world[0].radius_m: ");
    says(error(peg, std::string("radius_m = 0.01\nrim_radius_m = 0.001\ndepth_m = ") + bad + "\n"), "world[0].depth_m: ");
    says(error(peg, std::string("radius_m = 0.01\ndepth_m = 0.02\nrim_radius_m = ") + bad + "\n"),
         "world[0].rim_radius_m: ");
  }
  says(error("kind = \"box\"\nsize_m = [0.01, 0.01, 0.01]\n", good), "which makes no contacts with the scene's hole");
  says(error("kind = \"cylinder\"\nradius_m = 0.05\nlength_m = 0.1\nrounding_m = 0.02\n", good),
       "tool.shapes[0].rounding_m: 0.02 is not below the radius of the scene's hole");
  says(ErrorOfTool("kind = \"hole\"\n" + good + "inertia_kgm2 = [1e-5, 1e-5, 1e-5]\n"), "tool");
}

TEST(SceneFile, NamesWhatIsWrongWithAChamfer) {
  const auto error = [](const std::string& hole) {
    return ErrorOfTool("kind = \"sphere\"\nradius_m = 0.005\n[[world]]\nkind = \"hole\"\nradius_m = 0.01\ndepth_m = 0.02\n" +
                       hole);
  };
  const auto says = [](const std::string& what, const std::string& part) {
    EXPECT_NE(what.find(part), std::string::npos) << what;
  };
  EXPECT_EQ(error("rim_radius_m = 0.001\nchamfer_m = 0.002\n"), "");
  EXPECT_EQ(error("rim_radius_m = 0.001\nchamfer_m = 0\n"), "");
  says(error("rim_radius_m = 0.001\nchamfer_m = 0.0005\n"), "world[0].chamfer_m: is 0.0005: above 0.000585786 its edges");
  says(error("rim_radius_m = 0.001\nchamfer_m = 0.0196\n"), "world[0].chamfer_m: is 0.0196: below 0.0195858 there is wall");
  for (const char* const bad : {"-1e-3", "nan", "inf", "1e300", "11"})
    says(error(std::string("rim_radius_m = 0.001\nchamfer_m = ") + bad + "\n"), "world[0].chamfer_m: ");
}

// Source: closed form. The radius at the mouth is the image's second half extent.
TEST(SceneFile, AChamferIsTheRadiusAtTheMouth) {
  const SceneFolder folder;
  const SceneFile file = LoadScene(
      folder.Write("chamfer.toml",
                   "[[tool.shapes]]\nkind = \"sphere\"\nradius_m = 0.005\n[[world]]\nkind = \"hole\"\nradius_m = 0.01\n"
                   "depth_m = 0.02\nrim_radius_m = 0.001\nchamfer_m = 0.002\n"));
  EXPECT_EQ(file.scene.shapes[1].half_m, (Vector3{0.01, 0.012, 0.02}));
}

// Source: closed forms of a solid cone about its centre of mass, 3/20 m R² + 3/80 m H² and 3/10 m R².
TEST(SceneFile, AConeHasTheMomentsOfASolidOne) {
  const SceneFolder folder;
  const SceneFile file = LoadScene(folder.Write(
      "cone.toml", "[tool]\nmass_kg = 0.2\n[[tool.shapes]]\nkind = \"cone\"\nradius_m = 0.01\nlength_m = 0.03\n"));
  const Vector3& J = file.scene.bodies[0].inertia_kgm2;
  EXPECT_NEAR(J[0], 0.2 * (0.15 * 1e-4 + 0.0375 * 9e-4), 1e-18);
  EXPECT_NEAR(J[1], J[0], 1e-18);
  EXPECT_NEAR(J[2], 0.2 * 0.3 * 1e-4, 1e-18);
}

TEST(SceneFile, GuessesWhatWasMeant) {
  EXPECT_NE(ErrorOf("[tool]\nmass = 1\n[[tool.shapes]]\nkind = \"sphere\"\nradius_m = 0.01\n").find("did you mean mass_kg?"),
            std::string::npos);
  EXPECT_NE(ErrorOf("[[tool]]\nmass_kg = 1\n").find("is no list: write [tool]"), std::string::npos);
  EXPECT_NE(ErrorOf("[tool]\nname = \"pen\"\n").find("the tool's name is \"tool\""), std::string::npos);
  EXPECT_NE(ErrorOf("title = Door\n").find("a text needs quotes"), std::string::npos);
  EXPECT_NE(ErrorOf("gravity_mps2 = -9.81\n").find("-9.81 are not three numbers"), std::string::npos);
}

TEST(SceneFile, IsNotThere) {
  EXPECT_THROW((void)LoadScene("no_such_scene"), HostError);
  EXPECT_THROW((void)LoadScene("/"), HostError);
}

TEST(SceneFile, ShippedOnesLoadAndDrawTheSameTwice) {
  ASSERT_GT(ShippedScenes().size(), 10u);
  for (const std::string& path : ShippedScenes()) {
    const SceneFile file = LoadScene(path);
    EXPECT_FALSE(file.shows.empty()) << path;
    EXPECT_FALSE(file.checks.bounds.empty()) << path;
    const std::string svg = DrawScene(file);
    EXPECT_EQ(svg, DrawScene(LoadScene(path)));
    EXPECT_NE(svg.find("<polygon"), std::string::npos) << path;
    const auto name = std::filesystem::path(path).stem();
    const auto picture = std::filesystem::path(path).parent_path() / "../docs/img/scenes" / (name.string() + ".svg");
    std::ifstream in(picture);
    const std::string shown((std::istreambuf_iterator<char>(in)), {});
    EXPECT_EQ(shown, svg) << "./dev tactus scene draw " << name << " --out docs/img/scenes/" << name.string() << ".svg";
  }
}

/// Bytes cut or changed: an error, or a scene that holds; never a crash.
TEST(SceneFile, SurvivesDamage) {
  std::uint64_t state = 7;
  const auto draw = [&state](std::size_t below) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<std::size_t>(state >> 33) % below;
  };
  int refused = 0, taken = 0;
  for (const std::string& path : ShippedScenes()) {
    std::ifstream in(path);
    const std::string whole((std::istreambuf_iterator<char>(in)), {});
    for (int i = 0; i < 60; ++i) {
      std::string text = whole;
      if (i % 3 == 0) text.resize(draw(text.size()));
      for (int k = 0; i % 3 != 0 && k < i % 5 + 1; ++k) text[draw(text.size())] = static_cast<char>(draw(96) + 32);
      try {
        (void)Load(text);
        ++taken;
      } catch (const HostError&) {
        ++refused;
      }
    }
  }
  EXPECT_GT(refused, 100);
  EXPECT_GT(taken, 10);
}

// What `tactus test` does, as a user would call it.
TEST(SceneFile, ShippedOnesKeepWhatTheyAssert) {
  EXPECT_EQ(std::system((std::string(TACTUS_COMMAND) + " test > /dev/null").c_str()), 0);
}

}  // namespace
}  // namespace tactus::host
