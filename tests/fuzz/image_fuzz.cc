// Any bytes as an image of a board: what `./dev flash` reads before it writes to a chip must refuse them with a sentence, or
// they are whole. The reader is a script (toolchain/image/image.py), so another one runs it for us (image_reader.py) and
// says which way it went: the fuzzer's coverage.
#include <sys/socket.h>
#include <unistd.h>

#include <array>

#include "tests/fuzz/fuzz.h"

namespace {

[[gnu::section("__libfuzzer_extra_counters"), gnu::used]] std::uint8_t ways[256];

/// The script at the other end of a socket.
int StartReader() {
  int ends[2];
  FUZZ_EXPECT(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
  const pid_t child = fork();
  FUZZ_EXPECT(child >= 0);
  if (child == 0) {
    dup2(ends[1], STDIN_FILENO);
    close(ends[0]);
    execlp("python3", "python3", TACTUS_IMAGE_READER, static_cast<char*>(nullptr));
    _exit(127);
  }
  close(ends[1]);
  return ends[0];
}

/// One for all inputs.
int Reader() {
  static const int reader = StartReader();
  return reader;
}

/// @returns the verdict and the way.
std::array<std::uint8_t, 2> Ask(int reader, const std::uint8_t* data, std::size_t size) {
  const auto length = static_cast<std::uint32_t>(size);
  FUZZ_EXPECT(write(reader, &length, sizeof length) == sizeof length);
  FUZZ_EXPECT(write(reader, data, size) == static_cast<ssize_t>(size));
  std::array<std::uint8_t, 2> answer{};
  for (std::size_t got = 0, tries = 0; got < 2; ++tries) {
    const ssize_t count = read(reader, answer.data() + got, 2 - got);  // the fuzzer's alarm interrupts it
    FUZZ_EXPECT(count != 0 && tries < 1000);
    got += count > 0 ? static_cast<std::size_t>(count) : 0;
  }
  return answer;
}

}  // namespace

// Before the first input's time runs: a busy machine may need many seconds to start the script.
extern "C" int LLVMFuzzerInitialize(int*, char***) {
  (void)Ask(Reader(), nullptr, 0);
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > 65536) return 0;
  const std::array<std::uint8_t, 2> answer = Ask(Reader(), data, size);
  FUZZ_EXPECT(answer[0] == 'r' || answer[0] == 'w');  // the script has said why it is neither
  ways[answer[1]] = 1;
  return 0;
}
