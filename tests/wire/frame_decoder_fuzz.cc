// libFuzzer's entry: any bytes into the decoder of frames and the reader of recordings; what is accepted must encode to
// itself.
#include <cstdlib>

#include "tactus/wire/log.h"

using namespace tactus::wire;

namespace {

void EncodesToItself(const Frame& frame) {
  std::array<std::uint8_t, kMaxEncodedSize> again;
  std::size_t size = 0, used = 0;
  if (EncodeFrame(frame.type, frame.sequence, frame.payload, again, &size) != tactus::Status::kOk) std::abort();
  FrameDecoder decoder;
  if (decoder.Push({again.data(), size}, &used) != tactus::Status::kOk || used != size) std::abort();
  if (decoder.frame().type != frame.type || decoder.frame().payload.size() != frame.payload.size()) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  FrameDecoder decoder;
  LogReader reader;
  std::span<const std::uint8_t> bytes(data, size);
  while (!bytes.empty()) {
    std::size_t used = 0;
    if (decoder.Push(bytes, &used) == tactus::Status::kOk) EncodesToItself(decoder.frame());
    if (used == 0) std::abort();
    bytes = bytes.subspan(used);
  }
  for (std::size_t i = 0; i < size; ++i) {
    if (reader.Push(data[i]) == tactus::Status::kOk) EncodesToItself(reader.frame());
  }
  return 0;
}
