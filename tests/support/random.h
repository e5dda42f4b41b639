#pragma once
#include "host_tools/bench/scenes/random.h"

namespace tactus::test {

using bench::Random;

}  // namespace tactus::test
