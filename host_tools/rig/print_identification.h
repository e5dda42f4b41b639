#pragma once
#include <array>
#include <optional>
#include <string>

#include "host_tools/rig/identify.h"
#include "host_tools/rig/rig_choice.h"

namespace tactus::host {

/// A table, one line a number; with what is known of a simulated device beside it.
std::string IdentificationText(const std::string& device, const Identification& found,
                               const std::optional<std::array<KnownAxis, 3>>& known);
std::string IdentificationJson(const std::string& device, const Identification& found,
                               const std::optional<std::array<KnownAxis, 3>>& known);

}  // namespace tactus::host
