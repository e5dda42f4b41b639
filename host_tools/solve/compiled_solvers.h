#pragma once
#include "host_tools/solve/capacities.h"
#include "tactus/solve/contact_solver.h"
#include "tactus/solve/lemke/lemke_structural.h"

// Solvers that are compiled for `tactus solve`, for who links it and takes its capacities: each takes ten seconds.
namespace tactus {
extern template class ContactSolver<double, host::kSpatialSmall, LemkeReduced<double, host::kSpatialSmall>>;
extern template class ContactSolver<float, host::kSpatialSmall, LemkeReduced<float, host::kSpatialSmall>>;
extern template class ContactSolver<double, host::kSpatialMedium, LemkeReduced<double, host::kSpatialMedium>>;
extern template class ContactSolver<float, host::kSpatialMedium, LemkeReduced<float, host::kSpatialMedium>>;
extern template class ContactSolver<double, host::kSpatialCompliant, LemkeReduced<double, host::kSpatialCompliant>>;
extern template class ContactSolver<float, host::kSpatialCompliant, LemkeReduced<float, host::kSpatialCompliant>>;
extern template class ContactSolver<double, host::kSpatialCompliant, LemkeStructural<double, host::kSpatialCompliant>>;
extern template class ContactSolver<float, host::kSpatialCompliant, LemkeStructural<float, host::kSpatialCompliant>>;
extern template class ContactSolver<double, host::kPlanarCompliant, LemkeReduced<double, host::kPlanarCompliant>>;
extern template class ContactSolver<float, host::kPlanarCompliant, LemkeReduced<float, host::kPlanarCompliant>>;
extern template class ContactSolver<double, host::kPlanarCompliant, LemkeStructural<double, host::kPlanarCompliant>>;
extern template class ContactSolver<float, host::kPlanarCompliant, LemkeStructural<float, host::kPlanarCompliant>>;
}  // namespace tactus
