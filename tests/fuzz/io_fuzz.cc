// Any frames, bytes, inputs and edges into the I/O firmware: no current without a fresh command, none above a ceiling, none
// after the time-out; and what it answers is a frame.
#include <algorithm>

#include "tests/fuzz/fuzz.h"
#include "tests/io/io_board.h"

using namespace tactus;
using io::IoBoard;

namespace {

/// Writes into a frame's fields, so that sessions and checksums are right and the rest is anything.
wire::IoCommand DrawCommand(fuzz::Numbers& numbers, IoBoard& board) {
  const std::uint32_t kind = numbers.Byte();
  wire::IoCommand command = kind & 1 ? board.On(static_cast<float>(numbers.Between(-2, 2))) : board.Off();
  if (kind & 2) numbers.Take(reinterpret_cast<std::uint8_t*>(&command) + 8, sizeof(command) - 8);
  if (kind & 4) command.mutate_sequence(command.sequence() - numbers.Byte());
  return command;
}

void Check(const IoBoard& board, std::uint32_t taken_us) {
  const float* const flows_A = board.motors.flowing_A;
  if (flows_A[0] == 0 && flows_A[1] == 0) return;
  FUZZ_EXPECT(std::abs(flows_A[0]) <= 2 && std::abs(flows_A[1]) <= 1);
  FUZZ_EXPECT((board.clock.edge_count + 1) * 250 - taken_us < io::kCommandTimeout_us);  // when this period ends
  FUZZ_EXPECT(board.motors.enabled);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Numbers numbers(data, size);
  IoBoard board;
  board.Connect();
  std::uint32_t taken_us = 0;
  while (!numbers.done()) {
    hal::MotorFaults& faults = board.faulty.faults;
    bool has_frames = false;
    switch (numbers.Below(10)) {
      case 0:
      case 1:
        board.Put(DrawCommand(numbers, board));
        has_frames = true;
        break;
      case 2: {
        std::vector<std::uint8_t> bytes(numbers.Byte());
        bytes.resize(numbers.Take(bytes.data(), bytes.size()));
        board.PutBytes(bytes);
        has_frames = true;
        break;
      }
      case 3: board.Put(static_cast<wire::Action>(numbers.Below(8))); break;
      case 4: board.Put(wire::HelloRequest(wire::kProtocolVersion - numbers.Below(2), numbers.Byte())); break;
      case 5: faults.e_stop = !faults.e_stop; break;
      case 6: faults.drive_fault = numbers.Below(4) == 0, faults.refuses_writes = numbers.Below(4) == 0; break;
      case 7: board.motors.count[0] += static_cast<std::int32_t>(numbers.Byte()); break;
      default: board.clock.us_in_period = numbers.Below(2); break;
    }
    const std::uint32_t edges = numbers.Below(4);
    edges == 0 ? board.app.OnTick() : board.Edge(edges);
    if (has_frames) taken_us = board.clock.edge_count * 250 + board.clock.us_in_period;
    board.Take();
    Check(board, taken_us);
  }
  board.Edges(13);  // the time-out
  FUZZ_EXPECT(board.off());
  return 0;
}
