#pragma once
#include <string>
#include <utility>
#include <vector>

namespace tactus::bench {

/// A line of a Plot. A label that begins with or contains the name of a method (plot.cc has the list) has that method's
/// colour in every plot; the others share what colours are left.
struct Series {
  std::string label;
  std::vector<std::pair<double, double>> points;  ///< (x, y); what is not finite, or ≤ 0 on a logarithmic axis, is left out
  bool line = true;                               ///< join the points
  bool markers = true;
  bool dashed = false;  ///< for what was not measured: a paper's figures, a goal, a fitted law
};

struct Axis {
  std::string label;  ///< with its unit
  bool logarithmic = false;
};

/// Line series over two axes, written as an SVG of its own: no fonts, scripts or styles from elsewhere.
class Plot {
 public:
  Plot(std::string title, Axis x, Axis y) : title_(std::move(title)), x_(std::move(x)), y_(std::move(y)) {}

  void Add(Series series) { series_.push_back(std::move(series)); }
  std::string Svg() const;

 private:
  std::string title_;
  Axis x_, y_;
  std::vector<Series> series_;
};

}  // namespace tactus::bench
