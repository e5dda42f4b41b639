#pragma once
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "host_tools/link/transport.h"
#include "host_tools/session/log_file.h"
#include "tactus/wire/frame.h"
#include "tactus/wire/frame_decoder.h"

namespace tactus::host {

/// The host's side of the conversation of docs/wire.md: sends messages, waits for answers, records both. Frames that are no
/// answer to what is waited for go to the listener.
class BoardClient {
 public:
  using Listener = std::function<void(const wire::Frame&)>;

  /// @param log  nullptr: nothing is recorded
  BoardClient(Transport& transport, LogFile* log);

  void set_listener(Listener listener) { listener_ = std::move(listener); }
  void set_patience(std::chrono::milliseconds patience) { patience_ = patience; }

  /// Opens the connection, asking again every half second until the board answers.
  ///
  /// @throws HostError: no answer; another protocol version.
  wire::Hello Hello();

  /// Puts a scene in force (scene_image.h), piece by piece; an empty image takes it away. Before or after Configure, never
  /// armed.
  ///
  /// @throws HostError(kExitLink): no answer. (kExitFailed): refused; the message says what has no room on the board.
  void SendScene(std::span<const std::uint8_t> image);

  /// Opens a stream of contacts (docs/wire.md), or closes it; its ContactSets go out by Send. Before or after Configure,
  /// never armed.
  ///
  /// @throws HostError(kExitLink): no answer. (kExitFailed): refused.
  void OpenStream(const wire::StreamOpen& open);

  /// @throws HostError(kExitLink): no answer. (kExitFailed): refused; the message names the field.
  void Configure(const wire::Config& config);

  /// Puts a map of the workspace in force: behind Configure, before Arm, or while the clutch holds. @throws HostError as
  /// Configure.
  void SendWorkspace(const wire::Workspace& workspace);

  /// Asks for a ContactEvent for each, or for none; they go to the listener. In any state. @throws HostError as Configure.
  void Subscribe(bool contact_events);

  /// The image of the scene in force; empty: there is none.
  ///
  /// @throws HostError(kExitLink): no answer, or a board that changes its scene all the time, or one that is older than this
  /// question.
  std::vector<std::uint8_t> ReadScene();

  /// Lets force out. @throws HostError as Configure.
  void Arm();

  /// Changes what may change while force is out. @throws HostError as Configure.
  void Tune(const wire::Tune& tune);

  /// @throws HostError as Configure.
  void Control(wire::Action action);

  template <wire::Message M>
  std::uint16_t Send(const M& message) {
    const std::uint16_t sequence = writer_.next_sequence();
    const std::span<const std::uint8_t> frame = writer_.Write(message);
    if (log_ != nullptr) log_->Add(wire::LogDirection::kToController, frame);
    Write(frame);
    return sequence;
  }

  /// Sends bytes that need not be a frame. They are not recorded.
  void SendRaw(std::span<const std::uint8_t> bytes) { Write(bytes); }

  /// Hands the next frame to the listener. @returns false: none came in `timeout`.
  bool Receive(std::chrono::milliseconds timeout);

  /// Whether a board whose time goes on with our frames gets empty ones while it says nothing.
  enum class Time : std::uint8_t {
    kGoesOn,      ///< what is waited for may take several ticks: a fade
    kStandsStill  ///< the frame that was sent is answered in its own tick, however slow the board is. A tick more would
                  ///< leave an answer under way for ever, and the loop a period late
  };

  /// Receives until `done`. @throws HostError(kExitLink): nothing came for the whole patience; `what` says what was waited
  /// for.
  void ReceiveUntil(const std::function<bool()>& done, const char* what, Time time = Time::kGoesOn);

  /// The board's time goes on with our frames: one a tick. Known after Hello.
  bool frame_per_tick() const { return frame_per_tick_; }

  /// Frames from the board that were damaged.
  std::uint32_t bad_frames() const { return decoder_.counters().bad(); }

 private:
  void Record(const wire::Frame& frame);
  std::size_t Read(std::chrono::milliseconds timeout);
  std::string WhyItEnds() const;
  void Write(std::span<const std::uint8_t> bytes);
  void Handle(const wire::Frame& frame);
  void SumConfig();
  bool AskForScene(std::uint32_t offset);
  void WaitForAck(wire::MessageType type, std::uint16_t sequence, const char* what);
  std::string StateInWords(wire::State state) const;

  Transport& transport_;
  LogFile* log_;
  wire::FrameWriter writer_;
  wire::FrameDecoder decoder_;
  std::vector<std::uint8_t> buffer_;
  std::span<const std::uint8_t> pending_;  ///< the part of `buffer_` that is received and not yet decoded
  Listener listener_;
  std::chrono::milliseconds patience_{5000};
  std::optional<wire::Hello> hello_;
  std::optional<wire::Ack> ack_;
  std::optional<wire::SceneReply> scene_reply_;
  bool was_heard_ = false, has_stopped_ = false;  ///< a frame has come; Stopped has come
  std::string why_faulted_;  ///< of the last Fault, or of the last Telemetry that had one; empty: none was heard
  void ShowLife();

  std::chrono::steady_clock::time_point wrote_;
  std::chrono::milliseconds quiet_{100};  ///< so long without a frame means that none comes by itself
  bool frame_per_tick_ = false;
  std::uint32_t arm_nonce_ = 0;  ///< of the last Hello or Ack
  std::uint32_t scene_crc_ = 0;  ///< of the scene in force; 0: none
  wire::StreamOpen stream_open_;
  std::optional<wire::Config> config_;
  std::optional<wire::Workspace> workspace_;  ///< since the Config
  std::uint32_t config_crc_ = 0;              ///< of the scene, the Config and the stream in force
};

}  // namespace tactus::host
