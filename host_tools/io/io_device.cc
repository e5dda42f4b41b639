#include "host_tools/io/io_device.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstring>
#include <limits>
#include <thread>

#include "hal/sim/sim_motor_io.h"
#include "host_tools/link/host_error.h"

namespace tactus::host {
namespace {

constexpr unsigned kDefaultBaud = 921600;
constexpr std::chrono::milliseconds kHelloPatience{2000}, kHelloAgain{100}, kLook{1};

/// The lesser of what the mechanism and the board's motors can do.
float Peak(float of_mechanism, const wire::IoHello& hello, int first, float per_A) {
  float peak = of_mechanism;
  for (int i = first; i < first + 3; ++i)
    peak = std::min(peak, hello.max_current_A()->Get(static_cast<std::uint16_t>(i)) * per_A);
  return peak;
}

/// Each motor that is there has a ceiling that is a number.
bool HasCeilings(const wire::IoHello& hello) {
  if (hello.motors() > hal::kMaxMotors) return false;
  for (std::uint16_t i = 0; i < hello.motors(); ++i) {
    const float max_A = hello.max_current_A()->Get(i);
    if (!(max_A >= 0 && max_A < std::numeric_limits<float>::infinity())) return false;
  }
  return true;
}

/// All that a board compiles in. Its session and state may differ, and which link this is.
bool HasSameBounds(const wire::IoHello& a, const wire::IoHello& b) {
  return a.command_timeout_us() == b.command_timeout_us() && a.command_hold_us() == b.command_hold_us() &&
         a.period_us() == b.period_us() && a.max_step_counts() == b.max_step_counts() && a.motors() == b.motors() &&
         std::memcmp(a.counts_per_turn(), b.counts_per_turn(), 24) == 0 &&
         std::memcmp(a.max_current_A(), b.max_current_A(), 24) == 0;
}

struct TtyPlace {
  std::string path;
  unsigned baud = kDefaultBaud;
};

/// "/dev/ttyX" or "/dev/ttyX:BAUD". What stands behind the last colon is a rate if it is a number: a path may have colons.
TtyPlace PlaceOf(const std::string& place) {
  const std::size_t colon = place.rfind(':');
  if (colon == std::string::npos) return {.path = place};
  TtyPlace tty{.path = place.substr(0, colon)};
  const char* const last = place.data() + place.size();
  const auto [end, error] = std::from_chars(place.data() + colon + 1, last, tty.baud);
  return error == std::errc{} && end == last ? tty : TtyPlace{.path = place};
}

}  // namespace

IoDevice::IoDevice(hal::ByteLink& link, const hal::CartesianMotors& motors, const hal::DeviceCapabilities& mechanism)
    : link_(link), motors_(motors), capabilities_(mechanism) {}

void IoDevice::AskForSession(std::uint32_t nonce) noexcept {
  constexpr std::uint8_t kEnd[] = {0};  // of what stood on the line
  nonce_ = nonce;
  (void)link_.Write(kEnd, hal::Lane::kCommand);
  (void)Send(wire::HelloRequest(wire::kProtocolVersion, nonce));
}

void IoDevice::Poll() noexcept {
  for (int i = 0; i < kReadsPerCall; ++i) {
    std::size_t count = 0;
    hung_up_ = link_.Read(received_, &count) == Status::kClosed;
    if (hung_up_) session_lost_ = true;
    if (count == 0) return;
    for (std::span<const std::uint8_t> bytes(received_.data(), count); !bytes.empty();) {
      std::size_t used = 0;
      if (decoder_.Push(bytes, &used) == Status::kOk) Handle(decoder_.frame());
      bytes = bytes.subspan(used);
    }
  }
}

void IoDevice::Handle(const wire::Frame& frame) {
  wire::IoHello hello;
  wire::IoState state;
  if (wire::ReadMessage(frame, &hello) == Status::kOk) HandleHello(hello);
  if (wire::ReadMessage(frame, &state) == Status::kOk) HandleState(state);
}

/// The first hello tells the bounds. A board that comes back with others is another board.
void IoDevice::HandleHello(const wire::IoHello& hello) {
  if (hello.nonce() != nonce_ || hello.compatible() == 0 || !HasCeilings(hello)) return;
  if (connected() && !HasSameBounds(hello, hello_)) {
    other_board_ = true;
    return;
  }
  hello_ = hello;
  command_sequence_ = 0;
  session_lost_ = has_state_ = other_board_ = false;
  ++counters_.sessions;
  capabilities_.peak_force_N = Peak(capabilities_.peak_force_N, hello, 0, motors_.N_per_A);
  capabilities_.peak_torque_Nm = Peak(capabilities_.peak_torque_Nm, hello, 3, motors_.Nm_per_A);
}

void IoDevice::HandleState(const wire::IoState& state) {
  if (!connected()) return;
  const std::uint32_t ahead = state.sequence() - state_.sequence();
  if (has_state_ && (ahead == 0 || ahead > 0x8000'0000u)) session_lost_ = true;  // it counts anew: a reset
  if (has_state_ && ahead > 1 && ahead < 0x8000'0000u) counters_.missing_states += ahead - 1;
  ++counters_.states;
  if (state.answer() > wire::IoAnswer::kAccepted) ++counters_.refused;
  if (state.answer() == wire::IoAnswer::kWrongSession) session_lost_ = true;
  if (state.state() == wire::State::kArmed && state.command_age_us() + hello_.period_us() > hello_.command_hold_us())
    ++counters_.fades;
  state_ = state;
  state_time_us_ = now_us_;
  has_state_ = is_new_ = true;
}

hal::DeviceReading IoDevice::DoReadSample(std::uint32_t now_us) noexcept {
  now_us_ = now_us;
  is_new_ = false;
  Poll();
  if (is_new_) {
    std::int32_t count[hal::kMaxMotors];
    for (int i = 0; i < hal::kMaxMotors; ++i) count[i] = state_.count()->Get(static_cast<std::uint16_t>(i));
    motors_.ToPose(count, &sample_);
    ++sample_.sequence;
  } else {
    ++counters_.empty_reads;
  }
  Recover(now_us);
  sample_.age_us = now_us - state_time_us_;
  const bool e_stop = (static_cast<unsigned>(state_.inputs()) & static_cast<unsigned>(wire::IoInput::kEStop)) != 0;
  return {.sample = sample_,
          .valid = sample_.sequence > 0,
          .is_new = is_new_,
          .e_stop = has_state_ && e_stop,
          .state = State(now_us),
          .cause = Cause()};
}

/// With the drives off: another session for a lost one, the end of a fault whose inputs are well.
void IoDevice::Recover(std::uint32_t now_us) {
  if (enabled_) lost_while_enabled_ |= session_lost_;
  if (hung_up_ || now_us - retry_time_us_ < kRetry_us) return;
  const bool silent = now_us - state_time_us_ >= kSilence_us;
  if (session_lost_ || silent) {
    retry_time_us_ = now_us;
    session_lost_ = true;
    AskForSession(nonce_ + 1);
  } else if (!enabled_ && state_.state() == wire::State::kFaulted && static_cast<unsigned>(state_.inputs()) == 0) {
    retry_time_us_ = now_us;
    wire::Control control;
    control.mutate_action(wire::Action::kClearFault);
    (void)Send(control);
  }
}

hal::DeviceState IoDevice::State(std::uint32_t now_us) const {
  using enum hal::DeviceState;
  if (hung_up_ || other_board_ || lost_while_enabled_) return kFaulted;
  if (!has_state_ && counters_.states == 0) return kUninitialised;
  if (session_lost_ || now_us - state_time_us_ >= kSilence_us) return kFaulted;
  switch (state_.state()) {
    case wire::State::kFaulted: return kFaulted;
    case wire::State::kArmed:
    case wire::State::kFading: return kEnabled;
    default: return kReady;
  }
}

hal::DeviceCause IoDevice::Cause() const {
  using enum hal::DeviceCause;
  switch (state_.fault()) {
    case wire::IoFault::kNone: return State(now_us_) == hal::DeviceState::kFaulted ? kNoSignal : kNone;
    case wire::IoFault::kEncoderFault:
    case wire::IoFault::kEncoderJump:
    case wire::IoFault::kCommandTimeout: return kNoSignal;
    default: return kDriveFault;
  }
}

Status IoDevice::DoWriteCommand(const CommandFrame& command, const hal::CommandNote&) noexcept {
  if (!enabled_) lost_while_enabled_ = false;  // the controller has seen it and let go
  // A command of the old session behind the request for a new one would be refused, and look like another loss.
  if (hung_up_ || !connected() || session_lost_) return Status::kClosed;
  float max_A[hal::kMaxMotors], current_A[hal::kMaxMotors];
  for (std::uint16_t i = 0; i < hal::kMaxMotors; ++i) max_A[i] = hello_.max_current_A()->Get(i);
  motors_.ToCurrents(command, max_A, &current_A);
  wire::IoCommand message;
  message.mutate_session(hello_.session());
  message.mutate_sequence(++command_sequence_);
  message.mutate_outputs(enabled_ ? wire::IoOutputs::kOn : wire::IoOutputs::kOff);
  for (std::uint16_t i = 0; enabled_ && i < hal::kMaxMotors; ++i) message.mutable_current_A()->Mutate(i, current_A[i]);
  const Status status = Send(message);
  ++(status == Status::kOk ? counters_.commands : counters_.unsent);
  return status;
}

std::unique_ptr<TtyIoDevice> OpenIoDevice(const std::string& place) {
  using Clock = std::chrono::steady_clock;
  const TtyPlace tty = PlaceOf(place);
  constexpr hal::DeviceParameters kDevice = hal::FalconClass();
  constexpr hal::CartesianMotors kMotors = hal::SimMotors();
  const hal::DeviceCapabilities mechanism{.name = "I/O board on a terminal",
                                          .resolution_m = kMotors.m_per_count,
                                          .resolution_rad = kMotors.rad_per_count,
                                          .peak_force_N = static_cast<float>(kDevice.max_force_N),
                                          .peak_torque_Nm = static_cast<float>(kDevice.max_torque_Nm),
                                          .effector_mass_kg = static_cast<float>(kDevice.mass_kg),
                                          .effector_inertia_kgm2 = static_cast<float>(kDevice.inertia_kgm2)};
  auto opened = std::make_unique<TtyIoDevice>(tty.path, tty.baud, kMotors, mechanism);
  auto nonce = static_cast<std::uint32_t>(Clock::now().time_since_epoch().count());
  for (const auto end = Clock::now() + kHelloPatience; Clock::now() < end;) {
    opened->AskForSession(++nonce);
    for (const auto again = Clock::now() + kHelloAgain; Clock::now() < again && !opened->connected();) {
      std::this_thread::sleep_for(kLook);
      opened->Poll();
    }
    if (opened->connected()) break;
  }
  if (!opened->connected()) {
    throw HostError(
        fmt::format("no I/O board of version {} answers on '{}' at {} baud. Is that its rate? A USB line has any",
                    wire::kProtocolVersion, tty.path, tty.baud),
        kExitLink);
  }
  if (opened->hello().motors() < hal::kMaxMotors) {
    throw HostError(fmt::format("the board on '{}' has {} motors, the simulated device's mechanism needs {}", place,
                                opened->hello().motors(), hal::kMaxMotors),
                    kExitFailed);
  }
  return opened;
}

}  // namespace tactus::host
