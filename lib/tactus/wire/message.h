#pragma once
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "tactus/wire/constexpr_endian.h"  // before what flatc made

#include "tactus/wire/tactus_generated.h"

namespace tactus::wire {

/// Both sides must speak the same. It grows with every change of a message but HelloRequest, Control and the head of Hello.
inline constexpr std::uint32_t kProtocolVersion = 5;

/// Room for a payload in every buffer, on every target. Larger messages need another protocol.
inline constexpr std::size_t kMaxPayloadSize = 512;

/// The type byte of message `M`.
template <class M>
inline constexpr MessageType kTypeOf = MessageType::kNone;
template <>
inline constexpr MessageType kTypeOf<HelloRequest> = MessageType::kHelloRequest;
template <>
inline constexpr MessageType kTypeOf<Config> = MessageType::kConfig;
template <>
inline constexpr MessageType kTypeOf<Control> = MessageType::kControl;
template <>
inline constexpr MessageType kTypeOf<Arm> = MessageType::kArm;
template <>
inline constexpr MessageType kTypeOf<Tune> = MessageType::kTune;
template <>
inline constexpr MessageType kTypeOf<ScenePart> = MessageType::kScenePart;
template <>
inline constexpr MessageType kTypeOf<Sample> = MessageType::kSample;
template <>
inline constexpr MessageType kTypeOf<SampleOfTwo> = MessageType::kSampleOfTwo;
template <>
inline constexpr MessageType kTypeOf<CountedSample> = MessageType::kCountedSample;
template <>
inline constexpr MessageType kTypeOf<SampleCounts> = MessageType::kSampleCounts;
template <>
inline constexpr MessageType kTypeOf<Hello> = MessageType::kHello;
template <>
inline constexpr MessageType kTypeOf<Ack> = MessageType::kAck;
template <>
inline constexpr MessageType kTypeOf<Command> = MessageType::kCommand;
template <>
inline constexpr MessageType kTypeOf<SecondCommand> = MessageType::kSecondCommand;
template <>
inline constexpr MessageType kTypeOf<SecondTelemetry> = MessageType::kSecondTelemetry;
template <>
inline constexpr MessageType kTypeOf<Telemetry> = MessageType::kTelemetry;
template <>
inline constexpr MessageType kTypeOf<Fault> = MessageType::kFault;
template <>
inline constexpr MessageType kTypeOf<Stopped> = MessageType::kStopped;
template <>
inline constexpr MessageType kTypeOf<ConfigLowest> = MessageType::kConfigLowest;
template <>
inline constexpr MessageType kTypeOf<ConfigHighest> = MessageType::kConfigHighest;
template <>
inline constexpr MessageType kTypeOf<IoCommand> = MessageType::kIoCommand;
template <>
inline constexpr MessageType kTypeOf<IoHello> = MessageType::kIoHello;
template <>
inline constexpr MessageType kTypeOf<IoState> = MessageType::kIoState;
template <>
inline constexpr MessageType kTypeOf<StreamOpen> = MessageType::kStreamOpen;
template <>
inline constexpr MessageType kTypeOf<ContactSet> = MessageType::kContactSet;
template <>
inline constexpr MessageType kTypeOf<StreamReport> = MessageType::kStreamReport;
template <>
inline constexpr MessageType kTypeOf<Subscribe> = MessageType::kSubscribe;
template <>
inline constexpr MessageType kTypeOf<ContactEvent> = MessageType::kContactEvent;
template <>
inline constexpr MessageType kTypeOf<SceneRequest> = MessageType::kSceneRequest;
template <>
inline constexpr MessageType kTypeOf<SceneReply> = MessageType::kSceneReply;
template <>
inline constexpr MessageType kTypeOf<Workspace> = MessageType::kWorkspace;
template <>
inline constexpr MessageType kTypeOf<WorkspaceReport> = MessageType::kWorkspaceReport;
template <>
inline constexpr MessageType kTypeOf<LogEnd> = MessageType::kLogEnd;

/// One of the structs of tactus.fbs that travel in a frame.
template <class M>
concept Message = kTypeOf<M>
!= MessageType::kNone&& std::is_trivially_copyable_v<M> && sizeof(M) <= kMaxPayloadSize;

/// The payload's size of each type; 0: no such type.
constexpr std::size_t PayloadSize(MessageType type) {
  switch (type) {
    case MessageType::kNone: return 0;
    case MessageType::kHelloRequest: return sizeof(HelloRequest);
    case MessageType::kConfig: return sizeof(Config);
    case MessageType::kControl: return sizeof(Control);
    case MessageType::kSample: return sizeof(Sample);
    case MessageType::kSampleOfTwo: return sizeof(SampleOfTwo);
    case MessageType::kCountedSample: return sizeof(CountedSample);
    case MessageType::kSampleCounts: return sizeof(SampleCounts);
    case MessageType::kArm: return sizeof(Arm);
    case MessageType::kTune: return sizeof(Tune);
    case MessageType::kScenePart: return sizeof(ScenePart);
    case MessageType::kHello: return sizeof(Hello);
    case MessageType::kAck: return sizeof(Ack);
    case MessageType::kCommand: return sizeof(Command);
    case MessageType::kSecondCommand: return sizeof(SecondCommand);
    case MessageType::kSecondTelemetry: return sizeof(SecondTelemetry);
    case MessageType::kTelemetry: return sizeof(Telemetry);
    case MessageType::kFault: return sizeof(Fault);
    case MessageType::kStopped: return sizeof(Stopped);
    case MessageType::kConfigLowest: return sizeof(ConfigLowest);
    case MessageType::kConfigHighest: return sizeof(ConfigHighest);
    case MessageType::kIoCommand: return sizeof(IoCommand);
    case MessageType::kIoHello: return sizeof(IoHello);
    case MessageType::kIoState: return sizeof(IoState);
    case MessageType::kStreamOpen: return sizeof(StreamOpen);
    case MessageType::kContactSet: return sizeof(ContactSet);
    case MessageType::kStreamReport: return sizeof(StreamReport);
    case MessageType::kSubscribe: return sizeof(Subscribe);
    case MessageType::kContactEvent: return sizeof(ContactEvent);
    case MessageType::kSceneRequest: return sizeof(SceneRequest);
    case MessageType::kSceneReply: return sizeof(SceneReply);
    case MessageType::kWorkspace: return sizeof(Workspace);
    case MessageType::kWorkspaceReport: return sizeof(WorkspaceReport);
    case MessageType::kLogEnd: return sizeof(LogEnd);
  }
  return 0;
}

// A struct has no padding: its size is the sum of its fields. A change here is a change of the protocol version.
static_assert(sizeof(HelloRequest) == 8 && sizeof(Hello) == 136 && sizeof(Config) == 408 && sizeof(Control) == 4);
static_assert(sizeof(Arm) == 8 && sizeof(Tune) == 136 && sizeof(Sample) == 36 && sizeof(Command) == 44);
static_assert(sizeof(Telemetry) == 384 && sizeof(Fault) == 16 && sizeof(ScenePart) == 496);
static_assert(sizeof(ConfigLowest) == sizeof(Config) && sizeof(ConfigHighest) == sizeof(Config));
static_assert(sizeof(SampleOfTwo) == 64 && sizeof(SecondCommand) == 28 && sizeof(SecondTelemetry) == 256);
static_assert(sizeof(CountedSample) == 76 && sizeof(SampleCounts) == 44);
static_assert(sizeof(Ack) == 24 && sizeof(Stopped) == 24 && sizeof(LogEnd) == 8);
static_assert(sizeof(IoHello) == 156 && sizeof(IoCommand) == 36 && sizeof(IoState) == 64);
static_assert(sizeof(StreamOpen) == 8 && sizeof(StreamedContact) == 48 && sizeof(ContactSet) == 480);
static_assert(sizeof(StreamReport) == 112 && sizeof(Workspace) == 80 && sizeof(WorkspaceReport) == 152);
static_assert(sizeof(Subscribe) == 4 && sizeof(ContactEvent) == 32 && sizeof(SceneRequest) == 4 &&
              sizeof(SceneReply) == 496);
static_assert(Message<HelloRequest> && Message<Hello> && Message<Config> && Message<Control> && Message<Sample>);
static_assert(Message<Arm> && Message<Tune> && Message<ScenePart> && Message<SampleOfTwo> && Message<SecondCommand>);
static_assert(Message<SecondTelemetry> && Message<CountedSample> && Message<SampleCounts>);
static_assert(Message<Command> && Message<Telemetry> && Message<Fault> && Message<Ack> && Message<Stopped> &&
              Message<ConfigLowest> && Message<ConfigHighest> && Message<LogEnd>);
static_assert(Message<StreamOpen> && Message<ContactSet> && Message<StreamReport>);
static_assert(Message<Subscribe> && Message<ContactEvent> && Message<SceneRequest> && Message<SceneReply>);
static_assert(Message<IoHello> && Message<IoCommand> && Message<IoState>);

}  // namespace tactus::wire
