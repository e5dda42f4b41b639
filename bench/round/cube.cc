#include "bench/round/cube.h"

template class tactus::ContactSolver<double, tactus::host::Cube<double>::kCapacity>;
template class tactus::ContactSolver<float, tactus::host::Cube<float>::kCapacity>;
