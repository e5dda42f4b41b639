#include "bench/anitescu_hart/pile_run.h"

namespace tactus::bench {

template PileRun RunPileOf<kPile136>(const PileSpec&, PileSolver, const PileRunOptions&);

}  // namespace tactus::bench
