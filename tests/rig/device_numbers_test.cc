// The file of a device's numbers, and the commands that write and read it.
#include "host_tools/rig/device_numbers.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "host_tools/devices/simulated.h"
#include "host_tools/link/host_error.h"
#include "host_tools/rig/identify.h"
#include "host_tools/rig/rig_choice.h"

namespace tactus::host {
namespace {

struct TomlFile {
  explicit TomlFile(const std::string& text = "")
      : path((std::filesystem::temp_directory_path() / ("tactus_rig_" + std::to_string(getpid()) + ".toml")).string()) {
    if (!text.empty()) std::ofstream(path) << text;
  }
  ~TomlFile() { std::filesystem::remove(path); }
  const std::string path;
};

TEST(DeviceNumbers, ComeBackAsTheyWereWritten) {  // Source: what was written; six digits.
  const DeviceNumbers before{.name = "rig 1",
                             .mass_kg = 0.1827,
                             .damping_Ns_per_m = 0.1725,
                             .coulomb_N = 0.177,
                             .resolution_m = 42.21e-6,
                             .delay_s = 0.0017,
                             .max_force_N = 3.5};
  const TomlFile file(DeviceNumbersToml(before));
  const DeviceNumbers after = ReadDeviceNumbers(file.path);
  EXPECT_EQ(after.name, before.name);
  EXPECT_DOUBLE_EQ(after.mass_kg, before.mass_kg);
  EXPECT_DOUBLE_EQ(after.damping_Ns_per_m, before.damping_Ns_per_m);
  EXPECT_DOUBLE_EQ(*after.coulomb_N, *before.coulomb_N);
  EXPECT_DOUBLE_EQ(after.resolution_m, before.resolution_m);
  EXPECT_DOUBLE_EQ(after.delay_s, before.delay_s);
  EXPECT_DOUBLE_EQ(after.max_force_N, before.max_force_N);
}

TEST(DeviceNumbers, RefusesWhatIsNoDevice) {
  const std::string good = DeviceNumbersToml({.name = "a", .mass_kg = 0.2, .coulomb_N = {}});
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    return text.replace(text.find(from), from.size(), to);
  };
  for (const std::string& text :
       {with("mass_kg = 0.2", "mass_kg = nan"), with("mass_kg = 0.2", "mass_kg = -1"),
        with("mass_kg = 0.2", "mass_kg = 1e300"), with("mass_kg = 0.2", "mass = 0.2"),
        with("mass_kg = 0.2", "mass_kg = \"0.2\""), with("numbers/1", "numbers/2"), with("delay_s = 0", "delay_s = inf"),
        good + "colour = 3\n", std::string("mass_kg = ["), std::string("\0\1\2", 3)}) {
    const TomlFile file(text);
    EXPECT_THROW((void)ReadDeviceNumbers(file.path), HostError) << text;
  }
  EXPECT_THROW((void)ReadDeviceNumbers("/nowhere/device.toml"), HostError);
}

TEST(DeviceNumbers, AFileCutAnywhereIsRefusedOrSaysLess) {  // Never a number that was not in it.
  const std::string good = DeviceNumbersToml({.name = "a", .mass_kg = 0.2, .coulomb_N = 0.125, .delay_s = 0.0017});
  for (std::size_t size = 1; size + 10 < good.size(); ++size) {
    const TomlFile file(good.substr(0, size));
    EXPECT_THROW((void)ReadDeviceNumbers(file.path), HostError) << size;
  }
}

std::pair<int, std::string> Tactus(const std::string& arguments, const std::string& within = "timeout -k 1 100 ") {
  const std::string line = "{ " + within + TACTUS_COMMAND + " " + arguments + "; } 2>&1";
  std::string output;
  FILE* const pipe = popen(line.c_str(), "r");
  std::array<char, 4096> chunk;
  while (const std::size_t count = std::fread(chunk.data(), 1, chunk.size(), pipe)) output.append(chunk.data(), count);
  return {WEXITSTATUS(pclose(pipe)), output};
}

void Expect(const std::string& arguments, int code, const std::string& words) {
  const auto [exit_code, output] = Tactus(arguments);
  EXPECT_EQ(exit_code, code) << arguments << ": " << output;
  EXPECT_NE(output.find(words), std::string::npos) << arguments << ": " << output;
}

TEST(DeviceNumbers,
     TellTheControllerOfTheirDevice) {  // Source: the numbers; 1.7 ms are two periods of 1 ms, seven of 250 µs.
  const TomlFile file(DeviceNumbersToml(
      {.name = "a", .mass_kg = 0.3, .coulomb_N = 0.125, .resolution_m = 2e-5, .delay_s = 0.0017, .max_force_N = 5}));
  const SimulatedChoice choice{.device = file.path};
  const Config<double> config = choice.ConfigOf(1000);
  EXPECT_EQ(config.device.mass_kg, 0.3);
  EXPECT_EQ(config.device.resolution_m, 2e-5);
  EXPECT_EQ(config.device.command_delay_ticks, 2);
  EXPECT_EQ(config.limits.max_force_N, 5);
  EXPECT_EQ(choice.ConfigOf(250).device.command_delay_ticks, 7);
  EXPECT_NE(choice.Expect(config.coupling).front().find("a: one mass with the numbers of "), std::string::npos);
}

TEST(IdentifyCommand, WritesADeviceThatRunFeels) {
  const TomlFile file;
  Expect("identify --device omega3 --seconds 10 --preset-out " + file.path, kExitOk, "x");
  Expect("run --quiet --hand firm --device " + file.path, kExitOk, "one mass with the numbers of");
  Expect("run --quiet --device ./nowhere.toml", kExitUsage, "nowhere.toml");
}

// Source: the numbers of the file; 1.2 ms are a period of 1 ms. Tolerances: 5 %, as for presets, and the
// interval of what is small beside the force; half of hal/sim's step, by which its forces act early.
TEST(IdentifyCommand, FindsTheNumbersOfAFile) {
  const TomlFile file(DeviceNumbersToml({.name = "a",
                                         .mass_kg = 0.31,
                                         .damping_Ns_per_m = 0.6,
                                         .coulomb_N = 0.12,
                                         .resolution_m = 2.2e-5,
                                         .delay_s = 0.0012,
                                         .max_force_N = 6}));
  RigChoice choice;
  choice.device = file.path;
  const std::unique_ptr<hal::Device> device = choice.Simulated();
  const hal::DeviceCapabilities& can = device->capabilities();
  const Ceilings ceilings = choice.CeilingsFor(can);
  GuardedDevice guarded(*device, ceilings, RigChoice::kPeriod_us);
  const Identification found = Identify(guarded, OptionsFor(can, ceilings, 20));
  ASSERT_EQ(found.fault, "");
  for (const IdentifiedAxis& axis : found.axis) {
    ASSERT_EQ(axis.refusal, "");
    EXPECT_NEAR(axis.fit.mass_kg.value, 0.31, 0.05 * 0.31);
    EXPECT_NEAR(axis.fit.damping_Ns_per_m.value, 0.6, 0.05 * 0.6 + axis.fit.damping_Ns_per_m.half);
    EXPECT_NEAR(axis.fit.coulomb_N.value, 0.12, 0.05 * 0.12 + axis.fit.coulomb_N.half);
    EXPECT_NEAR(axis.fit.delay_s.value, 0.001, 0.05 * 0.001 + 5e-5 + axis.fit.delay_s.half);
  }
  EXPECT_EQ((*choice.Known())[0].delay_s, 0.001);
  Expect("selftest --device " + file.path, kExitOk, "passed; went");
  Expect("identify --device ./nowhere.toml", kExitUsage, "nowhere.toml");
}

TEST(IdentifyCommand, FeedsStability) {
  const TomlFile file;
  Expect("identify --device pantograph --seconds 10 --preset-out " + file.path, kExitOk, "y  does not move");
  Expect("stability --device " + file.path, kExitOk, "rotations are not driven");
  EXPECT_NEAR(ReadDeviceNumbers(file.path).mass_kg, 0.058, 0.05 * 0.058);  // Source: docs/presets.md
}

TEST(IdentifyCommand, RefusesWhatCannotBe) {
  Expect("identify --device phantom", kExitUsage, "no device 'phantom'; there is: host, falcon");
  Expect("identify --hand left", kExitUsage, "no hand 'left'");
  Expect("identify --seconds 1", kExitUsage, "--seconds: give 8 to 600");
  Expect("identify --force nan", kExitUsage, "--force");
  Expect("identify --force 100", kExitUsage, "--force 100: give a number up to 8");
  Expect("identify --reach -1", kExitUsage, "--reach");
  Expect("identify --json /nowhere/x.json", kExitUsage, "cannot write");
}

TEST(SelfTestCommand, PassesEmulatorsAndFindsWhatIsWrongWithThem) {  // Source: the fault that the emulator was given.
  Expect("selftest --device falcon-emulator", kExitOk, "passed; went");
  Expect("selftest --device haply-emulator", kExitOk, "passed; went");
  // Its driver holds up its links, which the hand held before, and lifts it by 3.7 mm: within what it declares, 5 mm.
  Expect("selftest --device woodenhaptics-emulator", kExitOk, "passed; went");
  Expect("selftest --device woodenhaptics-emulator --lift 0.001", kExitFailed, "holds up its links");
  Expect("selftest --device odrive-emulator", kExitOk, "passed; went");
  Expect("selftest --device falcon --lift 0.02 --reach 0.01", kExitUsage, "--lift: give a length up to --reach");
  Expect("selftest --device falcon-emulator --fault frozen@0", kExitFailed, "FAILED: do not arm it");
  Expect("selftest --device falcon-emulator --fault mute@0", kExitFailed, "FAILED: do not arm it");
  Expect("selftest --device woodenhaptics-emulator --fault jump@30", kExitFailed, "FAILED: do not arm it");
  Expect("selftest --device haply-emulator --fault silent@20", kExitFailed, "FAILED: do not arm it");
  Expect("selftest --device falcon --fault mute@0", kExitUsage, "--fault is for an emulated device");
  Expect("selftest --device phantom-emulator", kExitUsage, "no device 'phantom'");
}

TEST(SelfTestCommand, WritesItsLinesAsJson) {  // Source: what it prints.
  const TomlFile file;
  Expect("selftest --device hapkit --json " + file.path, kExitOk, "passed; went");
  const auto good = nlohmann::json::parse(std::ifstream(file.path));
  EXPECT_EQ(good["format"], "tactus.selftest/1");
  EXPECT_EQ(good["passed"], true);
  EXPECT_EQ(good["checks"].size(), 11u);
  Expect("selftest --device falcon-emulator --fault frozen@0 --json " + file.path, kExitFailed, "FAILED");
  const auto bad = nlohmann::json::parse(std::ifstream(file.path));
  EXPECT_EQ(bad["passed"], false);
  int failures = 0;
  for (const auto& check : bad["checks"]) failures += check["verdict"] == "FAIL";
  EXPECT_EQ(failures, 1);
  Expect("selftest --device hapkit --json /nowhere/x.json", kExitUsage, "cannot write");
}

TEST(IdentifyCommand, StopsAtASignal) {
  const auto [code, output] = Tactus("identify --device falcon --seconds 600", "timeout -k 5 -s INT 1 ");
  EXPECT_EQ(code, 124);  // Source: timeout's own, when it had to
  EXPECT_NE(output.find("STOPPED: a signal came"), std::string::npos) << output;
}

TEST(IdentifyCommand, RefusesMotionThatIsTooSlow) {  // Below 30 mm/s friction is not told from anything.
  Expect("identify --device falcon --seconds 8 --speed 0.05", kExitFailed, "too slow");
  Expect("identify --device falcon --seconds 8 --reach 0.002", kExitFailed, "too slow");
}

TEST(IdentifyCommand, StopsAtAFaultOfAnEmulator) {
  Expect("identify --device falcon-emulator --seconds 8 --fault jump@3000", kExitFailed, "STOPPED: ");
  Expect("identify --device falcon-emulator --seconds 8 --fault unplug@3000", kExitFailed, "STOPPED: ");
}

}  // namespace
}  // namespace tactus::host
