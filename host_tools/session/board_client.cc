#include "host_tools/session/board_client.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "host_tools/link/host_error.h"
#include "host_tools/link/stop_signal.h"
#include "host_tools/session/scene_piece.h"
#include "host_tools/session/scene_room.h"
#include "host_tools/session/wire_names.h"
#include "tactus/haptic/telemetry.h"
#include "tactus/supervise/phase.h"
#include "tactus/wire/fields.h"

namespace tactus::host {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds kHelloInterval{500};
constexpr std::chrono::milliseconds kLifeInterval{50};
constexpr std::size_t kReadSize = 65536;

const char* FieldOf(wire::MessageType type, std::size_t offset) {
  const char* const name = type == wire::MessageType::kTune        ? wire::FieldName<wire::Tune>(offset)
                           : type == wire::MessageType::kWorkspace ? wire::FieldName<wire::Workspace>(offset)
                                                                   : wire::FieldName<wire::Config>(offset);
  return name != nullptr ? name : "unknown to this tool";
}

std::string WhyFaulted(wire::FaultCode code, wire::ExternalCause external) {
  const auto cause = static_cast<Cause>(external);
  return cause != Cause::kNone ? Name(cause) : Name(static_cast<Fault>(code));
}

/// Which list of a scene has no room, or which item is at fault.
std::string WhyNoScene(const wire::Ack& ack) {
  constexpr const char* kLists[] = {"bodies", "shapes", "hulls", "pairs of materials", "joints", "fields", "bytes",
                                    "paths",  "grids",  "hands"};
  if (ack.code() == wire::AckCode::kOverCapacity && ack.field() < std::size(kLists)) {
    return fmt::format(", its {}: the board has room for {:.0f}", kLists[ack.field()], ack.limit());
  }
  return ack.limit() >= 0 ? fmt::format(", item {:.0f} of a list", ack.limit()) : "";
}

}  // namespace

BoardClient::BoardClient(Transport& transport, LogFile* log) : transport_(transport), log_(log), buffer_(kReadSize) {}

wire::Hello BoardClient::Hello() {
  hello_.reset();
  const Clock::time_point deadline = Clock::now() + patience_;
  for (std::uint32_t nonce = 1; !hello_ && Clock::now() < deadline && StopSignal::Raised() == 0; ++nonce) {
    Send(wire::HelloRequest(wire::kProtocolVersion, nonce));
    const Clock::time_point ask_again = std::min(deadline, Clock::now() + kHelloInterval);
    while (!hello_ && Clock::now() < ask_again) Receive(std::chrono::milliseconds(20));
  }
  if (!hello_) {
    throw HostError(fmt::format("the board does not answer ({} s): is it running, and is this its link?",
                                static_cast<double>(patience_.count()) / 1000),
                    kExitLink);
  }
  if (hello_->compatible() != 1) {
    throw HostError(
        fmt::format("the board speaks protocol version {}, this tool version {}: flash an image of the same release",
                    hello_->protocol_version(), wire::kProtocolVersion),
        kExitLink);
  }
  return *hello_;
}

void BoardClient::Configure(const wire::Config& config) {
  WaitForAck(wire::MessageType::kConfig, Send(config), "the configuration");
  config_ = config;
  workspace_.reset();
  SumConfig();
}

/// What Arm has to carry: docs/wire.md.
void BoardClient::SumConfig() {
  if (!config_) return;
  config_crc_ = Crc32(wire::PayloadOf(*config_), scene_crc_);
  if (stream_open_.session() != 0) config_crc_ = Crc32(wire::PayloadOf(stream_open_), config_crc_);
  if (workspace_) config_crc_ = Crc32(wire::PayloadOf(*workspace_), config_crc_);
}

void BoardClient::SendWorkspace(const wire::Workspace& workspace) {
  WaitForAck(wire::MessageType::kWorkspace, Send(workspace), "the workspace");
  workspace_ = workspace;
  if (ack_->state() == wire::State::kArmed) {
    config_crc_ = Crc32(wire::PayloadOf(workspace), config_crc_);
  } else {
    SumConfig();
  }
}

void BoardClient::OpenStream(const wire::StreamOpen& open) {
  WaitForAck(wire::MessageType::kStreamOpen, Send(open), "the stream");
  stream_open_ = open;
  SumConfig();
}

void BoardClient::SendScene(std::span<const std::uint8_t> image) {
  const std::string excess = hello_ ? WhatExceeds(image, *hello_) : "";
  if (!excess.empty()) throw HostError(fmt::format("the scene is too large for this controller: {}", excess), kExitFailed);
  std::size_t offset = 0;
  do {
    const wire::ScenePart part = PieceOf(image, offset);
    WaitForAck(wire::MessageType::kScenePart, Send(part), "the scene");
    offset += part.size();
  } while (offset < image.size());
  scene_crc_ = image.empty() ? 0 : Crc32(image);
  SumConfig();
}

void BoardClient::Subscribe(bool contact_events) {
  wire::Subscribe subscribe;
  subscribe.mutate_contact_events(contact_events ? 1 : 0);
  WaitForAck(wire::MessageType::kSubscribe, Send(subscribe), "a subscription");
}

/// One piece. It may be lost where the link is full, so it is asked for again. @returns false: none came, or there is no
/// such place any more
bool BoardClient::AskForScene(std::uint32_t offset) {
  constexpr int kQuestions = 5;
  constexpr std::chrono::milliseconds kEach{500};
  for (int question = 0; question < kQuestions && StopSignal::Raised() == 0; ++question) {
    scene_reply_.reset();
    ack_.reset();
    const std::uint16_t sequence = Send(wire::SceneRequest(offset));
    const Clock::time_point end = Clock::now() + kEach;
    while (Clock::now() < end) {
      if (!Receive(std::chrono::milliseconds(20)) && frame_per_tick_) Write(std::array<std::uint8_t, 1>{0});
      if (scene_reply_ && scene_reply_->offset() == offset) return true;
      if (ack_ && ack_->of_type() == wire::MessageType::kSceneRequest && ack_->of_sequence() == sequence) return false;
    }
  }
  return false;
}

std::vector<std::uint8_t> BoardClient::ReadScene() {
  constexpr int kReadings = 3;  // the scene may change while it is read
  for (int reading = 0; reading < kReadings; ++reading) {
    std::vector<std::uint8_t> image;
    if (!AskForScene(0)) break;
    const std::uint32_t total = scene_reply_->total(), crc = scene_reply_->crc();
    bool same = true;
    while (same && scene_reply_->size() > 0) {
      const std::size_t size = std::min<std::size_t>(scene_reply_->size(), scene_reply_->bytes()->size());
      image.insert(image.end(), scene_reply_->bytes()->Data(), scene_reply_->bytes()->Data() + size);
      if (image.size() >= total) break;
      same = AskForScene(static_cast<std::uint32_t>(image.size())) && scene_reply_->crc() == crc &&
             scene_reply_->total() == total;
    }
    if (same && image.size() == total && (total == 0 || Crc32(image) == crc)) return image;
  }
  throw HostError(
      "the board does not tell which scene is in force: does its firmware come from a release before this question?",
      kExitLink);
}

void BoardClient::Arm() { WaitForAck(wire::MessageType::kArm, Send(wire::Arm(arm_nonce_, config_crc_)), "to arm"); }

void BoardClient::Tune(const wire::Tune& tune) {
  WaitForAck(wire::MessageType::kTune, Send(tune), "the tune");
  config_crc_ = Crc32(wire::PayloadOf(tune), config_crc_);
}

void BoardClient::Control(wire::Action action) {
  wire::Control control;
  control.mutate_action(action);
  WaitForAck(wire::MessageType::kControl, Send(control), Name(action));
}

void BoardClient::WaitForAck(wire::MessageType type, std::uint16_t sequence, const char* what) {
  ack_.reset();
  const auto answered = [&] { return ack_ && ack_->of_type() == type && ack_->of_sequence() == sequence; };
  ReceiveUntil(answered, what);
  if (ack_->code() == wire::AckCode::kAccepted) return;
  std::string field;
  const bool has_fields =
      type == wire::MessageType::kConfig || type == wire::MessageType::kTune || type == wire::MessageType::kWorkspace;
  if (has_fields && ack_->field() != wire::kNoField) {
    field = fmt::format(", field {}", FieldOf(type, ack_->field()));
    if (ack_->code() == wire::AckCode::kOutOfRange) field += fmt::format(", its bound is {}", ack_->limit());
  }
  if (type == wire::MessageType::kScenePart) field = WhyNoScene(*ack_);
  const bool is_well = ack_->code() == wire::AckCode::kWrongState && ack_->state() == wire::State::kIdle;
  if (type == wire::MessageType::kArm && is_well) field = ", for its device homes: hold it still in its home pose";
  throw HostError(
      fmt::format("the board refuses {}: {}{} (it is {})", what, Name(ack_->code()), field, StateInWords(ack_->state())),
      kExitFailed);
}

/// "faulted" alone does not say what to do.
std::string BoardClient::StateInWords(wire::State state) const {
  if (state != wire::State::kFaulted || why_faulted_.empty()) return Name(state);
  return fmt::format("{}: {}", Name(state), why_faulted_);
}

bool BoardClient::Receive(std::chrono::milliseconds timeout) {
  const Clock::time_point deadline = Clock::now() + timeout;
  while (true) {
    while (!pending_.empty()) {
      std::size_t used = 0;
      const Status status = decoder_.Push(pending_, &used);
      pending_ = pending_.subspan(used);
      if (status == Status::kOk) {
        Handle(decoder_.frame());
        return true;
      }
    }
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
    const std::size_t count = Read(std::max(left, std::chrono::milliseconds(0)));
    pending_ = std::span<const std::uint8_t>(buffer_).first(count);
    if (count == 0 && Clock::now() >= deadline) return false;
  }
}

/// @throws HostError: the link has ended, with what is known of the cause
std::size_t BoardClient::Read(std::chrono::milliseconds timeout) {
  try {
    return transport_.Read(buffer_, timeout);
  } catch (const HostError& error) {
    throw HostError(error.what() + WhyItEnds(), error.code());
  }
}

std::string BoardClient::WhyItEnds() const {
  if (has_stopped_) return ": it has stopped, at its end or by an order";
  if (!was_heard_) {
    return " before it said a word: tactus serve does so to who shows no token, or a wrong one (--token-file), and to who "
           "comes beside another host";
  }
  return why_faulted_.empty() ? "" : fmt::format("; its last fault: {}", why_faulted_);
}

void BoardClient::ReceiveUntil(const std::function<bool()>& done, const char* what, Time time) {
  Clock::time_point deadline = Clock::now() + patience_;
  while (!done()) {
    ShowLife();
    if (Receive(quiet_)) continue;
    if (frame_per_tick_ && time == Time::kGoesOn) Write(std::array<std::uint8_t, 1>{0});
    if (Clock::now() < deadline) continue;
    throw HostError(fmt::format("the board does not answer {} ({} s)", what, static_cast<double>(patience_.count()) / 1000),
                    kExitLink);
  }
}

void BoardClient::Write(std::span<const std::uint8_t> bytes) {
  transport_.Write(bytes);
  wrote_ = Clock::now();
}

/// A server puts out a host that is silent for long (docs/linux.md). An empty frame means nothing, but where time goes on
/// with our frames.
void BoardClient::ShowLife() {
  if (!frame_per_tick_ && Clock::now() - wrote_ > kLifeInterval) Write(std::array<std::uint8_t, 1>{0});
}

void BoardClient::Record(const wire::Frame& frame) {
  std::array<std::uint8_t, wire::kMaxEncodedSize> bytes;
  std::size_t size = 0;
  const Status status = wire::EncodeFrame(frame.type, frame.sequence, frame.payload, bytes, &size);
  TACTUS_CHECK(status == Status::kOk);
  log_->Add(wire::LogDirection::kToHost, std::span<const std::uint8_t>(bytes).first(size));
}

void BoardClient::Handle(const wire::Frame& frame) {
  if (log_ != nullptr) Record(frame);
  was_heard_ = true;
  wire::Stopped last_word;
  if (wire::ReadMessage(frame, &last_word) == Status::kOk) has_stopped_ = true;
  wire::Hello hello;
  wire::Ack ack;
  if (wire::ReadMessage(frame, &hello) == Status::kOk) {
    has_stopped_ = false;
    hello_ = hello;
    arm_nonce_ = hello.arm_nonce();
    config_crc_ = hello.config_crc();
    const bool in_process = hello.link() == wire::Link::kInProcess;
    frame_per_tick_ = in_process || hello.link() == wire::Link::kFifo;
    quiet_ = std::chrono::milliseconds(in_process ? 0 : 100);  // in this process an answer is there at once, or not at all
  }
  if (wire::ReadMessage(frame, &ack) == Status::kOk) {
    ack_ = ack;
    arm_nonce_ = ack.arm_nonce();
  }
  wire::Fault fault;
  wire::Telemetry telemetry;
  if (wire::ReadMessage(frame, &fault) == Status::kOk) why_faulted_ = WhyFaulted(fault.code(), fault.external());
  if (wire::ReadMessage(frame, &telemetry) == Status::kOk && telemetry.fault() != wire::FaultCode::kNone)
    why_faulted_ = WhyFaulted(telemetry.fault(), telemetry.external());
  wire::SceneReply reply;
  if (wire::ReadMessage(frame, &reply) == Status::kOk) scene_reply_ = reply;
  if (listener_) listener_(frame);
}

}  // namespace tactus::host
