#include "hal/sim/presets.h"

#include <type_traits>

#include "hal/sim/preset_at_handle.h"

namespace tactus::hal {
namespace {

/// M_x = P M Pᵀ and P diag(b) Pᵀ with P = J (JᵀJ)⁻¹.
template <class D>
HandleMatrices MatricesOf(const typename PresetDevice<D>::Options& options) {
  constexpr int kMotors = D::kMotors;
  MassRowsOf<D> rows;
  TACTUS_CHECK(RowsAt(options.mechanism, options.home_rad, 0, &rows).ok());
  const Mat<double, 3, kMotors> J = options.R_WD * rows.J;
  const Mat<double, kMotors, kMotors> JtJ = J.transpose() * J;
  Mat<double, 3, kMotors> P;
  for (int axis = 0; axis < 3; ++axis) P.row(axis) = Solved<kMotors>(JtJ, J.row(axis).transpose()).transpose();
  return {.mass_kg = P * MassMatrix(rows, options.inertia_kgm2) * P.transpose(),
          .damping_Ns_per_m = P * options.damping_Nms_per_rad.asDiagonal() * P.transpose()};
}

}  // namespace

std::unique_ptr<HeldDevice> MakePreset(const DevicePreset& preset, const PresetRequest& request) {
  return WithPresetOptions(preset, request, [](const auto& options) -> std::unique_ptr<HeldDevice> {
    using D = std::remove_cvref_t<decltype(options.mechanism)>;
    return std::make_unique<PresetDevice<D>>(options);
  });
}

PresetAtHandle AtHandle(const DevicePreset& preset) {
  return WithPresetOptions(preset, {}, [](const auto& options) {
    using D = std::remove_cvref_t<decltype(options.mechanism)>;
    return LookAt<D>(options);
  });
}

std::array<PresetAxis, 3> AxesAtHandle(const DevicePreset& preset) {
  return WithPresetOptions(preset, {}, [](const auto& options) {
    using D = std::remove_cvref_t<decltype(options.mechanism)>;
    return AxesOf<D>(options);
  });
}

HandleMatrices MatricesAtHandle(const DevicePreset& preset) {
  return WithPresetOptions(preset, {}, [](const auto& options) {
    using D = std::remove_cvref_t<decltype(options.mechanism)>;
    return MatricesOf<D>(options);
  });
}

}  // namespace tactus::hal
