#pragma once
#include <cstdio>
#include <cstdlib>

#include "tactus/wire/frame_decoder.h"

/// What must hold for every input. (A TACTUS_CHECK is the library's; this one is the fuzzer's.)
#define FUZZ_EXPECT(condition)                                                            \
  do {                                                                                    \
    if (!(condition)) {                                                                   \
      std::fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #condition); \
      std::abort();                                                                       \
    }                                                                                     \
  } while (false)

/// One of these a program: libFuzzer's main calls it, or replay_main.cc with the files of the corpus.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace tactus::fuzz {

/// Numbers from an input, zeros behind its end. Few bytes each, so that a changed byte changes one thing.
class Numbers {
 public:
  Numbers(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}

  bool done() const { return at_ >= size_; }
  std::uint32_t Byte() { return at_ < size_ ? data_[at_++] : 0; }
  std::uint32_t Below(std::uint32_t bound) { return Byte() % bound; }
  /// One of 65536 values from low to high; the ends and the middle are among them.
  double Between(double low, double high) {
    const std::uint32_t n = Byte() << 8 | Byte();
    return n == 0 ? 0.5 * (low + high) : low + (high - low) * (n - 1) / 65534.0;
  }
  /// From 10^low on, as likely in one decade as in the next.
  double Decade(int low, int decades) {
    double x = 1 + 9 * static_cast<double>(Byte()) / 256;
    for (int i = low + static_cast<int>(Below(static_cast<std::uint32_t>(decades))); i > 0; --i) x *= 10;
    for (int i = low; i < 0; ++i) x /= 10;
    return x;
  }
  /// The rest, as bytes of `size` at most.
  std::size_t Take(std::uint8_t* to, std::size_t size) {
    std::size_t count = 0;
    for (; count < size && at_ < size_; ++count) to[count] = data_[at_++];
    return count;
  }

 private:
  const std::uint8_t* data_;
  std::size_t size_, at_ = 0;
};

/// A frame that was accepted is one that an encoder makes.
inline void EncodesToItself(const wire::Frame& frame) {
  std::array<std::uint8_t, wire::kMaxEncodedSize> again;
  std::size_t size = 0, used = 0;
  FUZZ_EXPECT(wire::EncodeFrame(frame.type, frame.sequence, frame.payload, again, &size) == Status::kOk);
  wire::FrameDecoder decoder;
  FUZZ_EXPECT(decoder.Push({again.data(), size}, &used) == Status::kOk && used == size);
  FUZZ_EXPECT(decoder.frame().type == frame.type && decoder.frame().sequence == frame.sequence);
  FUZZ_EXPECT(std::equal(frame.payload.begin(), frame.payload.end(), decoder.frame().payload.begin(),
                         decoder.frame().payload.end()));
}

}  // namespace tactus::fuzz
