// The library's frames for programs in other languages to compare with.
//   wire_pipe encode   lines "type sequence payload-in-hex" (or "-") -> the frame's bytes, frame after frame
//   wire_pipe decode   bytes -> lines "type sequence payload-in-hex" of the good frames, then "bad N"
#include <cstdio>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "bytes.h"
#include "tactus/wire/frame_decoder.h"

namespace tactus::wire {
namespace {

int Encode() {
  std::string line;
  while (std::getline(std::cin, line)) {
    std::istringstream words(line);
    int type = 0, sequence = 0;
    std::string hex;
    words >> type >> sequence >> hex;
    std::array<std::uint8_t, kMaxEncodedSize> frame;
    std::size_t size = 0;
    const Status status =
        EncodeFrame(static_cast<MessageType>(type), static_cast<std::uint16_t>(sequence), FromHex(hex), frame, &size);
    if (status != Status::kOk) return 1;
    std::fwrite(frame.data(), 1, size, stdout);
  }
  return 0;
}

int Decode() {
  FrameDecoder decoder;
  for (int byte; (byte = std::getchar()) != EOF;) {
    if (decoder.Push(static_cast<std::uint8_t>(byte)) != Status::kOk) continue;
    const Frame& frame = decoder.frame();
    std::printf("%d %d ", static_cast<int>(frame.type), frame.sequence);
    for (const std::uint8_t b : frame.payload) std::printf("%02x", b);
    std::printf("\n");
  }
  std::printf("bad %u\n", decoder.counters().bad());
  return 0;
}

}  // namespace
}  // namespace tactus::wire

int main(int argc, char** argv) {
  const std::string mode = argc == 2 ? argv[1] : "";
  if (mode == "encode") return tactus::wire::Encode();
  if (mode == "decode") return tactus::wire::Decode();
  std::fprintf(stderr, "usage: %s encode|decode\n", argv[0]);
  return 2;
}
