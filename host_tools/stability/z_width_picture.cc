#include "host_tools/stability/z_width_picture.h"
#include "host_tools/report/text_file.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace tactus::host {
namespace {

// Places in the picture, pixels; the colours are those of the bench's plots.
constexpr double kWidth = 860, kHeight = 460, kLeft = 78, kRight = 610, kTop = 44, kBottom = 400;
constexpr int kPoints = 49;

struct Frame {
  double most_B, low_K, high_K;

  double X(double B) const { return kLeft + std::clamp(B / most_B, 0.0, 1.0) * (kRight - kLeft); }
  double Y(double K) const {
    const double share = std::log(std::max(K, low_K) / low_K) / std::log(high_K / low_K);
    return kBottom - std::clamp(share, 0.0, 1.0) * (kBottom - kTop);
  }
};

std::string Text(double x, double y, const char* anchor, const std::string& text) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y, anchor, InXml(text));
}

std::string Region(const Frame& frame, const std::vector<ZWidthPoint>& width, double ZWidthPoint::*K, const char* colour) {
  std::string points = fmt::format("{:.1f},{:.1f} ", frame.X(0), kBottom);
  for (const ZWidthPoint& point : width)
    points += fmt::format("{:.1f},{:.1f} ", frame.X(point.damping_Ns_per_m), frame.Y(point.*K));
  points += fmt::format("{:.1f},{:.1f}", frame.X(frame.most_B), kBottom);
  return fmt::format("<polygon points=\"{}\" fill=\"{}\" fill-opacity=\"0.25\" stroke=\"{}\" stroke-width=\"1.8\"/>\n",
                     points, colour, colour);
}

std::string Point(const Frame& frame, const AxisCoupling& coupling, const char* colour) {
  return fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"5\" fill=\"{}\"/>\n", frame.X(coupling.damping_Ns_per_m),
                     frame.Y(coupling.stiffness_N_per_m), colour);
}

std::string Grid(const Frame& frame, const AnalysedAxis& axis) {
  std::string svg;
  for (double K = frame.low_K; K <= frame.high_K * 1.001; K *= 10) {
    svg += fmt::format("<line x1=\"{}\" y1=\"{:.1f}\" x2=\"{}\" y2=\"{:.1f}\" stroke=\"#e4e4e4\"/>\n", kLeft, frame.Y(K),
                       kRight, frame.Y(K));
    svg += Text(kLeft - 7, frame.Y(K) + 4, "end", fmt::format("{:.5g}", K));
  }
  for (int i = 0; i <= 4; ++i)
    svg += Text(frame.X(frame.most_B * i / 4), kBottom + 18, "middle", fmt::format("{:.3g}", frame.most_B * i / 4));
  svg += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"none\" stroke=\"#444\"/>\n", kLeft, kTop,
                     kRight - kLeft, kBottom - kTop);
  svg += Text((kLeft + kRight) / 2, kBottom + 42, "middle",
              fmt::format("damping B [{} s/{}]", axis.force_unit, axis.length_unit));
  return svg +
         fmt::format("<text transform=\"translate(20 {}) rotate(-90)\" text-anchor=\"middle\">stiffness K [{}/{}]</text>\n",
                     (kTop + kBottom) / 2, axis.force_unit, axis.length_unit);
}

std::string Legend(int row, const char* colour, const std::string& text) {
  const double y = kTop + 12 + 20 * row;
  return fmt::format("<rect x=\"{}\" y=\"{}\" width=\"14\" height=\"10\" fill=\"{}\"/>\n", kRight + 16, y - 8, colour) +
         Text(kRight + 38, y + 1, "start", text);
}

}  // namespace

std::string ZWidthSvg(const AnalysedAxis& axis, const std::string& title) {
  const double chosen_B = std::max(axis.coupling.damping_Ns_per_m, axis.recommended.coupling.damping_Ns_per_m);
  const double most_B = chosen_B > 0 ? 3 * chosen_B : 0.1 * axis.device().mass_kg / axis.loop.period_s;
  const std::vector<ZWidthPoint> width = ZWidth(axis.axes, axis.loop, most_B, kPoints);
  double high = 10 * axis.coupling.stiffness_N_per_m;
  bool passive = false;
  for (const ZWidthPoint& point : width) {
    high = std::max(high, point.stable_N_per_m);
    passive = passive || point.passive_N_per_m > 0;
  }
  const double decade = std::pow(10.0, std::ceil(std::log10(std::max(high, 1e-6))));
  const Frame frame{.most_B = most_B, .low_K = 1e-5 * decade, .high_K = decade};
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
      "font-family=\"sans-serif\" font-size=\"12\" fill=\"#222\">\n<rect width=\"{0}\" height=\"{1}\" fill=\"#fff\"/>\n",
      kWidth, kHeight);
  svg += Text(kLeft, 26, "start", title) + Grid(frame, axis);
  svg += Region(frame, width, &ZWidthPoint::stable_N_per_m, "#0072b2");
  if (passive) svg += Region(frame, width, &ZWidthPoint::passive_N_per_m, "#009e73");
  svg += Point(frame, axis.coupling, "#d55e00") + Point(frame, axis.recommended.coupling, "#cc79a7");
  svg += Legend(0, "#0072b2", "stable, no hand");
  svg += Legend(1, "#009e73", passive ? "passive with any hand" : "passive with any hand: nowhere");
  svg += Legend(2, "#d55e00", "chosen") + Legend(3, "#cc79a7", "recommended");
  return svg + "</svg>\n";
}

}  // namespace tactus::host
