#include "bench/baraff/baraff_bench.h"

#include "bench/baraff/friction.h"
#include "bench/baraff/frictionless.h"

namespace tactus::bench {

int RunBaraff(const BenchOptions& options) {
  Report report("baraff", "Fast contact force computation (Baraff 1994)", options);
  BenchFrictionless(options, &report);
  BenchFriction(options, &report);
  report.Note(
      "Baraff reports two to three times Gaussian elimination without friction, and about n calls to drive-to-zero. "
      "The LU is Eigen's, vectorised, without the triangular solves; forming A is in neither time. Drives and steps are "
      "counted from f = 0; what is timed starts stacks of 48 contacts and more together, and 'drives timed' are left.");
  report.Note(
      "In space the conditions (16), (21), (22) are those of a round cone, other than (3)-(5), which Lemke solves. Where "
      "Baraff's method does not succeed it says so: step limit, violated, unbounded; 'wrong' counts answers called "
      "solved that are not.");
  return report.Finish();
}

}  // namespace tactus::bench
