#include "firmware/servo/last_words.h"

namespace tactus::servo {
namespace {

/// Nobody knows which frame was the last: these two carry the numbers before zero.
constexpr std::uint16_t kSequence = 0xFFFE;

template <wire::Message M>
std::size_t Encode(const M& message, std::uint16_t sequence, std::span<std::uint8_t> out) {
  std::size_t size = 0;
  const Status status = wire::EncodeFrame(wire::kTypeOf<M>, sequence, wire::PayloadOf(message), out, &size);
  TACTUS_CHECK(status == Status::kOk);
  return size;
}

}  // namespace

void LastWords::Prepare() noexcept {
  const wire::Fault fault(0, wire::FaultCode::kExternal, wire::ExternalCause::kControllerFault, 0, 0, 0);
  bytes_[0] = 0;
  size_ = 1;
  size_ += Encode(wire::Command(), kSequence, std::span(bytes_).subspan(size_));
  size_ += Encode(fault, kSequence + 1, std::span(bytes_).subspan(size_));
}

}  // namespace tactus::servo
