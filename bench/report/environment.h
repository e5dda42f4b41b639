#pragma once
#include <string>
#include <utility>
#include <vector>

namespace tactus::bench {

/// Where and with what a figure was taken: (name, value), to be read beside every figure.
using Environment = std::vector<std::pair<std::string, std::string>>;

/// cpu, cores, load, system, compiler, flags, date.
Environment DescribeEnvironment();

}  // namespace tactus::bench
