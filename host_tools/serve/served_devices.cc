#include "host_tools/serve/served_devices.h"

#include <fmt/core.h>
#include <unistd.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cmath>
#include <thread>

#include "host_tools/devices/device_run.h"
#include "host_tools/devices/real_devices.h"
#include "host_tools/link/host_error.h"
#include "host_tools/serve/device_kinds.h"
#include "host_tools/stability/check_config.h"

namespace tactus::host {
namespace {

hal::DevicePair::Place PlaceOf(const std::vector<float>& at_m) {
  hal::DevicePair::Place place{};
  std::copy_n(at_m.begin(), std::min(at_m.size(), place.size()), place.begin());
  return place;
}

/// What its user does when a device has lost its place.
std::string HowToHome(const std::string& name) {
  const RealDevice* const real = FindRealDevice(name.substr(0, name.find(':')));
  if (real != nullptr && *real->lost != '\0') return fmt::format("{}, then {}", real->lost, real->homing);
  const char* const pose = real != nullptr ? real->homing : "hold the handle still where its counts are zero_count";
  return fmt::format("{}, and say so with kill -USR1 {}; or start this program anew with --home", pose, getpid());
}

/// @throws HostError: what does not go together
void Check(const DeviceChoice& choice) {
  if (choice.second.empty() && !(choice.at_m.empty() && choice.second_at_m.empty())) {
    throw HostError(
        "--device-at and --second-device-at place two devices: give --second-device too. One device is placed by the "
        "scene's "
        "[workspace]");
  }
  for (const auto* const place_m : {&choice.at_m, &choice.second_at_m}) {
    if (!std::ranges::all_of(*place_m, [](float x) { return std::isfinite(x); }))
      throw HostError("--device-at, --second-device-at: three numbers from -0.5 to 0.5 m; not a number is none");
  }
  if (!choice.second.empty() && (choice.device == "host" || choice.second == "host"))
    throw HostError("--second-device: two devices are both here or both at the host (--device host)");
}

}  // namespace

void DeviceChoice::AddOptions(CLI::App* command) {
  command->add_option("--second-device", second, "a second one for a scene with two tools, as --device has it");
  command->add_flag("--home", homes,
                    "begin with the handle held still in its home pose, which becomes the place of its counts "
                    "(docs/devices.md); later, SIGUSR1 says the same");
  // An arm on a desk: no device stands farther away (DeviceLimits::workspace_radius_m).
  const auto add_place = [&](const char* name, const char* what, std::vector<float>* place_m) {
    command->add_option(name, *place_m, what)->expected(3)->delimiter(',')->check(CLI::Range(-0.5, 0.5))->type_name("X,Y,Z");
  };
  add_place("--device-at", "where the first of two devices stands in the scene [m] (default: 0,0,0)", &at_m);
  add_place("--second-device-at", "where the second one does", &second_at_m);
}

ServedDevices::ServedDevices(const DeviceChoice& choice, const SceneFile* scene, std::uint32_t period_us, int priority) {
  Check(choice);
  const hal::HandScript hand = scene != nullptr ? scene->Hand() : hal::PegInHoleScript();
  const auto add = [&](const std::string& name, std::uint64_t seed, const hal::HandScript& script) {
    std::unique_ptr<hal::Device> device =
        MakeDevice(name, {.period_us = period_us, .seed = seed, .script = script, .homes = choice.homes}, priority);
    if (device == nullptr) return;
    const char* const which = choice.second.empty() ? "the device"
                              : served_.empty()     ? "the first device"
                                                    : "the second device";
    const FailureWatch failures(*device, which, HowToHome(name));
    served_.push_back({name, std::move(device), failures});
  };
  add(choice.device, choice.seed, hand);
  if (!choice.second.empty()) {
    const auto second_hand = scene != nullptr ? scene->SecondHand() : std::nullopt;
    add(choice.second, choice.seed + 1, second_hand.value_or(hand));
    pair_ = std::make_unique<hal::DevicePair>(*served_[0].device, *served_[1].device, PlaceOf(choice.at_m),
                                              PlaceOf(choice.second_at_m));
    if (!pair_->are_alike()) {
      throw HostError(
          fmt::format("{} and {} sense or move different axes: a scene has two tools for two devices that are alike in that",
                      choice.device, choice.second));
    }
  }
  if (device() != nullptr && scene != nullptr && scene->has_second_hand() && device()->hands() < 2) {
    throw HostError(fmt::format(
        "{} has two tools: give --second-device too, or --device host for a host that brings both (hil)", scene->path));
  }
}

ServedDevices::~ServedDevices() {
  std::vector<std::thread> ends;
  for (Served& served : served_) ends.emplace_back([&served] { served.device.reset(); });
  for (std::thread& end : ends) end.join();
}

hal::Device* ServedDevices::device() const {
  if (pair_ != nullptr) return pair_.get();
  return served_.empty() ? nullptr : served_[0].device.get();
}

void ServedDevices::Home() {
  for (const Served& served : served_) {
    if (served.device->Home() != Status::kOk)
      PrintError("tactus: {} has no home pose that it could be homed by", served.name);
  }
}

DeviceLimits ServedDevices::Limits(std::uint32_t period_us) {
  DeviceLimits limits;
  stable_.reset();
  for (const Served& served : served_) {
    Config<double> config = ConfigOf(served.device->capabilities());
    config.period_s = 1e-6 * period_us;
    const StableCoupling own = StableCouplingOf(config, DeclaredModel(served.name, config.device));
    if (stable_) {
      stable_->Include(own);
    } else {
      stable_ = own;
    }
    limits = NarrowedToStable(*stable_, limits);
  }
  return limits;
}

std::string ServedDevices::why() const {
  std::string all;
  for (const Served& served : served_) {
    const std::string why = served.device->why();
    if (why.empty() || why == "none") continue;
    all += (all.empty() ? "" : "; ") + (pair_ != nullptr ? served.name + ": " + why : why);
  }
  return all;
}

}  // namespace tactus::host
