#include "bench/safety/injections.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tactus::bench::safety {
namespace {

using wire::ExternalCause;
using wire::FaultCode;

constexpr int kMostPeriods = 150;

/// Bytes that mean nothing, a piece of a message, or a message with one wrong bit.
std::vector<std::uint8_t> Garbage(Rig* rig, Random* random) {
  std::vector<std::uint8_t> bytes;
  const int kind = random->Integer(0, 2);
  if (kind == 0) {
    for (int i = random->Integer(1, 60); i > 0; --i) bytes.push_back(static_cast<std::uint8_t>(random->Bits()));
    return bytes;
  }
  wire::FrameWriter writer;
  const std::span<const std::uint8_t> frame =
      random->Chance(0.5) ? writer.Write(rig->NextArm()) : writer.Write(wire::HelloRequest(wire::kProtocolVersion, 9));
  bytes.assign(frame.begin(), frame.end());
  const int at = random->Integer(1, static_cast<int>(bytes.size()) - 2);
  if (kind == 1) bytes.resize(static_cast<std::size_t>(at));
  if (kind == 2) bytes[static_cast<std::size_t>(at)] ^= static_cast<std::uint8_t>(1u << random->Integer(0, 7));
  return bytes;
}

Injected FromNowOn(Rig* rig, FaultCode code, ExternalCause external = ExternalCause::kNone) {
  RunOut(rig);
  return {.detected = Told(*rig, code, external)};
}

}  // namespace

void RunOut(Rig* rig) {
  const auto ended = [&] { return rig->stopped() || (!rig->log.empty() && rig->log.back().zero()); };
  for (int i = 0; i < kMostPeriods && !ended(); ++i) rig->RunPeriod();
  for (int i = 0; i < 5 && !rig->stopped(); ++i) rig->RunPeriod();
}

Injected Disarm(Rig* rig, bool detected) {
  const std::size_t from = rig->log.size();
  rig->PutOrder(wire::Action::kDisarm);
  rig->RunPeriod();
  RunOut(rig);
  return {detected, from};
}

bool Told(const Rig& rig, FaultCode code, ExternalCause external) {
  return std::any_of(rig.faults.begin(), rig.faults.end(),
                     [&](const wire::Fault& fault) { return fault.code() == code && fault.external() == external; });
}

Injected StopClock(Rig* rig, Random*) {
  const int fed = rig->watchdog.fed;
  rig->disturbance.clock_stands = true;
  Injected injected = FromNowOn(rig, FaultCode::kExternal, ExternalCause::kClockLost);
  injected.detected = injected.detected && rig->watchdog.fed == fed;
  return injected;
}

Injected SilenceHost(Rig* rig, Random*) {
  rig->disturbance.silent = true;
  return FromNowOn(rig, FaultCode::kSampleStale);
}

/// Every second to eighth tick is late, or an edge has none.
Injected MissPeriods(Rig* rig, Random* random) {
  const int every = random->Integer(2, 8);
  const auto be_late = [rig] { ++rig->clock.edge_count, rig->clock.us_in_period = 1; };
  for (int i = 0; i < kMostPeriods && (rig->log.empty() || !rig->log.back().zero()); ++i) {
    const bool has_tick = random->Chance(0.5);
    if (i % every == 0 && has_tick) rig->link.in_next_write = be_late;
    if (i % every == 0 && !has_tick) be_late();
    rig->RunPeriod();
  }
  return FromNowOn(rig, FaultCode::kExternal, ExternalCause::kDeadline);
}

Injected OpenEStopInput(Rig* rig, Random*) {
  rig->device.reading.e_stop = true;
  return FromNowOn(rig, FaultCode::kExternal, ExternalCause::kEStop);
}

/// Nobody is left to be told: the run fades and ends.
Injected CloseLink(Rig* rig, Random*) {
  rig->link.closed = true;
  RunOut(rig);
  return {.detected = rig->stopped()};
}

Injected SpoilSamples(Rig* rig, Random* random) {
  using Limits = std::numeric_limits<float>;
  rig->disturbance.offset_m[random->Integer(0, 2)] = random->Chance(0.5) ? Limits::quiet_NaN() : Limits::infinity();
  return FromNowOn(rig, FaultCode::kSampleNotFinite);
}

/// 15 to 60 mm anywhere; guard_max_jump_m is 10 mm.
Injected Jump(Rig* rig, Random* random) {
  const std::array<double, 3> way = random->Normal3(1);
  const double scale = random->Uniform(0.015, 0.06) / std::hypot(way[0], way[1], way[2]);
  for (std::size_t i = 0; i < 3; ++i) rig->disturbance.offset_m[i] = static_cast<float>(way[i] * scale);
  return FromNowOn(rig, FaultCode::kHandleJump);
}

/// For 30 periods, between good samples; not more than two samples in a row are lost with it.
Injected SendGarbage(Rig* rig, Random* random) {
  const std::uint32_t bad_frames = rig->bad_frames;
  constexpr std::uint8_t kEnd[] = {0};
  for (int i = 0; i < 30; ++i) {
    rig->PutBytes(Garbage(rig, random));
    if (i % 3 == 0 || random->Chance(0.5)) rig->PutBytes(kEnd);
    rig->RunPeriod();
  }
  rig->PutBytes(kEnd);
  rig->RunPeriod();
  return Disarm(rig, rig->bad_frames > bad_frames && rig->answers.empty() && rig->supervisor().phase == Phase::kArmed);
}

Injected FailDevice(Rig* rig, Random* random) {
  rig->device.reading.state = hal::DeviceState::kFaulted;
  rig->device.reading.cause = random->Chance(0.5) ? hal::DeviceCause::kDriveFault : hal::DeviceCause::kOverheated;
  Injected injected = FromNowOn(rig, FaultCode::kExternal, ExternalCause::kDeviceFault);
  injected.detected = injected.detected && !rig->device.enabled;
  return injected;
}

}  // namespace tactus::bench::safety
