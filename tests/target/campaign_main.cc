#include <array>

#include "firmware/servo/servo_app.h"
#include "hal/cortex_m/boot.h"
#include "hal/cortex_m/flight_record.h"
#include "hal/cortex_m/semihosting.h"
#include "hal/cortex_m/semihosting_link.h"
#include "hal/cortex_m/systick_clock.h"
#include "hal/mps2/clock_guard.h"
#include "hal/mps2/drive_line.h"
#include "hal/mps2/outputs_safe.h"
#include "hal/mps2/registers.h"
#include "hal/mps2/uart_link.h"
#include "hal/mps2/watchdog.h"
#include "tests/target/print.h"
#include "tests/target/sabotage.h"
#include "tests/target/servo_script.h"

// The corruption campaign: the servo on its real link, armed by a script and under force, is sabotaged; the fault resets the
// board, and the next start does the next seed. corruption_campaign.py runs it and looks at what left the board.
//     -append "link=uart seed=1 count=100 after_fault=reset"

namespace tactus::target {
namespace {

namespace mps2 = hal::mps2;
namespace cortex_m = hal::cortex_m;

/// What must outlive the sabotage lies far from what is sabotaged: at the end of the memory that no section uses.
struct Notebook {
  std::uint32_t magic, seed, left;
};
constexpr std::uint32_t kNotebookMagic = 0x5AB07A6Eu;
Notebook& TheNotebook() { return *reinterpret_cast<Notebook*>(0x203FFF00u); }

/// The script's frames in, the real link out. The script's host hears what goes out.
class ScriptedLink final : public hal::ByteLink {
 public:
  ScriptedLink(hal::ByteLink& out, ScriptHost& host) : out_(out), host_(host) {}
  void SetNext(std::span<const std::uint8_t> frame) { script_.SetNext(frame); }

 private:
  Status DoRead(std::span<std::uint8_t> room, std::size_t* count) noexcept override { return script_.Read(room, count); }
  Status DoWrite(std::span<const std::uint8_t> frame, hal::Lane lane) noexcept override {
    std::size_t used = 0;
    if (heard_.Push(frame, &used) == Status::kOk) host_.Learn(heard_.frame());
    return out_.Write(frame, lane);
  }
  void DoLock() noexcept override { out_.Lock(); }
  void DoUnlock() noexcept override { out_.Unlock(); }
  bool DoFramePerTick() const noexcept override { return true; }
  hal::LinkCounters DoCounters() const noexcept override { return out_.counters(); }

  ScriptLink script_;
  hal::ByteLink& out_;
  ScriptHost& host_;
  wire::FrameDecoder heard_;
};

cortex_m::SemihostingLink fifo;
servo::ServoApp<TACTUS_BOARD_SCALAR>* app = nullptr;
ScriptedLink* link = nullptr;
Sabotage* sabotage = nullptr;
ScriptHost host;
std::uint32_t ticks = 0;
volatile bool due_in_background = false;
int fifo_handle = 0;

/// Hello, configuration, arm; then the part of the script where the peg comes down on the plate, at twenty times its speed.
std::span<const std::uint8_t> NextFrame() {
  constexpr int kAbovePlate = 1640, kFaster = 20;
  const int step = static_cast<int>(ticks);
  if (step < ScriptHost::kFramesBefore) return host.Frame(step);
  return host.Frame(ScriptHost::kFramesBefore + kAbovePlate + kFaster * (step - ScriptHost::kFramesBefore));
}

std::uint32_t Number(const char* line, const char* key) {
  for (; *line != '\0'; ++line) {
    const char *at = line, *letter = key;
    while (*letter != '\0' && *at == *letter) ++at, ++letter;
    if (*letter != '\0') continue;
    std::uint32_t number = 0;
    for (; '0' <= *at && *at <= '9'; ++at) number = 10 * number + static_cast<std::uint32_t>(*at - '0');
    return number;
  }
  return 0;
}

/// Opens the notebook, or tells how the last seed ended. @returns the next seed; the run is over when none is left.
std::uint32_t TakeSeed() {
  Notebook& notebook = TheNotebook();
  const cortex_m::FlightRecord& record = cortex_m::TakeFlightRecord();
  if (notebook.magic == kNotebookMagic) {
    PrintHash("cause", static_cast<std::uint32_t>(record.cause));
  } else {
    std::array<char, 512> line{};
    if (!cortex_m::semihosting::CommandLine(line)) cortex_m::semihosting::Exit(2);
    notebook = {kNotebookMagic, Number(line.data(), "seed="), Number(line.data(), "count=")};
  }
  if (notebook.left == 0) cortex_m::semihosting::Exit(0);
  --notebook.left;
  return notebook.seed++;
}

hal::ByteLink& OpenLink(const cortex_m::BootOptions& options) {
  if (options.fifo_directory == nullptr) {
    mps2::UartLink::Instance().Start();
    return mps2::UartLink::Instance();
  }
  if (fifo.Open(options.fifo_directory) != Status::kOk) cortex_m::EndRun(cortex_m::kExitNoLink);
  fifo_handle = fifo.guest_to_host();
  mps2::SetFaultFifo(fifo_handle);
  return fifo;
}

[[noreturn]] void Run() {
  static Sabotage the_sabotage(TakeSeed());
  const cortex_m::BootOptions options = cortex_m::ReadBootOptions();
  static ScriptedLink the_link(OpenLink(options), host);
  static mps2::CmsdkWatchdog watchdog;
  static mps2::DriveLine drive;
  static cortex_m::SysTickClock clock(mps2::kCore_Hz);
  static servo::ServoApp<TACTUS_BOARD_SCALAR> the_app(servo::Identity{}, the_link, clock, watchdog,
                                                      servo::BoardParts{.drives = &drive});
  sabotage = &the_sabotage;
  link = &the_link;
  app = &the_app;
  watchdog.Start(5'000);
  clock.Start();
  mps2::StartClockGuard();
  for (;;) {
    app->DrainTelemetry();
    if (!due_in_background) continue;
    due_in_background = false;
    sabotage->Do(fifo_handle);
  }
}

}  // namespace

void Print(const char* text) { cortex_m::semihosting::Print(text); }

}  // namespace tactus::target

extern "C" void TickHandler() {
  using namespace tactus::target;
  link->SetNext(NextFrame());
  app->OnTick();
  if (++ticks != sabotage->tick()) return;
  if (sabotage->in_tick()) return sabotage->Do(fifo_handle);
  due_in_background = true;
}

int main() { tactus::target::Run(); }
