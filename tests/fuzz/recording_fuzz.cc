// Any bytes as a recording: the reader must find the first damage and stay there, the replay must end.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <string>

#include "host_tools/link/host_error.h"
#include "host_tools/replay/replay.h"
#include "tactus/wire/log.h"
#include "tests/fuzz/fuzz.h"

using namespace tactus;

namespace {

// @returns whether it is whole
bool Read(const std::uint8_t* data, std::size_t size) {
  wire::LogReader reader;
  for (std::size_t i = 0; i < size; ++i) {
    const Status status = reader.Push(data[i]);
    if (status == Status::kOk) fuzz::EncodesToItself(reader.frame());
    FUZZ_EXPECT((status == Status::kCorrupt) == (reader.problem() != nullptr));
    if (status == Status::kCorrupt) return false;
  }
  return reader.Finish() == Status::kClosed;
}

/// The bytes as a file that nobody else sees.
class MemoryFile {
 public:
  MemoryFile(const std::uint8_t* data, std::size_t size) : fd_(memfd_create("recording", 0)) {
    FUZZ_EXPECT(fd_ >= 0 && write(fd_, data, size) == static_cast<ssize_t>(size));
  }
  ~MemoryFile() { close(fd_); }
  std::string path() const { return "/proc/self/fd/" + std::to_string(fd_); }

 private:
  int fd_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > 65536) return 0;
  const bool whole = Read(data, size);
  const MemoryFile file(data, size);
  try {
    const host::ReplayResult result = host::Replay(file.path());
    FUZZ_EXPECT(!whole || result.damage.empty());
  } catch (const host::HostError&) {
  }
  return 0;
}
