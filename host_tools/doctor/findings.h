#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "host_tools/doctor/machine.h"

namespace tactus::host {

/// One thing that real time wants of a machine.
struct Finding {
  enum class Judgement : std::uint8_t {
    kGood,
    kWrong,    ///< it delays the loop or forbids it
    kUnknown,  ///< the machine does not tell
    kAbsent,   ///< there is nothing of the kind here, which is no fault
  };
  std::string name;  ///< "kernel", "governor", ...
  Judgement judgement = Judgement::kUnknown;
  std::string found;  ///< what is so
  std::string fix;    ///< what to do; empty: nothing
  std::string cost;   ///< what the fix costs
};

/// Who would run the loop, for permissions.
struct User {
  std::uint32_t id = 0;
  std::vector<std::uint32_t> groups;
};

/// Looks at all there is to look at; reads only.
std::vector<Finding> Examine(const Machine& machine, const User& user);

const char* Name(Finding::Judgement judgement);

}  // namespace tactus::host
