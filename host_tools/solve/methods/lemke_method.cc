// Lemke's algorithm in its three forms, each on the ladder.
#include "host_tools/solve/capacities.h"
#include "host_tools/solve/methods/make_ladder_solver.h"

namespace tactus {

template <class Scalar, Capacity kCapacity>
class LemkeReduced;
template <class Scalar, Capacity kCapacity>
class LemkePile;
template <class Scalar, Capacity kCapacity>
class LemkeStructural;
template <class Scalar, Capacity kCapacity>
class LemkeDense;

namespace host {
namespace {

constexpr Size kReducedSpatial[] = {
    {kSpatialSmall, MakeLadderSolver<kSpatialSmall, LemkeReduced>},
    {kSpatialMedium, MakeLadderSolver<kSpatialMedium, LemkeReduced>},
    {kSpatialCompliant, MakeLadderSolver<kSpatialCompliant, LemkeReduced>},
    {kSpatialLarge, MakeLadderSolver<kSpatialLarge, LemkeReduced>},
};
constexpr Size kReducedPlanar[] = {
    {kPlanarMedium, MakeLadderSolver<kPlanarMedium, LemkeReduced>},
    {kPlanarCompliant, MakeLadderSolver<kPlanarCompliant, LemkeReduced>},
    {kPlanarPile, MakeLadderSolver<kPlanarPile, LemkePile>},
    {kPlanarLarge, MakeLadderSolver<kPlanarLarge, LemkeReduced>},
};

constexpr Size kStructuralSpatial[] = {
    {kSpatialSmall, MakeLadderSolver<kSpatialSmall, LemkeStructural>},
    {kSpatialCompliant, MakeLadderSolver<kSpatialCompliant, LemkeStructural>},
};
constexpr Size kStructuralPlanar[] = {{kPlanarCompliant, MakeLadderSolver<kPlanarCompliant, LemkeStructural>}};

constexpr Size kDenseSpatial[] = {{kSpatialDense, MakeLadderSolver<kSpatialDense, LemkeDense>}};
constexpr Size kDensePlanar[] = {{kPlanarCompliant, MakeLadderSolver<kPlanarCompliant, LemkeDense>}};

}  // namespace

SizeList LemkeReducedSizes() { return {kReducedSpatial, kReducedPlanar}; }
SizeList LemkeStructuralSizes() { return {kStructuralSpatial, kStructuralPlanar}; }
SizeList LemkeDenseSizes() { return {kDenseSpatial, kDensePlanar}; }

}  // namespace host
}  // namespace tactus
