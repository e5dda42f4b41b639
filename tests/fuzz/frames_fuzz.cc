// Any bytes into the decoder of frames: what is accepted must encode to itself.
#include <cstdlib>

#include "tactus/wire/frame_decoder.h"
#include "tests/fuzz/fuzz.h"

using namespace tactus::wire;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  FrameDecoder decoder;
  std::span<const std::uint8_t> bytes(data, size);
  while (!bytes.empty()) {
    std::size_t used = 0;
    if (decoder.Push(bytes, &used) == tactus::Status::kOk) tactus::fuzz::EncodesToItself(decoder.frame());
    FUZZ_EXPECT(used > 0);
    bytes = bytes.subspan(used);
  }
  return 0;
}
