#pragma once
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <string>

#include "firmware/servo/config_from_wire.h"
#include "hal/sim/peg_in_hole_script.h"
#include "host_tools/link/local_board.h"
#include "host_tools/session/play.h"
#include "host_tools/session/servo_config.h"

namespace tactus::host {

inline hal::SimDevice SeededDevice() { return {hal::FalconClass(), hal::RelaxedHand(), hal::PegInHoleScript(), 1}; }

inline PlayOptions QuietOptions(std::uint32_t ticks) {
  return {.ticks = ticks, .config = servo::ConfigToWire(PegInHoleConfig()), .quiet = true};
}

/// Plays `ticks` of the demo with the servo application in this process, and leaves the recording at `log_path`.
inline RunSummary RecordLocalRun(const std::string& log_path, std::uint32_t ticks, int scalar_bits = 64) {
  RunSummary run;
  LogFile log(log_path);
  const std::unique_ptr<Transport> transport = MakeLocalBoard(scalar_bits);
  BoardClient board(*transport, &log);
  hal::SimDevice device = SeededDevice();
  Play(board, device, QuietOptions(ticks), &run);
  log.Close();
  return run;
}

/// Copies a recording, each record as often as `copies` says.
inline void CopyLog(const std::string& from, const std::string& to, const std::function<int(const wire::Frame&)>& copies) {
  LogFile log(to);
  const std::string damage = ReadLog(from, [&](wire::LogDirection direction, const wire::Frame& frame) {
    std::array<std::uint8_t, wire::kMaxEncodedSize> bytes;
    std::size_t size = 0;
    ASSERT_EQ(wire::EncodeFrame(frame.type, frame.sequence, frame.payload, bytes, &size), Status::kOk);
    for (int i = copies(frame); i > 0; --i) log.Add(direction, std::span(bytes).first(size));
  });
  EXPECT_EQ(damage, "");
  log.Close();
}

/// Copies a recording and lets `change` alter payloads on the way.
inline void RewriteLog(const std::string& from, const std::string& to,
                       const std::function<void(wire::MessageType, std::span<std::uint8_t>)>& change) {
  LogFile log(to);
  const std::string damage = ReadLog(from, [&](wire::LogDirection direction, const wire::Frame& frame) {
    std::vector<std::uint8_t> payload(frame.payload.begin(), frame.payload.end());
    change(frame.type, payload);
    std::array<std::uint8_t, wire::kMaxEncodedSize> bytes;
    std::size_t size = 0;
    ASSERT_EQ(wire::EncodeFrame(frame.type, frame.sequence, payload, bytes, &size), Status::kOk);
    log.Add(direction, std::span(bytes).first(size));
  });
  EXPECT_EQ(damage, "");
  log.Close();
}

}  // namespace tactus::host
