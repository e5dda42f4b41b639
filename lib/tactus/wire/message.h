#pragma once
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "tactus/wire/tactus_generated.h"

namespace tactus::wire {

/// Both sides must speak the same. It grows with every change of a message but HelloRequest and the head of Hello.
inline constexpr std::uint32_t kProtocolVersion = 1;

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
inline constexpr MessageType kTypeOf<Sample> = MessageType::kSample;
template <>
inline constexpr MessageType kTypeOf<Hello> = MessageType::kHello;
template <>
inline constexpr MessageType kTypeOf<Ack> = MessageType::kAck;
template <>
inline constexpr MessageType kTypeOf<Command> = MessageType::kCommand;
template <>
inline constexpr MessageType kTypeOf<Telemetry> = MessageType::kTelemetry;
template <>
inline constexpr MessageType kTypeOf<Fault> = MessageType::kFault;
template <>
inline constexpr MessageType kTypeOf<Stopped> = MessageType::kStopped;
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
    case MessageType::kHello: return sizeof(Hello);
    case MessageType::kAck: return sizeof(Ack);
    case MessageType::kCommand: return sizeof(Command);
    case MessageType::kTelemetry: return sizeof(Telemetry);
    case MessageType::kFault: return sizeof(Fault);
    case MessageType::kStopped: return sizeof(Stopped);
    case MessageType::kLogEnd: return sizeof(LogEnd);
  }
  return 0;
}

// A struct has no padding: its size is the sum of its fields. A change here is a change of the protocol version.
static_assert(sizeof(HelloRequest) == 8 && sizeof(Hello) == 104 && sizeof(Config) == 400 && sizeof(Control) == 4);
static_assert(sizeof(Sample) == 36 && sizeof(Command) == 40 && sizeof(Telemetry) == 352 && sizeof(Fault) == 16);
static_assert(sizeof(Ack) == 12 && sizeof(Stopped) == 24 && sizeof(LogEnd) == 8);
static_assert(Message<HelloRequest> && Message<Hello> && Message<Config> && Message<Control> && Message<Sample>);
static_assert(Message<Command> && Message<Telemetry> && Message<Fault> && Message<Ack> && Message<Stopped> &&
              Message<LogEnd>);

}  // namespace tactus::wire
