#pragma once
#include <array>
#include <string>
#include <vector>

#include "host_tools/rig/excitation.h"

namespace tactus::host {

/// A number with half of its 95 % interval.
struct Estimated {
  double value = 0, half = 0;
};

/// What one axis did: one entry a period. force_N[k] was written behind position p_m[k] and held until the next.
struct AxisRecord {
  double period_s = 0.001;
  std::vector<double> p_m, force_N;
  std::vector<Reference> wanted;  ///< at the instant of p_m[k]
  /// Σ m_i p_i of the places p_i across, m_i the mass that couples them to this axis: their acceleration takes force of it.
  std::vector<double> coupled_kgm = {};  ///< empty: none
};

/// m, b, k, f_c, f_0 and the delay t_d of one axis.
struct AxisFit {
  std::string refusal;  ///< "": there is a fit; else why not
  Estimated mass_kg, damping_Ns_per_m, stiffness_N_per_m, coulomb_N, offset_N, delay_s;
  double residual_N = 0;  ///< root of the mean square, within the window's band
  AxisNumbers per_s;      ///< what a delay that is off by so much takes along: Cov(θ, t_d)/Var t_d
  AxisNumbers numbers() const;
};

/// Fits f(t - t_d) = m a + Σ m_i a_i + b v + k x + f_c sgn v + f_0 without a difference of positions; Σ m_i a_i is given.
///
/// Equations  over windows W with φ = sin⁴(πu/W), which is 0 at both ends with its first three derivatives:
///            ∫φ f(t - t_d) = m ∫φ″ x - b ∫φ′ x + k ∫φ x + f_c ∫φ sgn v + f_0 ∫φ
///            sgn v counts for f_c above 30 mm/s alone; below it has an f_s of its own, which is not told: about a reversal
///            friction may hold, and it need not be along the axis
///            t_d ← t_d + δ,  ∫φ f(t - t_d - δ) ≈ ∫φ f(t - t_d) + δ ∫φ′ f(t - t_d);  exact for forces that are held
/// Method     instrumental variables, Zᵀ(y - X θ) = 0: Z has the same integrals of the place that was *wanted*, which knows
///            nothing of counts and of the hand; so neither the rounding nor the feedback leaves a bias. Twice: as it is,
///            and with every row less what the 12 rows before it predict of y - X θ, which takes out what is narrow in
///            frequency (a tremor). Both are consistent; that with the narrower interval of t_d is told
/// Interval   from the residuals e, summed by stretches s of a quarter of a second, which may be coloured within:
///            Cov = S/(S-p) (ZᵀX)⁻¹ [Σ_s (Z_sᵀ e_s)(Z_sᵀ e_s)ᵀ] (XᵀZ)⁻¹,  half = t(S-p) √Cov_ii
/// @param[in] skip_s  left out at the start  @param[in] whole  false: one sign for all speeds, and
///            nothing changes with the place; for motions that are small. true: f_c and m may change, as
///            f_c + f_c₁ x + f_c₂ x² and m + m₁ x + m₂ x² (with ½ m′ v²): the numbers are those at x = 0. Takes twice as
///            long
AxisFit FitAxis(const AxisRecord& record, double skip_s, bool whole);

/// The fit if the delay is known better than from it alone, by other axes too: θ ← θ + per_s (t - t_d), and the intervals
/// without what they had of the delay's.
/// @param[in] delay_s  this axis's own weighted with the others'
void TakeDelay(const Estimated& delay_s, AxisFit* fit);

/// As FitAxis with the delay given: what a force across the axis is by the axis's motion.
AxisFit FitAcross(const AxisRecord& record, double skip_s, double delay_s);

/// One count of the position: √(12 var e) of its rounding e, taken where the handle moves by counts, from sixth differences;
/// where several encoders make the position, the root of the sum of their squares. half < 0: it never moved enough
Estimated FitResolution(const AxisRecord& record, double skip_s);

}  // namespace tactus::host
