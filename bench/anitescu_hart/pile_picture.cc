#include "bench/anitescu_hart/pile_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bench/report/table.h"

namespace tactus::bench {
namespace {

constexpr double kFrameWidth = 430, kFrameHeight = 300, kHead = 40, kCaption = 26;  // pixels
constexpr int kPerRow = 2;
constexpr double kMost_N_px = 7;  // width of the largest force

struct View {
  double left_m, right_m, top_m, scale_px;

  double X(double x_m) const { return 12 + (x_m - left_m) * scale_px; }
  double Y(double y_m) const { return kFrameHeight - kCaption - 8 - y_m * scale_px; }
};

View ViewOf(const std::vector<PileFrame>& frames) {
  View view{0, 0, 0, 1};
  for (const PileFrame& frame : frames) {
    for (const PileFrame::Disk& disk : frame.disks) {
      view.left_m = std::min(view.left_m, disk.x_m - frame.radius_m);
      view.right_m = std::max(view.right_m, disk.x_m + frame.radius_m);
      view.top_m = std::max(view.top_m, disk.y_m + frame.radius_m);
    }
  }
  view.scale_px = std::min((kFrameWidth - 24) / (view.right_m - view.left_m), (kFrameHeight - kCaption - 16) / view.top_m);
  return view;
}

double LargestForce_N(const std::vector<PileFrame>& frames) {
  double most_N = 0;
  for (const PileFrame& frame : frames) {
    for (const PileFrame::Force& force : frame.forces) most_N = std::max(most_N, std::hypot(force.fx_N, force.fy_N));
  }
  return most_N;
}

std::string Line(double x1, double y1, double x2, double y2, const char* colour, double width) {
  return fmt::format(
      "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\" stroke-width=\"{:.2f}\" "
      "stroke-linecap=\"round\"/>\n",
      x1, y1, x2, y2, colour, width);
}

std::string Draw(const PileFrame& frame, const View& view, double most_N, const std::string& caption) {
  std::string svg = Line(4, view.Y(0), kFrameWidth - 4, view.Y(0), "#333", 2);
  const double r_px = frame.radius_m * view.scale_px;
  for (const PileFrame::Disk& disk : frame.disks) {
    const double x = view.X(disk.x_m), y = view.Y(disk.y_m);
    svg += fmt::format(
        "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\" fill=\"#dce9f5\" stroke=\"#0072b2\" stroke-width=\"0.8\"/>\n", x,
        y, r_px);
    svg += Line(x, y, x + 0.8 * r_px * std::sin(disk.angle_rad), y - 0.8 * r_px * std::cos(disk.angle_rad), "#9bbcd8", 1);
  }
  for (const PileFrame::Force& force : frame.forces) {
    const double size_N = std::hypot(force.fx_N, force.fy_N), half_px = 0.55 * r_px;
    if (size_N < 0.01 * most_N) continue;
    const double dx = half_px * force.fx_N / size_N, dy = half_px * force.fy_N / size_N;
    const double x = view.X(force.x_m), y = view.Y(force.y_m);
    svg += Line(x - dx, y + dy, x + dx, y - dy, "#d55e00", std::max(0.4, kMost_N_px * size_N / most_N));
  }
  return svg + fmt::format("<text x=\"{:.0f}\" y=\"{:.0f}\" text-anchor=\"middle\">{}</text>\n", kFrameWidth / 2,
                           kFrameHeight - 8, EscapeMarkup(caption));
}

}  // namespace

std::string PilePicture(const std::string& title, const std::vector<PileFrame>& frames,
                        const std::vector<std::string>& captions) {
  const int count = static_cast<int>(frames.size()), rows = (count + kPerRow - 1) / kPerRow;
  const View view = ViewOf(frames);
  const double most_N = LargestForce_N(frames);
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
      "font-family=\"sans-serif\" font-size=\"12\" fill=\"#222\">\n<rect width=\"{0}\" height=\"{1}\" fill=\"#fff\"/>\n"
      "<text x=\"12\" y=\"24\" font-size=\"15\" font-weight=\"bold\">{2} (thickest line: {3:.3g} N)</text>\n",
      kPerRow * kFrameWidth, kHead + rows * kFrameHeight, EscapeMarkup(title), most_N);
  for (int i = 0; i < count; ++i) {
    const std::size_t I = static_cast<std::size_t>(i);
    svg += fmt::format("<g transform=\"translate({} {})\">\n{}</g>\n", (i % kPerRow) * kFrameWidth,
                       kHead + (i / kPerRow) * kFrameHeight, Draw(frames[I], view, most_N, captions[I]));
  }
  return svg + "</svg>\n";
}

}  // namespace tactus::bench
