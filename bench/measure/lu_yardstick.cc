#include "bench/measure/lu_yardstick.h"

#include "bench/measure/lu_protocol.h"

namespace tactus::bench {

double LuYardstick::Lu_us(const SquareMatrix& matrix) {
  return Ask_us({LuRequest::Kind::kLu, matrix.size, samples_}, &matrix);
}

double LuYardstick::Limit_us(int contacts) { return Ask_us({LuRequest::Kind::kLimit, contacts, samples_}, nullptr); }

double LuYardstick::Ask_us(const LuRequest& request, const SquareMatrix* matrix) {
  program_.Write(&request, sizeof request);
  if (matrix != nullptr) program_.Write(matrix->entries.data(), sizeof(double) * matrix->entries.size());
  double nanoseconds = 0;
  program_.Read(&nanoseconds, sizeof nanoseconds);
  return nanoseconds / 1000;
}

}  // namespace tactus::bench
