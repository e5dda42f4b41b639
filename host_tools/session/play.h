#pragma once
#include <cstdint>
#include <vector>

#include "hal/sim/held_device.h"
#include "hal/sim/sim_device.h"
#include "host_tools/report/run_summary.h"
#include "host_tools/session/board_client.h"

namespace tactus::host {

struct PlayOptions {
  std::uint32_t ticks = 10000;
  wire::Config config;
  bool quiet = false;                    ///< no progress on standard error
  std::uint32_t period_us = 1000;        ///< that the board's loop is to have, and the device has
  std::vector<std::uint8_t> scene = {};  ///< its image; empty: the peg and the plate of the Config
};

/// Is the device of a controller: hello, configuration, arm; then answers every command with the next sample, until `ticks`
/// commands have come; then stop. Fills in `run` as it goes, so that a run that breaks leaves what it has seen.
///
/// @throws HostError: the board does not answer, refuses, or breaks off.
void Play(BoardClient& board, hal::HeldDevice& device, const PlayOptions& options, RunSummary* run);
void Play(BoardClient& board, hal::SimDevice& device, const PlayOptions& options, RunSummary* run);

/// Watches a controller with a device of its own: hello, configuration, arm; then Telemetry until `ticks` ticks have been
/// done; then stop.
///
/// @throws HostError: as Play; the controller's device is at the host.
void Watch(BoardClient& board, const PlayOptions& options, RunSummary* run);

}  // namespace tactus::host
