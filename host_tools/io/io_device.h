#pragma once
#include <array>
#include <memory>
#include <string>

#include "hal/api/byte_link.h"
#include "hal/api/cartesian_motors.h"
#include "hal/api/device.h"
#include "host_tools/io/reopening_tty.h"
#include "tactus/wire/frame_decoder.h"

namespace tactus::host {

/// What happened on the line since it was opened.
struct IoCounters {
  std::uint32_t commands = 0;        ///< sent
  std::uint32_t unsent = 0;          ///< commands that found no room
  std::uint32_t states = 0;          ///< IoState that came
  std::uint32_t missing_states = 0;  ///< by their numbers
  std::uint32_t empty_reads = 0;     ///< periods in which none came
  std::uint32_t refused = 0;         ///< states that tell of a refusal
  std::uint32_t fades = 0;           ///< states in which the board held back a command that had grown old
  std::uint32_t sessions = 0;        ///< IoHello that came
};

/// A board with the I/O firmware as the loop's device: one frame each way a period, docs/io_firmware.md. Read and Write
/// never wait and never allocate; the bytes of a call are bounded.
///
/// The board's fault is the device's (DeviceState::kFaulted), and so is a session that was lost while the drives were on:
/// the controller cuts and latches. Once it has switched the drives off and the board's inputs are well, this class clears
/// the *board's* fault and opens a session again by itself. That lets nothing out: the controller's own fault waits for the
/// operator's order, and the board for a command with kOff and then one with kOn.
class IoDevice : public hal::Device {
 public:
  /// @param motors      the mechanism
  /// @param mechanism   capabilities of the mechanism; its peaks are narrowed by the board's ceilings
  IoDevice(hal::ByteLink& link, const hal::CartesianMotors& motors, const hal::DeviceCapabilities& mechanism);

  /// Asks for a session: once before the loop, until connected(). @param[in] nonce  any number, another one each time
  void AskForSession(std::uint32_t nonce) noexcept;
  /// Takes what has come. Read does so too.
  void Poll() noexcept;

  bool connected() const noexcept { return hello_.compatible() != 0; }
  /// The other end is gone. If the link comes back, so does the board, as after a reset: another session.
  bool hung_up() const noexcept { return hung_up_; }
  const wire::IoHello& hello() const noexcept { return hello_; }
  const wire::IoState& last() const noexcept { return state_; }
  const IoCounters& counters() const noexcept { return counters_; }

 private:
  static constexpr int kReadsPerCall = 4;
  static constexpr std::uint32_t kSilence_us = 20'000;  // of a board that sends one state a millisecond: it is gone
  static constexpr std::uint32_t kRetry_us = 20'000;    // between two requests for a session or the end of a fault

  const hal::DeviceCapabilities& DoCapabilities() const noexcept override { return capabilities_; }
  hal::DeviceReading DoReadSample(std::uint32_t now_us) noexcept override;
  Status DoWriteCommand(const CommandFrame& command, const hal::CommandNote& note) noexcept override;
  void DoEnable() noexcept override { enabled_ = true; }
  void DoDisable() noexcept override { enabled_ = false; }

  void Handle(const wire::Frame& frame);
  void HandleHello(const wire::IoHello& hello);
  void HandleState(const wire::IoState& state);
  void Recover(std::uint32_t now_us);
  hal::DeviceState State(std::uint32_t now_us) const;
  hal::DeviceCause Cause() const;
  template <wire::Message M>
  Status Send(const M& message) {
    return link_.Write(writer_.Write(message), hal::Lane::kCommand);
  }

  hal::ByteLink& link_;
  const hal::CartesianMotors motors_;
  hal::DeviceCapabilities capabilities_;
  wire::FrameDecoder decoder_;
  wire::FrameWriter writer_;
  std::array<std::uint8_t, 512> received_{};

  wire::IoHello hello_;
  wire::IoState state_;
  IoCounters counters_;
  std::uint32_t nonce_ = 0, command_sequence_ = 0;
  std::uint32_t now_us_ = 0, state_time_us_ = 0, retry_time_us_ = 0;
  SensorFrame sample_;
  bool hung_up_ = false, has_state_ = false, is_new_ = false, enabled_ = false;
  bool session_lost_ = false, lost_while_enabled_ = false, other_board_ = false;
};

struct OwnedTty {
  OwnedTty(const std::string& path, unsigned baud) : link(path, baud) {}
  ReopeningTty link;
};

/// A board as a device that owns its terminal, and opens it again when it has hung up.
class TtyIoDevice final : private OwnedTty, public IoDevice {
 public:
  TtyIoDevice(const std::string& path, unsigned baud, const hal::CartesianMotors& motors,
              const hal::DeviceCapabilities& mechanism)
      : OwnedTty(path, baud), IoDevice(OwnedTty::link, motors, mechanism) {}
};

/// Opens "/dev/ttyX[:BAUD]" and the board on it, with the simulated device's mechanism, and waits for its hello for at most
/// two seconds. Before the loop. @throws HostError: no terminal, one in use, no answer, another version.
std::unique_ptr<TtyIoDevice> OpenIoDevice(const std::string& place);

}  // namespace tactus::host
