// --set table.key=value: what is changed, and what is said of what cannot be.
#include <gtest/gtest.h>

#include "scene_folder.h"

namespace tactus::host {
namespace {

constexpr const char* kScene =
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
    "size_m = [0.02, 0.04, 0.06]\n";

SceneFile With(const std::vector<std::string>& changes) {
  const SceneFolder folder;
  return LoadScene(folder.Write("a.toml", kScene), changes);
}

std::string ErrorWith(const std::string& change) {
  const SceneFolder folder;
  return ErrorOfScene(folder.Write("a.toml", kScene), {change});
}

TEST(SceneSet, ChangesWhatItNames) {
  const SceneFile file =
      With({"coupling.stiffness_N_per_m=3000", "bodies[block].mass_kg=0.4", "bodies[0].shapes[0].size_m[2]=0.1",
            "gravity_mps2=[0, 0, -1.6]", "title=a moon", "tool.shapes[0].kind=\"sphere\""});
  EXPECT_EQ(file.coupling.at("stiffness_N_per_m"), 3000);  // a table that the file does not have
  EXPECT_EQ(file.scene.bodies[1].mass_kg, 0.4);
  EXPECT_EQ(file.scene.shapes[1].half_m[2], 0.05);
  EXPECT_EQ(file.scene.gravity_W_mps2[2], -1.6);
  EXPECT_EQ(file.title, "a moon");
  // Source: box m/12 (b² + c²), of the mass and the size that were set.
  EXPECT_NEAR(file.scene.bodies[1].inertia_kgm2[0], 0.4 / 12 * (0.04 * 0.04 + 0.1 * 0.1), 1e-12);
}

TEST(SceneSet, TheLastOneStands) { EXPECT_EQ(With({"tool.mass_kg=0.2", "tool.mass_kg=0.3"}).scene.bodies[0].mass_kg, 0.3); }

TEST(SceneSet, NamesItselfFieldAndRangeInErrors) {
  const std::pair<const char*, const char*> cases[] = {
      {"coupling.stiffness_N_per_m=-3", "coupling.stiffness_N_per_m: -3 is out of range: 1 to 20000"},
      {"coupling.stifness_N_per_m=3", "did you mean stiffness_N_per_m?"},
      {"copling.stiffness_N_per_m=3", "copling: is not known here; did you mean coupling?"},
      {"bodies[block].mass_kg=1e4", "bodies[0].mass_kg: 10000 is out of range: 0.001 to 1000"},
      {"bodies[block].mass_kg=0.5kg", "bodies[0].mass_kg: '0.5kg' is no number"},
      {"bodies[blok].mass_kg=1", "bodies has no item \"blok\"; named are: block"},
      {"bodies[1].mass_kg=1", "the first is [0]"},
      {"bodies.mass_kg=1", "bodies is a list: write bodies[0]"},
      {"bodies[0]=1", "is a table: name a key of it"},
      {"tool[0].mass_kg=1", "tool is no list"},
      {"tool=1", "tool: 1 is no table"},
      {"tool.mass_kg=nan", "is not finite"},
      {"tool.mass_kg.x=1", "mass_kg is no table"},
      {"joints[0].kind=weld", "the scene has no joints"},
      {"tool.mass_kg", "has no '='"},
      {"tool.mass_kg=", "has no value"},
      {"=1", "has no key"},
      {"tool..mass_kg=1", "has no key"},
      {"bodies[=1", "is no item"},
      {"bodies[]=1", "is no item"},
      {"title=a'b", "none of TOML's"},
      {"title=1\nmargin_m = 1", "none of TOML's"},
  };
  for (const auto& [change, words] : cases) {
    const std::string error = ErrorWith(change);
    EXPECT_TRUE(error.starts_with("--set " + std::string(change) + ": ")) << error;
    EXPECT_NE(error.find(words), std::string::npos) << error << "\nwanted " << words;
  }
}

/// Any bytes: an error, or a scene that holds; never a crash.
TEST(SceneSet, SurvivesAnyText) {
  std::uint64_t state = 11;
  const auto draw = [&state](std::size_t below) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<std::size_t>(state >> 33) % below;
  };
  const std::string whole = "bodies[block].shapes[0].size_m[2]=[1, {a = \"b\"}]";
  int refused = 0;
  for (int i = 0; i < 400; ++i) {
    std::string text = whole;
    if (i % 2 == 0) text.resize(draw(text.size()));
    for (int k = 0; !text.empty() && k < i % 7; ++k) text[draw(text.size())] = static_cast<char>(draw(255) + 1);
    refused += ErrorWith(text).empty() ? 0 : 1;
  }
  EXPECT_GT(refused, 380);
}

}  // namespace
}  // namespace tactus::host
