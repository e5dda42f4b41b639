#pragma once
#include <cstddef>
#include <span>
#include <vector>

namespace tactus::host {

/// What of a sequence its own past predicts: e_i ≈ Σ_j a_j e_(i-1-j), with the least mean square of what is left. By Yule's
/// and Walker's equations, as Levinson and Durbin solve them.
///
/// @param[in] e  of mean zero, longer than `order`
/// @returns a, `order` entries; none: the sequence is zero, or not finite
std::vector<double> PredictorOf(std::span<const double> e, std::size_t order);

}  // namespace tactus::host
