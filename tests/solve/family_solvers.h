#pragma once
#include "tactus/solve/contact_solver.h"
#include "tactus/solve/lemke/lemke_structural.h"
#include "tests/solve/family_scene.h"

// Compiled for `tactus solve`: they take half a minute.
namespace tactus {
extern template class ContactSolver<double, test::kSpatialFamilies, LemkeReduced<double, test::kSpatialFamilies>>;
extern template class ContactSolver<float, test::kSpatialFamilies, LemkeReduced<float, test::kSpatialFamilies>>;
extern template class ContactSolver<double, test::kSpatialFamilies, LemkeStructural<double, test::kSpatialFamilies>>;
extern template class ContactSolver<float, test::kSpatialFamilies, LemkeStructural<float, test::kSpatialFamilies>>;
extern template class ContactSolver<double, test::kPlanarFamilies, LemkeReduced<double, test::kPlanarFamilies>>;
extern template class ContactSolver<float, test::kPlanarFamilies, LemkeReduced<float, test::kPlanarFamilies>>;
extern template class ContactSolver<double, test::kPlanarFamilies, LemkeStructural<double, test::kPlanarFamilies>>;
extern template class ContactSolver<float, test::kPlanarFamilies, LemkeStructural<float, test::kPlanarFamilies>>;
}  // namespace tactus
