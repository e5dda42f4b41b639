#include "firmware/servo/build_id.h"
#include "firmware/servo/last_words.h"
#include "firmware/servo/servo_app.h"
#include "hal/cortex_m/fault.h"
#include "hal/cortex_m/semihosting_link.h"
#include "hal/cortex_m/systick_clock.h"
#include "hal/mps2/boot.h"
#include "hal/mps2/registers.h"
#include "hal/mps2/uart_link.h"
#include "hal/mps2/watchdog.h"

namespace {

namespace servo = tactus::servo;
namespace mps2 = tactus::hal::mps2;
namespace cortex_m = tactus::hal::cortex_m;

constexpr std::uint32_t kBaud = 921'600;

// Set before the clock starts.
tactus::hal::ByteLink* link = nullptr;
servo::ServoApp<TACTUS_BOARD_SCALAR>* app = nullptr;
servo::LastWords last_words;

/// The link that the boot options ask for, open.
tactus::hal::ByteLink& OpenLink(const mps2::BootOptions& options) {
  if (options.fifo_directory == nullptr) {
    mps2::UartLink::Instance().Start(kBaud);
    return mps2::UartLink::Instance();
  }
  static cortex_m::SemihostingLink fifo;
  if (fifo.Open(options.fifo_directory) != tactus::Status::kOk) mps2::EndRun(mps2::kExitNoLink);
  return fifo;
}

}  // namespace

extern "C" void TickHandler() { app->OnTick(); }

// This board's actuators are at the other end of the link.
extern "C" void ZeroOutputs() {
  if (link != nullptr) link->WriteInFault(last_words.bytes());
}

int main() {
  const cortex_m::FlightRecord last_run = cortex_m::TakeFlightRecord();
  mps2::ReportLastFault(last_run);
  const mps2::BootOptions options = mps2::ReadBootOptions();
  static mps2::CmsdkWatchdog watchdog;
  static cortex_m::SysTickClock clock(mps2::kCore_Hz);
  const servo::Identity identity{
      .board = TACTUS_BOARD,
      .build = servo::kBuildId,
      .link = options.fifo_directory != nullptr ? tactus::wire::Link::kFifo : tactus::wire::Link::kUart,
      .core_clock_Hz = mps2::kCore_Hz,
      .failed_before = last_run.cause != cortex_m::FaultCause::kNone,
  };
  last_words.Prepare();
  link = &OpenLink(options);
  static servo::ServoApp<TACTUS_BOARD_SCALAR> the_app(identity, *link, clock, watchdog);
  app = &the_app;

  watchdog.Start(mps2::kWatchdogTimeout_us);
  clock.Start();
  while (!app->stopped() || !mps2::UartLink::Instance().idle()) {
    app->DrainTelemetry();
    mps2::Idle();
  }
  mps2::EndRun(mps2::kExitOk);
}
