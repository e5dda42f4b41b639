// The part of the servo application that tells the host what it has asked for: events of contacts, and the scene in force.
#include <algorithm>
#include <span>

#include "firmware/servo/messages.h"
#include "firmware/servo/servo_app.h"
#include "tactus/core/widen.h"

namespace tactus::servo {

/// In every state: it changes no tick.
template <class Scalar>
void ServoApp<Scalar>::HandleSubscribe(const wire::Frame& frame) {
  wire::Subscribe message;
  if (wire::ReadMessage(frame, &message) != Status::kOk) return;
  const WaitingFrame from{.sequence = frame.sequence, .type = frame.type};
  if (refused_version_) return SendAck(from, wire::AckCode::kWrongVersion);
  if (message.contact_events() > 1) return SendAck(from, wire::AckCode::kOutOfRange, 0, 1);
  if (message.workspace() > 1) return SendAck(from, wire::AckCode::kOutOfRange, 1, 1);
  contact_watch_.Reset();
  missed_events_ = 0;
  watches_contacts_.store(message.contact_events() != 0, std::memory_order_relaxed);
  watches_workspace_ = message.workspace() != 0;
  told_workspace_ = false;
  SendAck(from, wire::AckCode::kAccepted);
  if (watches_workspace_) ReportWorkspace();
}

/// At once, and whenever the clutch has moved: letting go is what sets the map.
template <class Scalar>
void ServoApp<Scalar>::ReportWorkspace() {
  const ClutchPhase clutch = tick_state_.workspace.clutch;
  if (told_workspace_ && clutch == told_clutch_) return;
  const Status sent = sender_.Send(WorkspaceToWire(config_, tick_state_.workspace, tick_state_.tick));
  told_workspace_ = sent != Status::kWouldBlock;  // else by the next tick
  told_clutch_ = clutch;
}

/// Behind the tick. Not inline: without a subscription it costs one comparison.
template <class Scalar>
[[gnu::noinline]] void ServoApp<Scalar>::WatchContacts(const Telemetry<Scalar>& telemetry) {
  ContactEventList<Scalar> events;
  contact_watch_.Take(config_, tick_state_, telemetry, &events);
  for (const ContactEvent<Scalar>& event : events) {
    wire::ContactEvent message = EventToWire(event);
    message.mutate_missed(missed_events_);
    if (!events_.Push(message)) ++missed_events_;
  }
}

/// The answer is the background's: a long message. A place that no image has is refused.
template <class Scalar>
void ServoApp<Scalar>::HandleSceneRequest(const wire::Frame& frame) {
  wire::SceneRequest message;
  if (wire::ReadMessage(frame, &message) != Status::kOk) return;
  const WaitingFrame from{.sequence = frame.sequence, .type = frame.type};
  if (refused_version_) return SendAck(from, wire::AckCode::kWrongVersion);
  const std::size_t size = scene_loader_.image().size();
  if (message.offset() != 0 && message.offset() >= size) {
    return SendAck(from, wire::AckCode::kOutOfRange, 0, Widen(static_cast<float>(size)));  // exact below 2^24
  }
  scene_asked_.store(message.offset(), std::memory_order_release);
}

/// @returns false: the link is full, later. A tick that changes the scene meanwhile makes the piece anew.
template <class Scalar>
bool ServoApp<Scalar>::TellScene() {
  constexpr int kAttempts = 3;
  std::uint32_t offset = scene_asked_.load(std::memory_order_acquire);
  if (offset == kNothingAsked) return true;
  wire::SceneReply reply;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    const std::uint32_t changes = scene_changes_.load(std::memory_order_acquire);
    const std::span<const std::uint8_t> image = scene_loader_.image();
    const std::size_t at = std::min<std::size_t>(offset, image.size());
    const std::size_t size = std::min<std::size_t>(reply.bytes()->size(), image.size() - at);
    reply = wire::SceneReply{};
    reply.mutate_total(static_cast<std::uint32_t>(image.size()));
    reply.mutate_offset(offset);
    reply.mutate_size(static_cast<std::uint32_t>(size));
    reply.mutate_crc(scene_loader_.crc());
    for (std::size_t i = 0; i < size; ++i) reply.mutable_bytes()->Mutate(static_cast<std::uint16_t>(i), image[at + i]);
    std::atomic_signal_fence(std::memory_order_seq_cst);
    if (scene_changes_.load(std::memory_order_acquire) != changes) continue;
    if (sender_.SendFromBackground(reply, hal::Lane::kTelemetry) == Status::kWouldBlock) return false;
    scene_asked_.compare_exchange_strong(offset, kNothingAsked);  // unless another piece has been asked for meanwhile
    return true;
  }
  return false;
}

/// @returns false: the link is full, later. What a subscription that has ended left is thrown away.
template <class Scalar>
bool ServoApp<Scalar>::TellEvents() {
  for (std::uint32_t i = 0; i < kEventRing; ++i) {
    const wire::ContactEvent* const oldest = events_.Front();
    if (oldest == nullptr) return true;
    if (watches_contacts_.load(std::memory_order_relaxed) &&
        sender_.SendFromBackground(*oldest, hal::Lane::kTelemetry) == Status::kWouldBlock)
      return false;
    events_.Pop();
  }
  return true;
}

template class ServoApp<double>;
template class ServoApp<float>;

}  // namespace tactus::servo
