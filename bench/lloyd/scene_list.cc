#include "bench/lloyd/scene_list.h"

#include <fmt/format.h>

#include "bench/scenes/scenes.h"

namespace tactus::bench {
namespace {

constexpr int kWrenches = 20;        // [Lloyd04] 5.4
constexpr double kTickShare = 0.01;  // a hand's wrench changes by about 1 % in 1 ms

// Contacts of every block with what is below it: ten configurations with n from 4 to 32.
const std::vector<std::vector<int>> kStacks{{4},       {4, 4},       {4, 8},       {4, 4, 4},       {4, 4, 8},
                                            {4, 8, 8}, {4, 4, 4, 4}, {4, 8, 8, 8}, {4, 4, 4, 4, 4}, {4, 4, 8, 8, 8}};

template <class Make>
Scene MakeScene(SceneKind kind, const BenchOptions& options, std::uint64_t number, Make&& make) {
  Scene scene{.name = "", .kind = kind, .bodies = 0, .contacts = 0, .problems = {}};
  const int wrenches = options.quick ? 5 : kWrenches;
  for (int w = 0; w < wrenches; ++w) {
    Random random(options.seed * 1000003 + 1000 * number + static_cast<std::uint64_t>(w));
    host::ProblemDocument problem = make(&random);
    const int top = static_cast<int>(problem.bodies.size()) - 1;  // of a stack the top block is pushed
    Push(top, kind == SceneKind::kPeg ? 0.04 : 0.1, &random, &problem);
    scene.bodies = top + 1;
    scene.contacts = static_cast<int>(problem.contacts.size());
    scene.name = problem.name.value_or("");
    scene.problems.push_back({problem, Nudged(problem, kTickShare, &random)});
  }
  return scene;
}

}  // namespace

std::vector<Scene> LloydScenes(const BenchOptions& options) {
  std::vector<Scene> scenes;
  std::uint64_t number = 0;
  for (const int n : {8, 12, 16, 20, 24, 28, 32}) {
    scenes.push_back(MakeScene(SceneKind::kPeg, options, ++number, [n](Random* random) { return Peg(n, random); }));
    scenes.back().name = fmt::format("peg n={}", n);
  }
  for (int s = 0; s < kSituations; ++s) {
    scenes.push_back(
        MakeScene(SceneKind::kSituation, options, ++number, [s](Random* random) { return Situation(s, random); }));
  }
  for (const std::vector<int>& stack : kStacks) {
    scenes.push_back(
        MakeScene(SceneKind::kStack, options, ++number, [&stack](Random* random) { return Stack(stack, random); }));
    scenes.back().name = fmt::format("stack m={} n={}", scenes.back().bodies, scenes.back().contacts);
  }
  return scenes;
}

}  // namespace tactus::bench
