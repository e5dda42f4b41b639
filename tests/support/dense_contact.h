#pragma once
#include <vector>

#include "host_tools/solve/problem_document.h"
#include "tests/support/dense.h"

namespace tactus::test {

/// A contact problem written out in full, from docs/theory sections 1 to 3 and nothing of the library: the mass matrix of
/// all bodies, one explicit column per contact normal, friction direction and joint row.
struct DenseContact {
  std::size_t contacts = 0;
  std::size_t directions = 0;  ///< d per contact
  DenseMatrix mass;            ///< M of all bodies
  DenseMatrix factor;          ///< G, M = G Gᵀ
  DenseVector momentum;        ///< M v0 + h f

  // Physical columns, eq. (1).
  std::vector<DenseVector> N;               ///< by contact
  std::vector<std::vector<DenseVector>> D;  ///< by contact, direction
  std::vector<DenseVector> B;               ///< by joint row
  DenseVector joint_speed;

  // Whitened, joints eliminated, rows normalised (section 2).
  DenseVector k;                                 ///< P G⁻¹ (M v0 + h f)
  DenseVector u_joint;                           ///< u_b: what the joints prescribe
  std::vector<DenseVector> N_unit;               ///< P G⁻¹ N / s_n
  std::vector<std::vector<DenseVector>> D_unit;  ///< P G⁻¹ D / s_t
  DenseVector b, mu, epsilon;                    ///< by contact
  std::vector<DenseVector> tau;                  ///< by contact, direction
  DenseVector normal_scale, tangent_scale;       ///< s_n, s_t
  std::vector<bool> held;                        ///< the joints hold this contact fast: it is left out (section 2.2)
};

/// @param[in] tangents  by contact; empty: those of the problem. Planar: not used.
DenseContact WriteOut(const host::ProblemDocument& problem, const std::vector<std::vector<double>>& tangents = {});

}  // namespace tactus::test
