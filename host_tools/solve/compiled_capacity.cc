#include "host_tools/solve/compiled_capacity.h"

#include <algorithm>

#include "host_tools/solve/capacities/capacities.h"

namespace tactus::host {
namespace {

constexpr CompiledCapacity kReducedSpatial[] = {
    {kSpatialSmall, MakeSpatialSmall},
    {kSpatialMedium, MakeSpatialMedium},
    {kSpatialCompliant, MakeSpatialCompliant},
    {kSpatialLarge, MakeSpatialLarge},
};
constexpr CompiledCapacity kReducedPlanar[] = {
    {kPlanarMedium, MakePlanarMedium},
    {kPlanarCompliant, MakePlanarCompliant},
    {kPlanarLarge, MakePlanarLarge},
};

constexpr CompiledCapacity kStructuralSpatial[] = {
    {kSpatialSmall, MakeStructuralSpatialSmall},
    {kSpatialCompliant, MakeStructuralSpatialCompliant},
};
constexpr CompiledCapacity kStructuralPlanar[] = {{kPlanarCompliant, MakeStructuralPlanarCompliant}};

constexpr CompiledCapacity kDenseSpatial[] = {{kSpatialDense, MakeDenseSpatial}};
constexpr CompiledCapacity kDensePlanar[] = {{kPlanarDense, MakeDensePlanar}};

bool IsCompliant(const ContactDocument& contact) { return contact.compliance_mps_per_Ns > 0; }

}  // namespace

CompiledCapacities LemkeReducedCapacities() { return {kReducedSpatial, kReducedPlanar}; }
CompiledCapacities LemkeStructuralCapacities() { return {kStructuralSpatial, kStructuralPlanar}; }
CompiledCapacities LemkeDenseCapacities() { return {kDenseSpatial, kDensePlanar}; }

bool Holds(const Capacity& capacity, const ProblemDocument& problem) {
  const auto fits = [](std::size_t size, int most) { return size <= static_cast<std::size_t>(most); };
  const bool compliant = std::any_of(problem.contacts.begin(), problem.contacts.end(), IsCompliant);
  return fits(problem.bodies.size(), capacity.bodies) && fits(problem.contacts.size(), capacity.contacts) &&
         fits(problem.joints.size(), capacity.joints) && problem.directions <= capacity.directions &&
         (capacity.compliant || !compliant);
}

}  // namespace tactus::host
