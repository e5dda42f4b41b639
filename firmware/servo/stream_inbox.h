#pragma once
#include <cstdint>

#include "tactus/haptic/streamed_tick.h"
#include "tactus/wire/message.h"

namespace tactus::servo {

/// How a piece of a ContactSet was taken: what an Ack tells.
struct StreamAnswer {
  wire::AckCode code = wire::AckCode::kAccepted;
  std::uint16_t field = 0xFFFF;  ///< offset in the payload
  double limit = 0;              ///< the bound that the field is beyond
  bool complete = false;         ///< set() is to be put in force
};

/// Collects the pieces of streamed sets, and lets through what is whole, newer than all before, and within its bounds. A set
/// that is refused leaves the one in force as it is.
class StreamInbox {
 public:
  /// Opens a stream; what came before is forgotten. A session of 0 closes.
  void Open(std::uint32_t session) noexcept;
  std::uint32_t session() const { return session_; }

  /// @param ticks  done so far
  StreamAnswer Take(const wire::ContactSet& piece, std::uint32_t ticks) noexcept;

  /// The set of the piece that made it complete, until the next piece.
  const StreamedSet& set() const { return pending_; }
  /// Pieces refused since the stream was opened.
  std::uint32_t refused() const { return refused_; }

 private:
  static constexpr int kInPiece = 8;

  StreamAnswer Judge(const wire::ContactSet& piece, std::uint32_t ticks) noexcept;
  StreamAnswer Join(const wire::ContactSet& piece) noexcept;
  StreamAnswer Finish() noexcept;
  void Forget() { expected_piece_ = 0; }

  std::uint32_t session_ = 0, refused_ = 0;
  std::uint32_t last_sequence_ = 0;  // of the last set that was complete
  std::uint32_t crc_ = 0;            // of the pieces that came
  std::uint32_t pending_crc_ = 0;    // as the set tells it
  int pending_contacts_ = 0, expected_piece_ = 0;
  StreamedSet pending_;
};

}  // namespace tactus::servo
