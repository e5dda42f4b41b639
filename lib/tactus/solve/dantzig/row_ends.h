#pragma once
#include <array>

namespace tactus::internal {

/// Where the rows of a symmetric A end, for a factor in the order of the indices: A_kj = 0 for all k ≤ i, j ≥ end(i). In a
/// stack each contact sees two bodies only.
template <int kSize>
class RowEnds {
 public:
  int end(int i) const { return end_[i]; }
  int area() const { return area_; }  ///< Σ end(i) - i: n(n + 1)/2 for a full matrix

  template <class Row>
  void Measure(const std::array<Row, kSize>& A, int size) {
    area_ = 0;
    for (int i = 0, end = 0; i < size; ++i) {
      int reach = size;
      while (reach > end && reach > i + 1 && A[i][reach - 1] == 0) --reach;
      end = reach;
      end_[i] = end;
      area_ += end - i;
    }
  }

 private:
  std::array<int, kSize> end_;
  int area_ = 0;
};

}  // namespace tactus::internal
