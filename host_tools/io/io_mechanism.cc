#include "host_tools/io/io_mechanism.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <type_traits>
#include <utility>

#include "hal/devices/motor_device.h"
#include "hal/sim/preset_at_handle.h"
#include "hal/sim/preset_motor_io.h"
#include "host_tools/devices/device_file.h"
#include "host_tools/io/io_port.h"
#include "host_tools/io/reopening_tty.h"
#include "host_tools/link/host_error.h"

namespace tactus::host {
namespace {

struct OwnedBoard {
  explicit OwnedBoard(const TtyPlace& place) : tty(place.path, place.baud), line(tty) { WaitForHello(line, place); }
  ReopeningTty tty;
  IoLine line;
};

struct OwnedPort {
  OwnedPort(std::unique_ptr<OwnedBoard> opened, int motors) : board(std::move(opened)), port(board->line, motors) {}
  std::unique_ptr<OwnedBoard> board;
  IoPort port;
};

/// A mechanism on a board that it owns, in the board's words where the failure is the board's.
template <DeviceKinematics D>
class IoMotorDevice final : private OwnedPort, public hal::MotorDevice<D> {
 public:
  IoMotorDevice(std::unique_ptr<OwnedBoard> opened, const hal::MotorDeviceConfig<D>& config)
      : OwnedPort(std::move(opened), D::kMotors), hal::MotorDevice<D>(config, OwnedPort::port) {}

 private:
  const char* DoWhy() const noexcept override {
    const hal::PortCause own = this->last_failure();
    if (this->is_homed_anew()) return "";  // what the board said before has led to that
    const IoFailure of_board = OwnedPort::port.last_failure();
    const bool is_the_boards = own == hal::PortCause::kNone || own == ToPortCause(of_board);
    return is_the_boards ? Name(of_board) : hal::Name(own);
  }
};

/// A set with what the board of a hello says of its motors.
template <DeviceKinematics D>
struct IoSet {
  typename hal::PresetDevice<D>::Options options;
  std::array<JointWall<double>, static_cast<std::size_t>(D::kMotors)> walls = {};
  std::array<JointFriction<double>, static_cast<std::size_t>(D::kMotors)> friction = {};
  hal::DeviceCapabilities can = {};
};

/// The ceilings are the board's, and so are the counts a turn where it tells them.
template <DeviceKinematics D>
void TakeBoard(const wire::IoHello& hello, typename hal::PresetDevice<D>::Options* options) {
  for (int i = 0; i < D::kMotors; ++i) {
    const auto n = static_cast<std::uint16_t>(i);
    const std::uint32_t counts = hello.counts_per_turn()->Get(n);
    if (counts > 0) options->motors[n].counts_per_turn = counts;
  }
}

template <DeviceKinematics D>
void CheckBoard(const wire::IoHello& hello, const std::string& set, typename hal::PresetDevice<D>::Options* options) {
  for (int i = 0; i < D::kMotors; ++i) {
    const auto n = static_cast<std::uint16_t>(i);
    MotorCalibration<double>& motor = options->motors[n];
    const std::uint32_t counts = hello.counts_per_turn()->Get(n);
    if (counts > 0 && motor.counts_per_turn != counts) {
      throw HostError(fmt::format("{}: motors[{}].counts_per_turn is {:g}, the board '{}' says {}: correct one of them", set,
                                  i, motor.counts_per_turn, BoardName(hello), counts));
    }
    motor.max_current_A = std::min(motor.max_current_A, static_cast<double>(hello.max_current_A()->Get(n)));
    motor.continuous_current_A = std::min(motor.continuous_current_A, motor.max_current_A);
  }
}

/// What the handle is at home, with these numbers. @throws HostError: a file has taken the home out of reach
template <DeviceKinematics D>
hal::DeviceCapabilities CanOf(const hal::DevicePreset& preset, const std::string& set,
                              const typename hal::PresetDevice<D>::Options& options) {
  hal::MassRowsOf<D> rows;
  if (!hal::RowsAt(options.mechanism, options.home_rad, 0, &rows).ok())
    throw HostError(fmt::format("{}: this mechanism has no posture at the home of the preset '{}'", set, preset.name));
  const hal::PresetAtHandle at = hal::LookAt<D>(options);
  const auto& first = options.motors[0];
  const double peak_N = std::min<double>(preset.max_force_N, at.max_force_N);
  hal::DeviceCapabilities can{
      .name = preset.name,
      .resolution_m = static_cast<float>(at.resolution_m),
      .peak_force_N = static_cast<float>(peak_N),
      .continuous_force_N = static_cast<float>(peak_N * first.continuous_current_A / first.max_current_A),
      .effector_mass_kg = static_cast<float>(at.mass_kg),
      .command_delay_ticks = 1};  // io_firmware.md, 1
  const std::array<hal::PresetAxis, 3> axes = hal::AxesOf<D>(options);
  for (std::size_t i = 0; i < 3; ++i) {
    can.sensed[i] = can.actuated[i] = axes[i].moves;
    can.sensed[3 + i] = can.actuated[3 + i] = false;
  }
  return can;
}

[[noreturn]] void NoSuchSet(const std::string& set) {
  throw HostError(fmt::format("no set '{}' for an I/O board; there is: {}, or a file", set, IoSetNames()));
}

/// `use`, called with the IoSet of this name or file. @param hello  nullptr: no board, the set's own numbers
template <class Use>
auto WithIoSet(const std::string& set, const wire::IoHello* hello, const hal::PresetRequest& request, Use use) {
  std::optional<DeviceFile> file;
  if (IsDeviceFile(set)) file.emplace(set);
  const std::string name = file ? file->Preset(IoSetNames()) : set;
  const hal::DevicePreset* const preset = hal::FindPreset(name);
  if (preset == nullptr || preset->turns) NoSuchSet(name);
  return hal::WithPresetOptions(*preset, request, [&](auto options) -> decltype(use(IoSet<Hapkit<double>>{})) {
    using D = std::remove_cvref_t<decltype(options.mechanism)>;
    if constexpr (D::kSensed > 0) {
      NoSuchSet(name);  // no encoder of a board is for a joint without a motor
    } else {
      IoSet<D> of{.options = std::move(options)};
      auto& numbers = of.options;
      for (int i = 0; i < D::kMotors; ++i) numbers.motors[static_cast<std::size_t>(i)].offset_rad = numbers.home_rad(i);
      if (hello != nullptr) TakeBoard<D>(*hello, &numbers);
      if (file) file->ReadMechanism(numbers.motors, &numbers.mechanism);
      if (hello != nullptr) CheckBoard<D>(*hello, set, &numbers);
      of.can = CanOf<D>(*preset, set, numbers);
      if (file) file->ReadRest(&of.can, of.walls, of.friction);
      return use(of);
    }
  });
}

template <DeviceKinematics D>
hal::MotorDeviceConfig<D> ConfigOf(const IoSet<D>& of, const std::string& set, std::uint32_t period_us) {
  hal::MotorDeviceConfig<D> config;
  config.mechanism = of.options.mechanism;
  config.motors = of.options.motors;
  config.walls = of.walls;
  config.friction = of.friction;
  config.p_WD_m = of.options.p_WD_m;
  config.R_WD = of.options.R_WD;
  config.period_s = 1e-6 * period_us;
  config.capabilities = of.can;
  if (const DeviceFault fault = hal::Validate(config))
    throw HostError(fmt::format("{}: {}[{}] {}: {:g}", set, fault.field, fault.index, fault.what, fault.value));
  return config;
}

}  // namespace

std::string IoSetNames() {
  std::string names;
  for (const hal::DevicePreset& preset : hal::DevicePresets())
    if (!preset.turns) names += (names.empty() ? "" : ", ") + std::string(preset.name);
  return names;
}

hal::DeviceCapabilities CapabilitiesOfIoSet(const std::string& set) {
  return WithIoSet(set, nullptr, {}, [](const auto& of) { return of.can; });
}

std::unique_ptr<hal::Device> OpenIoMechanism(const TtyPlace& place, const std::string& set, std::uint32_t period_us) {
  (void)CapabilitiesOfIoSet(set);  // what is wrong with it is told before the board is asked
  auto board = std::make_unique<OwnedBoard>(place);
  const wire::IoHello& hello = board->line.hello();
  CheckRate(hello, place, period_us);
  return WithIoSet(set, &hello, {}, [&](const auto& of) -> std::unique_ptr<hal::Device> {
    using D = std::remove_cvref_t<decltype(of.options.mechanism)>;
    if (hello.motors() < D::kMotors) {
      throw HostError(fmt::format("the I/O board '{}' on '{}' has {} motors, '{}' {}: take another set", BoardName(hello),
                                  place.path, hello.motors(), set, D::kMotors));
    }
    return std::make_unique<IoMotorDevice<D>>(std::move(board), ConfigOf<D>(of, set, period_us));
  });
}

std::unique_ptr<hal::EmulatedMotors> EmulateIoSet(const std::string& set, const hal::PresetRequest& request) {
  return WithIoSet(set, nullptr, request, [&](const auto& of) -> std::unique_ptr<hal::EmulatedMotors> {
    using D = std::remove_cvref_t<decltype(of.options.mechanism)>;
    (void)ConfigOf<D>(of, set, 1000);
    auto options = of.options;
    options.delay_s = options.jitter_s = 0;  // the line has them
    return std::make_unique<hal::PresetMotorIo<D>>(options);
  });
}

}  // namespace tactus::host
