// What a controller sends when it fails itself, as bytes that the compiler computes from the schema: in a fault nothing in
// RAM can be believed.
#include "hal/api/last_words.h"

#include <array>
#include <bit>

#include "tactus/wire/frame.h"

namespace tactus::servo {
namespace {

/// Nobody knows which frame was the last: these two carry the numbers before zero.
constexpr std::uint16_t kSequence = 0xFFFE;

struct Words {
  std::array<std::uint8_t, 1 + wire::kEncodedSize<wire::Command> + wire::kEncodedSize<wire::Fault>> bytes{};
  std::size_t size = 1;  // the 0x00 that ends the frame that stood on the line

  template <wire::Message M>
  consteval void Append(const M& message, std::uint16_t sequence) {
    const auto payload = std::bit_cast<std::array<std::uint8_t, sizeof(M)>>(message);
    std::size_t count = 0;
    const Status status = wire::EncodeFrame(wire::kTypeOf<M>, sequence, payload, std::span(bytes).subspan(size), &count);
    TACTUS_CHECK(status == Status::kOk);
    size += count;
  }
};

consteval Words MakeWords() {
  Words words;
  words.Append(wire::Command(), kSequence);
  words.Append(wire::Fault(0, wire::FaultCode::kExternal, wire::ExternalCause::kControllerFault, 0, 0, 0), kSequence + 1);
  return words;
}

constexpr Words kWords = MakeWords();

}  // namespace
}  // namespace tactus::servo

namespace tactus::hal {

constinit const std::span<const std::uint8_t> kLastWords = std::span(servo::kWords.bytes).first(servo::kWords.size);

}  // namespace tactus::hal
