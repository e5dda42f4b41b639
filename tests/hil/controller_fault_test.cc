// The firmware fails under force, as the product runs it: the debugger port does to it what a fault of memory or of a timer
// would. The host must see the force end.
#include <set>

#include "../host/temporary_file.h"
#include "gdb_port.h"
#include "host_tools/link/elf_symbols.h"
#include "host_tools/link/host_error.h"
#include "live_board.h"

namespace tactus::host {
namespace {

/// A board over the UART, commanding a force.
class ControllerFault : public OnBoard {
 protected:
  void SetUp() override {
    OnBoard::SetUp();
    if (IsSkipped() || HasFatalFailure()) return;
    port_.emplace("gdb");
    board_ = std::make_unique<LiveBoard>(QemuLink::kUart, DemoConfig(wire::Pacing::kSample), port_->path());
    for (int tick = 0; tick < 450; ++tick) board_->Tick();
    ASSERT_GT(ForceOf(board_->commands.all.back()), 0.5) << "the hand presses on the plate by now";
  }

  /// Sends the next sample. @returns false: the board has ended; what it said is still to be read.
  bool SendSample() {
    try {
      board_->client.Send(ToMessage(board_->device.Sample()));
      return true;
    } catch (const HostError&) {
      return false;
    }
  }

  /// Samples go on until the board has said that it failed, or has ended.
  /// @param causes  one of which it may say
  void ExpectForceOff(int exit_code, const std::set<wire::ExternalCause>& causes) {
    bool running = true;
    for (int sample = 0; sample < 2000 && board_->faults.all.empty(); ++sample) {
      running = running && SendSample();
      (void)board_->client.Receive(std::chrono::milliseconds(10));
    }
    ASSERT_EQ(board_->faults.all.size(), 1u);
    EXPECT_EQ(board_->faults.all[0].code(), wire::FaultCode::kExternal);
    EXPECT_TRUE(causes.contains(board_->faults.all[0].external())) << static_cast<int>(board_->faults.all[0].external());
    EXPECT_EQ(ForceOf(board_->commands.all.back()), 0);
    EXPECT_EQ(board_->Wait(), exit_code);
  }

  std::optional<TemporaryFile> port_;
  std::unique_ptr<LiveBoard> board_;
};

/// Address of an instruction of two bytes in the image; 0: not there.
std::uint32_t FindCode(GdbPort& gdb, const std::vector<std::uint8_t>& instruction) {
  constexpr std::uint32_t kVectorsEnd = 0x200, kCodeEnd = 0x30000, kChunk = 0x100;
  for (std::uint32_t chunk = kVectorsEnd; chunk < kCodeEnd; chunk += kChunk) {
    const std::vector<std::uint8_t> code = gdb.Read(chunk, kChunk);
    for (std::size_t at = 0; at + 1 < code.size(); at += 2) {
      if (code[at] == instruction[0] && code[at + 1] == instruction[1]) return chunk + static_cast<std::uint32_t>(at);
    }
  }
  return 0;
}

TEST_F(ControllerFault, S6LeavesNoForceWhenTheAppAndTheLinkAreCorrupted) {
  GdbPort gdb(port_->path());
  const std::vector<std::uint8_t> garbage(16, 0xA5);
  gdb.Write(SymbolAddress(Image().string(), "_ZN6tactus5board12ServoProgramINS0_5BoardEE4app_E"),
            {garbage.begin(), garbage.begin() + 4});
  gdb.Write(SymbolAddress(Image().string(), "_ZZN6tactus3hal4mps28UartLink8InstanceEvE4link"), garbage);
  gdb.SetRegister(GdbPort::kPc, 0x90000000u);  // nothing there
  gdb.Detach();
  constexpr int kBusFault = 64 + 5;
  ExpectForceOff(kBusFault, {wire::ExternalCause::kControllerFault});
}

TEST_F(ControllerFault, S4LeavesNoForceWhenSysTickStops) {
  GdbPort gdb(port_->path());
  // The port does not write to peripherals: the board's own code does it, by any `str r3, [r2]`.
  const std::uint32_t store = FindCode(gdb, {0x13, 0x60});
  ASSERT_NE(store, 0u);
  const std::string r2 = gdb.Register(2), r3 = gdb.Register(3), pc = gdb.Register(GdbPort::kPc);
  gdb.SetRegister(2, 0xE000E010u);  // SysTick, control and status
  gdb.SetRegister(3, 0u);
  gdb.SetRegister(GdbPort::kPc, store);
  gdb.Step();
  gdb.SetRegister(2, r2);
  gdb.SetRegister(3, r3);
  gdb.SetRegister(GdbPort::kPc, pc);
  gdb.Detach();
  constexpr int kClockLost = 64 + 21;
  // The second timer sees it, or the loop before it: it is called for bytes too, and those of a busy host come all at once.
  ExpectForceOff(kClockLost, {wire::ExternalCause::kControllerFault, wire::ExternalCause::kClockLost});
}

}  // namespace
}  // namespace tactus::host
