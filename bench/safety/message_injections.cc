#include <cstring>
#include <limits>

#include "bench/safety/injections.h"
#include "firmware/servo/config_from_wire.h"

namespace tactus::bench::safety {
namespace {

using wire::AckCode;
using wire::Action;
using wire::ExternalCause;
using wire::FaultCode;

constexpr int kUnchangedPeriods = 10;

void ConnectAsOther(Rig* rig, Random* random) {
  rig->Put(wire::HelloRequest(wire::kProtocolVersion + static_cast<std::uint32_t>(random->Integer(1, 1000)), 1));
}

template <class Number>
void Write(Number number, std::size_t offset, void* message) {
  std::memcpy(static_cast<std::uint8_t*>(message) + offset, &number, sizeof number);
}

/// Gives a random field a number that nobody means. @returns its place
template <wire::Message M>
std::uint16_t MakeAbsurd(M* message, Random* random) {
  constexpr double kAbsurd[] = {1e38, -1e38, 1e30, std::numeric_limits<double>::quiet_NaN(),
                                std::numeric_limits<double>::infinity()};
  constexpr std::int32_t kAbsurdCounts[] = {std::numeric_limits<std::int32_t>::max(),
                                            std::numeric_limits<std::int32_t>::min()};
  const flatbuffers::TypeTable& fields = *M::MiniReflectTypeTable();
  for (;;) {
    const auto field = static_cast<std::size_t>(random->Integer(0, static_cast<int>(fields.num_elems) - 1));
    const auto offset = static_cast<std::uint16_t>(fields.values[field]);
    if (fields.type_codes[field].base_type == flatbuffers::ET_DOUBLE) {
      Write(kAbsurd[random->Integer(0, 4)], offset, message);
      return offset;
    }
    if (fields.type_codes[field].base_type == flatbuffers::ET_INT) {
      Write(kAbsurdCounts[random->Integer(0, 1)], offset, message);
      return offset;
    }
  }
}

/// It is refused, and the refusal names the field; the force stays for ten periods.
template <wire::Message M>
Injected SendAbsurd(M message, Rig* rig, Random* random) {
  const std::uint16_t field = MakeAbsurd(&message, random);
  const std::optional<AckCode> code = rig->Tell(message);
  const bool refused = code == AckCode::kOutOfRange || code == AckCode::kNotFinite || code == AckCode::kOverCapacity;
  const bool named = refused && rig->answers.back().ack.field() == field;
  rig->Run(kUnchangedPeriods);
  return Disarm(rig, named && rig->supervisor().phase == Phase::kArmed);
}

bool AllAccepted(const Rig& rig) {
  for (const Answer& answer : rig.answers) {
    if (answer.ack.code() != AckCode::kAccepted) return false;
  }
  return !rig.answers.empty();
}

}  // namespace

Injected Stop(Rig* rig, Random*) {
  rig->PutOrder(Action::kStop);
  RunOut(rig);
  return {.detected = AllAccepted(*rig) && rig->stopped()};
}

/// Accepted, but not before zero has been written.
Injected ConfigureAfterDisarm(Rig* rig, Random*) {
  rig->PutOrder(Action::kDisarm);
  rig->Put(rig->config());
  RunOut(rig);
  if (rig->answers.size() != 2 || !AllAccepted(*rig)) return {};
  const Answer& answer = rig->answers.back();
  return {.detected = answer.ack.of_type() == wire::MessageType::kConfig && rig->log[answer.period].zero()};
}

Injected DisarmFromOtherVersion(Rig* rig, Random* random) {
  ConnectAsOther(rig, random);
  rig->PutOrder(random->Chance(0.5) ? Action::kDisarm : Action::kStop);
  RunOut(rig);
  return {.detected = AllAccepted(*rig)};
}

Injected EStopFromOtherVersion(Rig* rig, Random* random) {
  ConnectAsOther(rig, random);
  return OrderEStop(rig, random);
}

Injected SendAbsurdConfig(Rig* rig, Random* random) { return SendAbsurd(rig->config(), rig, random); }

Injected SendAbsurdTune(Rig* rig, Random* random) { return SendAbsurd(servo::TuneToWire(Config<double>{}), rig, random); }

/// In the same connection, after another hello, or in another run.
Injected ReplayArm(Rig* rig, Random* random) {
  const wire::Arm recorded = rig->used_arm();
  Injected injected = Disarm(rig, false);
  const int when = random->Integer(0, 2);
  if (when == 1) rig->Put(wire::HelloRequest(wire::kProtocolVersion, 9));
  if (when == 2) rig->Start();
  injected.detected = rig->Tell(recorded) == AckCode::kWrongNonce;
  rig->Run(30);
  return injected;
}

Injected ArmForOtherConfig(Rig* rig, Random* random) {
  Injected injected = Disarm(rig, false);
  const wire::Arm next = rig->NextArm();
  const std::uint32_t other_crc = next.config_crc() ^ (1u << random->Integer(0, 31));
  injected.detected = rig->Tell(wire::Arm(next.nonce(), other_crc)) == AckCode::kWrongConfig;
  rig->Run(30);
  return injected;
}

Injected OrderEStop(Rig* rig, Random*) {
  rig->PutOrder(Action::kEStop);
  RunOut(rig);
  return {.detected = AllAccepted(*rig) && Told(*rig, FaultCode::kExternal, ExternalCause::kEStop)};
}

/// A second host of another version: nothing that it says changes anything, but a disarm.
Injected MeddleFromOtherVersion(Rig* rig, Random* random) {
  ConnectAsOther(rig, random);
  const bool refused = rig->Tell(rig->config()) == AckCode::kWrongVersion &&
                       rig->Tell(servo::TuneToWire(Config<double>{})) == AckCode::kWrongVersion &&
                       rig->Tell(rig->NextArm()) == AckCode::kWrongVersion &&
                       rig->TellOrder(Action::kClearFault) == AckCode::kWrongVersion &&
                       rig->TellOrder(Action::kReset) == AckCode::kWrongVersion;
  rig->Run(kUnchangedPeriods);
  return Disarm(rig, refused && rig->supervisor().phase == Phase::kArmed);
}

}  // namespace tactus::bench::safety
