#include "host_tools/hil/rig_report.h"
#include "host_tools/report/junit.h"

#include <fmt/core.h>

#include <algorithm>

namespace tactus::host {
namespace {

/// As a cell of a table in Markdown.
std::string InCell(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '|' ? "\\|" : c == '\n' ? " " : c == '<' ? "&lt;" : std::string(1, c);
  return out;
}

std::string DeviceText(const RigFile& rig) {
  switch (rig.kind) {
    case RigKind::kSimulated: return fmt::format("{}, simulated", rig.device.device);
    case RigKind::kEmulated: return fmt::format("{}: a driver and its bytes", rig.device.device);
    case RigKind::kLine: return fmt::format("{} on {}", rig.device.device, rig.line);
  }
  return "unknown";
}

std::string ControllerText(const RigFile& rig, const RigResult& result) {
  const std::string where = rig.link.empty() ? "in the process of tactus" : rig.link;
  return result.board.empty() ? where : fmt::format("{} ({})", where, result.board);
}

/// A step of 1, 2 or 5 of which at most six reach to `most`.
double Step(double most) {
  double step = 1e-9;
  for (int i = 0; step * 6 < most; ++i) step *= i % 3 == 1 ? 2.5 : 2;
  return step;
}

}  // namespace

std::string RigMarkdown(const RigFile& rig, const RigResult& result, const std::string& when, const std::string& picture) {
  std::string page = fmt::format("# {}\n\n**{}**: {} passed, {} failed, {} not run.\n\n", InCell(rig.title),
                                 result.stopped_by != 0 ? "STOPPED"
                                 : result.failed()      ? "FAILED"
                                                        : "passed",
                                 result.Count(Verdict::kPass), result.Count(Verdict::kFail), result.Count(Verdict::kNotRun));
  page += fmt::format("| | |\n|---|---|\n| rig | {} |\n| device | {} |\n| controller | {} |\n", InCell(rig.path),
                      InCell(DeviceText(rig)), InCell(ControllerText(rig, result)));
  if (!rig.scene.empty()) page += fmt::format("| scene | {} |\n", InCell(rig.scene));
  page += fmt::format("| when | {} |\n\n| | check | found |\n|---|---|---|\n", when);
  for (const RigCheck& check : result.checks)
    page += fmt::format("| {} | {}: {} | {} |\n", check.verdict == Verdict::kFail ? "**FAIL**" : Name(check.verdict),
                        check.group, InCell(check.name), InCell(check.what));
  if (!picture.empty())
    page += fmt::format(
        "\n![Force over depth, and F = K d]({})\n\nDots: means of 40 ms in which the handle was slow. Line: K d.\n",
        picture);
  return page;
}

std::string WallSvg(const RigWall& wall, const std::vector<WallPoint>& points) {
  constexpr double kWidth = 640, kHeight = 360, kLeft = 70, kRight = 610, kTop = 20, kBottom = 300;  // pixels
  constexpr std::size_t kMostDots = 500;
  double deepest_m = 1e-4, largest_N = 1e-3;
  for (const WallPoint& point : points) {
    deepest_m = std::max(deepest_m, point.depth_m);
    largest_N = std::max({largest_N, point.force_N, wall.stiffness_N_per_m * point.depth_m});
  }
  const auto x = [&](double depth_m) { return kLeft + depth_m / deepest_m * (kRight - kLeft); };
  const auto y = [&](double force_N) { return kBottom - std::max(force_N, 0.0) / largest_N * (kBottom - kTop); };
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {:g} {:g}\" font-family=\"sans-serif\" font-size=\"13\">\n"
      "<rect width=\"{:g}\" height=\"{:g}\" fill=\"white\"/>\n",
      kWidth, kHeight, kWidth, kHeight);
  for (double d = 0; d <= deepest_m; d += Step(deepest_m))
    svg += fmt::format("<text x=\"{:.1f}\" y=\"{:g}\" text-anchor=\"middle\">{:.3g}</text>\n", x(d), kBottom + 18, 1e3 * d);
  for (double f = 0; f <= largest_N; f += Step(largest_N))
    svg += fmt::format(
        "<line x1=\"{:g}\" y1=\"{:.1f}\" x2=\"{:g}\" y2=\"{:.1f}\" stroke=\"#e4e4e4\"/>\n<text x=\"{:g}\" y=\"{:.1f}\" "
        "text-anchor=\"end\">{:.3g}</text>\n",
        kLeft, y(f), kRight, y(f), kLeft - 7, y(f) + 4, f);
  const std::size_t every = points.size() / kMostDots + 1;
  for (std::size_t i = 0; i < points.size(); i += every)
    svg += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2.5\" fill=\"#1f77b4\" fill-opacity=\"0.6\"/>\n",
                       x(points[i].depth_m), y(points[i].force_N));
  svg += fmt::format("<line x1=\"{:g}\" y1=\"{:g}\" x2=\"{:g}\" y2=\"{:.1f}\" stroke=\"#d62728\" stroke-width=\"1.5\"/>\n",
                     kLeft, kBottom, kRight, y(wall.stiffness_N_per_m * deepest_m));
  svg += fmt::format("<rect x=\"{:g}\" y=\"{:g}\" width=\"{:g}\" height=\"{:g}\" fill=\"none\" stroke=\"#444\"/>\n", kLeft,
                     kTop, kRight - kLeft, kBottom - kTop);
  svg += fmt::format("<text x=\"{:g}\" y=\"{:g}\" text-anchor=\"middle\">depth [mm]</text>\n", (kLeft + kRight) / 2,
                     kBottom + 42);
  svg += fmt::format("<text x=\"{:g}\" y=\"{:g}\">force [N]; line: {:g} N/m</text>\n", kLeft + 10, kTop + 18,
                     wall.stiffness_N_per_m);
  return svg + "</svg>\n";
}

std::string RigJunit(const RigFile& rig, const RigResult& result) {
  std::vector<JunitCase> cases;
  for (const RigCheck& check : result.checks) {
    cases.push_back({.group = check.group, .name = check.name, .failure = {}, .skipped = {}});
    if (check.verdict == Verdict::kFail) cases.back().failure = check.what;
    if (check.verdict == Verdict::kNotRun) cases.back().skipped = check.what;
  }
  return Junit(rig.title, cases);
}

}  // namespace tactus::host
