#include "bench/report/plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string_view>

#include "bench/report/table.h"

namespace tactus::bench {
namespace {

// Places in the picture, pixels.
constexpr double kWidth = 860, kHeight = 460, kLeft = 78, kRight = 610, kTop = 44, kBottom = 400;
// Distinct for colour-blind eyes as well (Okabe and Ito), dark first.
constexpr std::array kColours{"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#555555", "#e69f00", "#56b4e9", "#8c564b"};
constexpr std::array kDashes{"", "7 4", "2 3"};

// One colour a method in every plot: the first name that the label contains. LCP0 is Lemke's reduced algorithm on a pile,
// LCP2 one convex step.
struct MethodColour {
  std::string_view name;
  std::size_t colour;
};
constexpr std::array kMethods{
    MethodColour{"structural", 1}, MethodColour{"dense", 3},  MethodColour{"reduced", 0}, MethodColour{"LCP0", 0},
    MethodColour{"polygon", 0},    MethodColour{"convex", 2}, MethodColour{"LCP2", 2},    MethodColour{"LCP1", 5},
    MethodColour{"round", 6},      MethodColour{"LU", 4},
};

std::optional<std::size_t> ColourOfMethod(std::string_view label) {
  for (const MethodColour& method : kMethods) {
    if (label.find(method.name) != std::string_view::npos) return method.colour;
  }
  return std::nullopt;
}

// For each series: the colour of its method, or the next one that no method of this plot has.
std::vector<const char*> ColoursOf(const std::vector<Series>& series) {
  std::array<bool, kColours.size()> taken{};
  for (const Series& one : series) {
    if (const auto colour = ColourOfMethod(one.label)) taken[*colour] = true;
  }
  std::vector<const char*> colours;
  std::size_t next = 0;
  const bool some_are_free = std::find(taken.begin(), taken.end(), false) != taken.end();
  for (const Series& one : series) {
    const auto colour = ColourOfMethod(one.label);
    while (!colour && some_are_free && taken[next % kColours.size()]) ++next;
    colours.push_back(kColours[colour ? *colour : next++ % kColours.size()]);
  }
  return colours;
}

using Points = std::vector<std::pair<double, double>>;

// From values of one axis to pixels.
class Scale {
 public:
  Scale(const Axis& axis, std::vector<double> values, double from_px, double to_px)
      : logarithmic_(axis.logarithmic), from_px_(from_px), to_px_(to_px) {
    std::erase_if(values, [this](double v) { return !CanShow(v); });
    if (values.empty()) values = {1, 10};
    low_ = *std::min_element(values.begin(), values.end());
    high_ = *std::max_element(values.begin(), values.end());
    if (logarithmic_) {
      low_ /= 1.15;
      high_ *= 1.15;
    } else {
      low_ = std::min(low_, low_ >= 0 && low_ < 0.5 * high_ ? 0.0 : low_);
      if (high_ == low_) high_ = low_ + 1;
      high_ += 0.04 * (high_ - low_);
    }
  }

  bool CanShow(double v) const { return std::isfinite(v) && (!logarithmic_ || v > 0); }
  double Pixel(double v) const {
    const double share = logarithmic_ ? std::log(v / low_) / std::log(high_ / low_) : (v - low_) / (high_ - low_);
    return from_px_ + share * (to_px_ - from_px_);
  }
  std::vector<double> Ticks() const { return logarithmic_ ? LogarithmicTicks() : LinearTicks(); }

 private:
  std::vector<double> LinearTicks() const {
    const double rough = (high_ - low_) / 6, decade = std::pow(10.0, std::floor(std::log10(rough)));
    double step = 10 * decade;
    for (const double factor : {5.0, 2.0, 1.0}) {
      if (factor * decade >= rough) step = factor * decade;
    }
    std::vector<double> ticks;
    for (double i = std::ceil(low_ / step - 1e-9); i * step <= high_; ++i) ticks.push_back(i * step + 0.0);  // never -0
    return ticks;
  }
  std::vector<double> LogarithmicTicks() const {
    const double decades = std::log10(high_ / low_);
    const std::vector<double> factors = decades > 3     ? std::vector<double>{1}
                                        : decades > 1.2 ? std::vector<double>{1, 2, 5}
                                                        : std::vector<double>{1, 1.5, 2, 3, 4, 5, 6, 8};
    std::vector<double> ticks;
    for (double e = std::floor(std::log10(low_)); e <= std::log10(high_); ++e) {
      for (const double factor : factors) {
        const double tick = factor * std::pow(10.0, e);
        if (tick >= low_ && tick <= high_) ticks.push_back(tick);
      }
    }
    const std::size_t stride = ticks.size() / 12 + 1;  // many decades: every second or third
    std::vector<double> some;
    for (std::size_t i = 0; i < ticks.size(); i += stride) some.push_back(ticks[i]);
    return some;
  }

  bool logarithmic_;
  double low_, high_, from_px_, to_px_;
};

std::string Text(double x, double y, const char* anchor, const std::string& more, const std::string& text) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\"{}>{}</text>\n", x, y, anchor, more,
                     EscapeMarkup(text));
}

std::string Line(double x1, double y1, double x2, double y2, const char* colour) {
  return fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\"/>\n", x1, y1, x2, y2,
                     colour);
}

// The k-th shape, so that series can be told apart without colour.
std::string Marker(std::size_t k, double x, double y, const char* colour) {
  switch (k % 3) {
    case 0: return fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3.5\" fill=\"{}\"/>\n", x, y, colour);
    case 1:
      return fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"6.4\" height=\"6.4\" fill=\"{}\"/>\n", x - 3.2, y - 3.2,
                         colour);
    default: return fmt::format("<path d=\"M{:.1f} {:.1f} l4.2 7.4 h-8.4 z\" fill=\"{}\"/>\n", x, y - 4.8, colour);
  }
}

std::string Curve(const Points& pixels, const Series& series, std::size_t k, const char* colour) {
  std::string svg;
  if (series.line && pixels.size() > 1) {
    svg += fmt::format("<polyline fill=\"none\" stroke=\"{}\" stroke-width=\"1.8\" stroke-dasharray=\"{}\" points=\"",
                       colour, kDashes[series.dashed ? 1 + k % 2 : 0]);
    for (const auto& [x, y] : pixels) svg += fmt::format("{:.1f},{:.1f} ", x, y);
    svg += "\"/>\n";
  }
  if (!series.markers) return svg;
  for (const auto& [x, y] : pixels) svg += Marker(k, x, y, colour);
  return svg;
}

std::string Legend(const std::vector<Series>& series, const std::vector<const char*>& colours) {
  std::string svg;
  for (std::size_t k = 0; k < series.size(); ++k) {
    const double y = kTop + 12 + 20 * static_cast<double>(k);
    const Points sample = series[k].line ? Points{{kRight + 16, y}, {kRight + 44, y}} : Points{{kRight + 30, y}};
    svg += Curve(sample, series[k], k, colours[k]) + Text(kRight + 52, y + 4, "start", "", series[k].label);
  }
  return svg;
}

std::string Frame(const Axis& x_axis, const Scale& x, const Axis& y_axis, const Scale& y) {
  std::string svg;
  for (const double tick : x.Ticks()) {
    svg += Line(x.Pixel(tick), kTop, x.Pixel(tick), kBottom, "#e4e4e4");
    svg += Text(x.Pixel(tick), kBottom + 18, "middle", "", fmt::format("{:.5g}", tick));
  }
  for (const double tick : y.Ticks()) {
    svg += Line(kLeft, y.Pixel(tick), kRight, y.Pixel(tick), "#e4e4e4");
    svg += Text(kLeft - 7, y.Pixel(tick) + 4, "end", "", fmt::format("{:.5g}", tick));
  }
  svg += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"none\" stroke=\"#444\"/>\n", kLeft, kTop,
                     kRight - kLeft, kBottom - kTop);
  svg += Text((kLeft + kRight) / 2, kBottom + 42, "middle", "", x_axis.label);
  return svg + Text(0, 0, "middle", fmt::format(" transform=\"translate(20 {}) rotate(-90)\"", (kTop + kBottom) / 2),
                    y_axis.label);
}

}  // namespace

std::string Plot::Svg() const {
  std::vector<double> xs, ys;
  for (const Series& series : series_) {
    for (const auto& [x, y] : series.points) {
      xs.push_back(x);
      ys.push_back(y);
    }
  }
  const Scale x_scale(x_, xs, kLeft, kRight), y_scale(y_, ys, kBottom, kTop);
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
      "font-family=\"sans-serif\" font-size=\"12\" fill=\"#222\">\n<rect width=\"{0}\" height=\"{1}\" fill=\"#fff\"/>\n",
      kWidth, kHeight);
  svg += Text(kLeft, 26, "start", " font-size=\"15\" font-weight=\"bold\"", title_);
  svg += Frame(x_, x_scale, y_, y_scale);
  const std::vector<const char*> colours = ColoursOf(series_);
  for (std::size_t k = 0; k < series_.size(); ++k) {
    Points pixels;
    for (const auto& [x, y] : series_[k].points) {
      if (x_scale.CanShow(x) && y_scale.CanShow(y)) pixels.emplace_back(x_scale.Pixel(x), y_scale.Pixel(y));
    }
    svg += Curve(pixels, series_[k], k, colours[k]);
  }
  return svg + Legend(series_, colours) + "</svg>\n";
}

}  // namespace tactus::bench
