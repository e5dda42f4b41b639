#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hal/sim/held_device.h"
#include "hal/sim/sim_device.h"
#include "host_tools/report/run_summary.h"
#include "host_tools/session/board_client.h"
#include "host_tools/session/event_file.h"
#include "host_tools/session/held_pair.h"

namespace tactus::host {

struct PlayOptions {
  std::uint32_t ticks = 10000;
  wire::Config config;
  bool quiet = false;                             ///< no progress on standard error
  std::uint32_t period_us = 1000;                 ///< that the board's loop is to have, and the device has
  std::vector<std::uint8_t> scene = {};           ///< its image; empty: the peg and the plate of the Config
  bool takes_scene_in_force = false;              ///< empty: the one that the controller has, if it has one
  std::optional<wire::Workspace> workspace = {};  ///< the map to it; none: 1 : 1
  /// Said to a user whose controller has a device of its own, when the device is to be here.
  std::string without_own_device = "give --device local to watch it";
  bool homes = false;           ///< first of all: the handle is held in the home pose of the controller's device
  EventFile* events = nullptr;  ///< where contact events go; nullptr: the board is not asked for any
};

/// `--events FILE` of a command.
class EventChoice {
 public:
  /// @param path  empty: none. @throws HostError: it cannot be written
  EventChoice(const std::string& path, PlayOptions* play) {
    if (!path.empty()) play->events = &file_.emplace(path, play->period_us);
  }
  /// @throws HostError: it could not be written.
  void Close() {
    if (file_) file_->Close();
  }

 private:
  std::optional<EventFile> file_;
};

/// Is the device of a controller: hello, configuration, arm; then answers every command with the next sample, until `ticks`
/// commands have come; then stop. Fills in `run` as it goes, so that a run that breaks leaves what it has seen.
///
/// @throws HostError: the board does not answer, refuses, or breaks off.
void Play(BoardClient& board, hal::HeldDevice& device, const PlayOptions& options, RunSummary* run);
void Play(BoardClient& board, hal::SimDevice& device, const PlayOptions& options, RunSummary* run);
/// With a scene of two tools. A Command whose SecondCommand is lost gives the second device zeros.
void Play(BoardClient& board, HeldPair& devices, const PlayOptions& options, RunSummary* run);

/// Watches a controller with a device of its own: hello, configuration, arm; then Telemetry until `ticks` ticks have been
/// done; then stop.
///
/// @throws HostError: as Play; the controller's device is at the host.
void Watch(BoardClient& board, const PlayOptions& options, RunSummary* run);

}  // namespace tactus::host
