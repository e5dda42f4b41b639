#pragma once
#include "bench/scenes/random.h"

namespace tactus::test {

using bench::Random;

}  // namespace tactus::test
