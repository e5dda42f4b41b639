#include "host_tools/devices/real_devices.h"

#include <fmt/core.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>

#include "hal/devices/falcon_port.h"
#include "hal/devices/haply_port.h"
#include "hal/devices/moteus_port.h"
#include "hal/devices/odrive_port.h"
#include "hal/devices/woodenhaptics_port.h"
#include "hal/sim/falcon_board.h"
#include "hal/sim/haply_board.h"
#include "hal/sim/moteus_board.h"
#include "hal/sim/odrive_board.h"
#include "hal/sim/woodenhaptics_board.h"
#include "host_tools/devices/device_file.h"
#include "host_tools/devices/falcon_line.h"
#include "host_tools/devices/forwarding_device.h"
#include "host_tools/devices/line_device.h"
#include "host_tools/devices/line_guard.h"
#include "host_tools/io/reopening_tty.h"
#include "host_tools/link/host_error.h"

namespace tactus::host {
namespace {

struct OwnedGuard {
  std::unique_ptr<LineGuard> guard;
};

/// A device, and the guard of its line, which speaks when the line is closed.
class DeviceWithLastWords final : private OwnedGuard, public ForwardingDevice {
 public:
  DeviceWithLastWords(std::unique_ptr<LineGuard> speaker, std::unique_ptr<hal::Device> device)
      : OwnedGuard{std::move(speaker)}, ForwardingDevice(std::move(device)) {}
};

/// The config, looked at. @throws HostError: a set of numbers is wrong.
template <DeviceKinematics D>
hal::MotorDeviceConfig<D> Checked(const hal::MotorDeviceConfig<D>& config) {
  if (const DeviceFault fault = hal::Validate(config)) {
    throw HostError(
        fmt::format("{}: {}[{}] {}: {}", config.capabilities.name, fault.field, fault.index, fault.what, fault.value));
  }
  return config;
}

[[noreturn]] void NoSuchSet(const char* name, const std::string& set) {
  throw HostError(
      fmt::format("{} has no set of numbers '{}'; there is: {}, or a file", name, set, FindRealDevice(name)->sets));
}

/// Numbers of a file on top of a config's.
template <DeviceKinematics D>
void ReadFile(const std::string& path, hal::MotorDeviceConfig<D>* config) {
  DeviceFile(path).ReadAll(config->motors, &config->mechanism, &config->capabilities, config->walls, config->friction);
}

/// The same numbers for the mechanism that stands behind an emulator. Those of the driver alone are looked at as the driver
/// does, from its defaults; no emulated motor has them.
template <DeviceKinematics D, class Options>
void ReadFileOf(const EmulationRequest& request, hal::MotorDeviceConfig<D> driver, Options* options) {
  if (request.set.empty()) return;
  if (!IsDeviceFile(request.set)) {
    throw HostError(fmt::format(
        "'{}' is no file (its name ends in .toml, or has a / in it): the emulated {} has its default set, or a file's",
        request.set, driver.capabilities.name));
  }
  for (std::size_t i = 0; i < driver.motors.size(); ++i) {
    options->motors[i].max_current_A = driver.motors[i].max_current_A;
    options->motors[i].continuous_current_A = driver.motors[i].continuous_current_A;
    options->motors[i].thermal_time_s = driver.motors[i].thermal_time_s;
  }
  DeviceFile(request.set).ReadAll(options->motors, &options->mechanism, &driver.capabilities, driver.walls, driver.friction);
  driver.motors = options->motors;
  driver.mechanism = options->mechanism;
  (void)Checked(driver);
}

std::unique_ptr<hal::Device> DriveWoodenHaptics(DriverRequest request) {
  using enum hal::WoodenHapticsSet;
  hal::WoodenHapticsSet set = kV2015;
  const bool is_file = IsDeviceFile(request.set);
  if (request.set == "v2019")
    set = kV2019;
  else if (request.set == "aluminium2017")
    set = kAluminium2017;
  else if (!request.set.empty() && request.set != "v2015" && !is_file)
    NoSuchSet("woodenhaptics", request.set);
  auto config = hal::WoodenHapticsConfig(set, request.period_us * 1e-6);
  if (is_file) ReadFile(request.set, &config);
  return std::make_unique<LineDevice<hal::WoodenHapticsPort, LinkArm<double>>>(std::move(request.link), Checked(config));
}

std::unique_ptr<hal::EmulatedBoard> EmulateWoodenHaptics(const EmulationRequest& request) {
  auto options = hal::WoodenHapticsBoard::Arm(request.script, request.seed);
  ReadFileOf(request, hal::WoodenHapticsConfig(), &options);
  return std::make_unique<hal::WoodenHapticsBoard>(options);
}

std::unique_ptr<hal::Device> DriveHaply(DriverRequest request) {
  const bool dev_kit = request.set == "devkit";
  const bool is_file = IsDeviceFile(request.set);
  if (!request.set.empty() && request.set != "m3" && !dev_kit && !is_file) NoSuchSet("haply", request.set);
  const hal::HaplyBoardSet set = dev_kit ? hal::HaplyBoardSet::kDevKit : hal::HaplyBoardSet::kM3;
  auto config = hal::HaplyConfig(set, request.period_us * 1e-6);
  if (is_file) ReadFile(request.set, &config);
  return std::make_unique<LineDevice<hal::HaplyPort, FiveBar<double>>>(std::move(request.link), Checked(config));
}

std::unique_ptr<hal::EmulatedBoard> EmulateHaply(const EmulationRequest& request) {
  auto options = hal::HaplyBoard::Arms(request.script, request.seed);
  ReadFileOf(request, hal::HaplyConfig(), &options);
  return std::make_unique<hal::HaplyBoard>(options);
}

std::unique_ptr<hal::Device> DriveFalcon(DriverRequest request) {
  const bool is_file = IsDeviceFile(request.set);
  if (!request.set.empty() && request.set != "libnifalcon" && !is_file) NoSuchSet("falcon", request.set);
  auto config = hal::FalconConfig(request.period_us * 1e-6);
  if (is_file) ReadFile(request.set, &config);
  return std::make_unique<LineDevice<hal::FalconPort, StamperDelta<double>>>(std::move(request.link), Checked(config));
}

std::unique_ptr<hal::EmulatedBoard> EmulateFalcon(const EmulationRequest& request) {
  auto options = hal::FalconBoard::Arms(request.script, request.seed);
  ReadFileOf(request, hal::FalconConfig(), &options);
  return std::make_unique<hal::FalconBoard>(options, !request.unprogrammed);
}

/// A pantograph of two drives, whoever made them.
template <class Port>
std::unique_ptr<hal::Device> DrivePantograph(const char* name, hal::MotorDeviceConfig<FiveBar<double>> config,
                                             DriverRequest request) {
  const bool is_file = IsDeviceFile(request.set);
  if (!request.set.empty() && request.set != "pantograph" && !is_file) NoSuchSet(name, request.set);
  if (is_file) ReadFile(request.set, &config);
  return std::make_unique<LineDevice<Port, FiveBar<double>>>(std::move(request.link), Checked(config));
}

template <class Board>
std::unique_ptr<hal::EmulatedBoard> EmulatePantograph(const hal::MotorDeviceConfig<FiveBar<double>>& driver,
                                                      const EmulationRequest& request) {
  auto options = Board::Arms(request.script, request.seed);
  ReadFileOf(request, driver, &options);
  return std::make_unique<Board>(options);
}

std::unique_ptr<hal::Device> DriveODrive(DriverRequest request) {
  const auto config = hal::ODriveConfig(request.period_us * 1e-6);
  return DrivePantograph<hal::ODrivePort>("odrive", config, std::move(request));
}

std::unique_ptr<hal::EmulatedBoard> EmulateODrive(const EmulationRequest& request) {
  return EmulatePantograph<hal::ODriveBoard>(hal::ODriveConfig(), request);
}

std::unique_ptr<hal::Device> DriveMoteus(DriverRequest request) {
  const auto config = hal::MoteusConfig(request.period_us * 1e-6);
  return DrivePantograph<hal::MoteusPort>("moteus", config, std::move(request));
}

std::unique_ptr<hal::EmulatedBoard> EmulateMoteus(const EmulationRequest& request) {
  return EmulatePantograph<hal::MoteusBoard>(hal::MoteusConfig(), request);
}

const std::array<std::uint8_t, hal::falcon::kPacketSize> kFalconZeros = hal::falcon::Write(hal::falcon::Request{});
constexpr std::uint8_t kWoodenHapticsZeros[] = {'[', '0', ',', '0', ',', '0', ']', '\n'};
// A board that has lost its set-up takes no torques, and keeps those that it has.
const std::array<std::uint8_t, hal::haply::kSetupSize> kHaplySetup = hal::haply::WriteSetup();
const std::array<std::uint8_t, hal::haply::kTorqueSize> kHaplyZeros = hal::haply::WriteTorques({0, 0});

// Both drives: no torque, and idle.
constexpr std::uint8_t kODriveZeros[] = "t00E400000000\rt02E400000000\rt007401000000\rt027401000000\r";

// Both drives: stop. From source 0, without an answer; four bytes, the last of them fills up.
constexpr std::uint8_t kMoteusStop[] = "can send 1 01000050\ncan send 2 01000050\n";

const RealDevice kDevices[] = {
    {"woodenhaptics",
     "the WoodenHaptics arm, firmware of 2026",
     "v2015, v2019, aluminium2017",
     921600,
     "wall_tap",
     [] { return hal::WoodenHapticsConfig().capabilities; },
     DriveWoodenHaptics,
     EmulateWoodenHaptics,
     {.then = kWoodenHapticsZeros},
     "hold the arm still in its home pose, upper link straight up and forearm level",
     "",
     {},
     0.005},  // its links weigh at the handle what lifts a relaxed hand by 3.7 mm; its emulator, 2026-11
    {"haply",
     "the Haply pantograph of two motors, open firmware",
     "m3, devkit",
     921600,
     "wall_tap",
     [] { return hal::HaplyConfig().capabilities; },
     DriveHaply,
     EmulateHaply,
     {.first = kHaplySetup, .then = kHaplyZeros},
     "hold both arms still, straight out sideways"},
    {"falcon",
     "the Novint Falcon; PATH may be usb, and its program is loaded with ,program=FILE",
     "libnifalcon",
     1'500'000,
     "wall_tap",
     [] { return hal::FalconConfig().capabilities; },
     DriveFalcon,
     EmulateFalcon,
     {.then = kFalconZeros},
     "pull the grip out and push it in, until the light is green",
     "take its supply away and give it again",
     {},
     0.001,
     OpenFalconLine,
     SayFalconWordsOverUsb},
    {"odrive",
     "a pantograph of two ODrives, CAN-Simple, on a serial CAN adapter or on SocketCAN",
     "pantograph",
     1'000'000,
     "wall_tap",
     [] { return hal::ODriveConfig().capabilities; },
     DriveODrive,
     EmulateODrive,
     {.then = std::span(kODriveZeros).first(sizeof(kODriveZeros) - 1)},
     "",
     "",
     CanKind::kClassic},
    {"moteus",
     "a pantograph of two moteus drives, CAN-FD, on the maker's serial adapter or on SocketCAN",
     "pantograph",
     1'000'000,
     "wall_tap",
     [] { return hal::MoteusConfig().capabilities; },
     DriveMoteus,
     EmulateMoteus,
     {.then = std::span(kMoteusStop).first(sizeof(kMoteusStop) - 1)},
     "",
     "",
     CanKind::kFd},
};

constexpr std::chrono::seconds kHomingPatience(60);

int Connect(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof(address.sun_path)) throw HostError(fmt::format("'{}' is too long for a socket", path));
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0 || connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0) {
    const int error = errno;
    if (fd >= 0) close(fd);
    throw HostError(fmt::format("cannot open '{}': {}", path, std::strerror(error)), kExitLink);
  }
  return fd;
}

}  // namespace

std::span<const RealDevice> RealDevices() { return kDevices; }

const RealDevice* FindRealDevice(const std::string& name) {
  for (const RealDevice& device : kDevices) {
    if (name == device.name) return &device;
  }
  return nullptr;
}

std::string RealDeviceNames() {
  std::string names;
  for (const RealDevice& device : kDevices) names += (names.empty() ? "" : ", ") + std::string(device.name);
  return names;
}

LinePlace ParseLinePlace(const std::string& place) {
  constexpr std::string_view kSet = ",set=", kProgram = ",program=", kUnix = "unix:", kCan = "can:", kUsb = "usb";
  LinePlace line;
  line.path = place;
  const auto take = [&line](std::string_view key, std::string* value) {
    const std::size_t at = line.path.rfind(key);
    *value = line.path.substr(at + key.size());
    line.path.erase(at);
  };
  for (;;) {  // from the end: a path may have such words in it
    const std::size_t set = line.path.rfind(kSet), program = line.path.rfind(kProgram);
    const bool has_set = set != std::string::npos, has_program = program != std::string::npos;
    if (has_set && line.set.empty() && (!has_program || set > program)) {
      take(kSet, &line.set);
    } else if (has_program && line.program.empty() && (!has_set || program > set)) {
      take(kProgram, &line.program);
    } else {
      break;
    }
  }
  line.is_usb = line.path == kUsb || line.path.starts_with("usb:");
  if (line.is_usb) line.path.erase(0, line.path == kUsb ? kUsb.size() : kUsb.size() + 1);
  line.is_socket = line.path.starts_with(kUnix);
  if (line.is_socket) line.path.erase(0, kUnix.size());
  line.is_can = line.path.starts_with(kCan);
  if (line.is_can) line.path.erase(0, kCan.size());
  return line;
}

namespace {

/// Who says the last words when this program is gone. nullptr: nobody can, or there are none.
std::unique_ptr<LineGuard> GuardOf(const RealDevice& real, const LinePlace& line) {
  if (line.is_socket || line.is_can || real.last_words.then.empty()) return nullptr;
  if (line.is_usb) return std::make_unique<LineGuard>([&] { real.last_words_over_usb(line.path, real.last_words); });
  return std::make_unique<LineGuard>(line.path, real.baud, real.last_words);
}

std::unique_ptr<hal::ByteLink> OpenLine(const RealDevice& real, const LinePlace& line) {
  if (line.is_usb || !line.program.empty()) return real.start(line, real.baud);
  if (line.is_can) {
    const CanKind kind = real.can.value_or(CanKind::kClassic);
    return std::make_unique<CanLink>(OpenCan(line.path, kind), kind);
  }
  if (line.is_socket) return std::make_unique<TtyLink>(Connect(line.path));
  return std::make_unique<ReopeningTty>(line.path, real.baud);
}

}  // namespace

void StartHoming(hal::Device* device, const std::string& name) {
  if (device == nullptr || device->Home() != Status::kOk)
    throw HostError(fmt::format("{} has no home pose that it could be homed by: leave --home out", name));
}

std::unique_ptr<hal::Device> OpenRealDevice(const RealDevice& real, const std::string& place, std::uint32_t period_us,
                                            int priority, bool homes) {
  using Clock = std::chrono::steady_clock;
  LinePlace line = ParseLinePlace(place);
  line.priority = priority;
  line.is_can = line.is_can || (real.can && !line.is_socket && !line.is_usb && line.path.find('/') == std::string::npos);
  DriverRequest request{.set = line.set, .period_us = period_us};
  if (line.is_can && !real.can)
    throw HostError(fmt::format("{} is on a serial line, not on a CAN bus: '{}'", real.name, place));
  if (real.start == nullptr && (line.is_usb || !line.program.empty()))
    throw HostError(fmt::format("{} has no program to load, and is not reached over libusb", real.name));
  if (!line.program.empty() && (line.is_socket || line.is_can))
    throw HostError(fmt::format("{}: a program is loaded over usb or a terminal", real.name));
  std::unique_ptr<LineGuard> guard = GuardOf(real, line);
  request.link = OpenLine(real, line);
  auto device = std::make_unique<DeviceWithLastWords>(std::move(guard), real.drive(std::move(request)));
  if (homes) StartHoming(device.get(), real.name);
  const auto begin = Clock::now();
  std::chrono::seconds patience(2);
  for (auto now = begin; now - begin < patience; now = Clock::now()) {
    const auto now_us = std::chrono::duration_cast<std::chrono::microseconds>(now - begin).count();
    hal::Device& driver = *device;
    const hal::DeviceReading reading = driver.Read(static_cast<std::uint32_t>(now_us));
    if (reading.valid && reading.state == hal::DeviceState::kReady) {
      device->ChangeClock();
      return device;
    }
    if (reading.state == hal::DeviceState::kHoming && patience != kHomingPatience) {
      patience = kHomingPatience;
      fmt::print(stderr, "{} on '{}' homes: {}\n", real.name, place, real.homing);
    }
    (void)driver.Write({}, {});
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  const bool answers = patience == kHomingPatience;  // its program runs
  const bool may_load = !answers && real.start != nullptr && line.program.empty() && !line.is_usb && !line.is_socket;
  throw HostError(fmt::format("no {} on '{}': {}{}", real.name, place, device->why(),
                              may_load ? ". Does its program run? ',program=FILE' behind the path loads it" : ""),
                  kExitLink);
}

}  // namespace tactus::host
