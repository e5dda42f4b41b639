#include "firmware/servo/build_id.h"
#include "firmware/servo/servo_app.h"
#include "hal/cortex_m/fault_report.h"
#include "hal/cortex_m/flight_record.h"
#include "hal/cortex_m/semihosting_link.h"
#include "hal/cortex_m/systick_clock.h"
#include "hal/mps2/boot.h"
#include "hal/mps2/clock_guard.h"
#include "hal/mps2/drive_line.h"
#include "hal/mps2/outputs_safe.h"
#include "hal/mps2/registers.h"
#include "hal/mps2/uart_link.h"
#include "hal/mps2/watchdog.h"
#include "hal/sim/local_device.h"

namespace {

namespace servo = tactus::servo;
namespace mps2 = tactus::hal::mps2;
namespace cortex_m = tactus::hal::cortex_m;

constexpr std::uint64_t kHandSeed = 1;  // of the simulated hand's tremor

servo::ServoApp<TACTUS_BOARD_SCALAR>* app = nullptr;  // set before the link opens: then a frame may ask for a tick
cortex_m::SemihostingLink fifo;

void OpenLink(const mps2::BootOptions& options) {
  if (options.fifo_directory == nullptr) return mps2::UartLink::Instance().Start();
  if (fifo.Open(options.fifo_directory) != tactus::Status::kOk) mps2::EndRun(mps2::kExitNoLink);
  mps2::SetFaultFifo(fifo.guest_to_host());
}

}  // namespace

extern "C" void TickHandler() { app->OnTick(); }

int main() {
  const cortex_m::FlightRecord& last_run = cortex_m::TakeFlightRecord();
  cortex_m::PrintLastRun(last_run, cortex_m::TakeResetCause());
  const mps2::BootOptions options = mps2::ReadBootOptions();
  static mps2::CmsdkWatchdog watchdog;
  static cortex_m::SysTickClock clock(mps2::kCore_Hz);
  const bool by_fifo = options.fifo_directory != nullptr;
  static cortex_m::NoinitFlightRecorder recorder;
  static mps2::DriveLine drives;
  static tactus::hal::LocalSimDevice<TACTUS_BOARD_SCALAR> simulated_device(kHandSeed);
  const servo::Identity identity{
      .board = TACTUS_BOARD,
      .build = servo::kBuildId,
      .link = by_fifo ? tactus::wire::Link::kFifo : tactus::wire::Link::kUart,
      .core_clock_Hz = mps2::kCore_Hz,
      .failed_before = last_run.cause != cortex_m::FaultCause::kNone,
      .boot_seed = cortex_m::Starts(),
  };
  const servo::BoardParts parts{
      .device = options.local_device ? &simulated_device : nullptr, .drives = &drives, .recorder = &recorder};
  tactus::hal::ByteLink* const the_link = by_fifo ? static_cast<tactus::hal::ByteLink*>(&fifo) : &mps2::UartLink::Instance();
  static servo::ServoApp<TACTUS_BOARD_SCALAR> the_app(identity, *the_link, clock, watchdog, parts);
  app = &the_app;

  OpenLink(options);
  watchdog.Start(mps2::WatchdogTimeout_us(options));
  clock.Start();
  mps2::StartClockGuard();
  while (!app->stopped() || !mps2::UartLink::Instance().idle()) {
    app->DrainTelemetry();
    mps2::Idle();
  }
  mps2::EndRun(mps2::kExitOk);
}
