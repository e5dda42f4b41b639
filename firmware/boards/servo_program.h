#pragma once
#include "firmware/servo/board_work.h"
#include "firmware/servo/build_id.h"
#include "firmware/servo/servo_app.h"
#include "hal/cortex_m/boot.h"
#include "hal/cortex_m/fault_report.h"
#include "hal/cortex_m/flight_record.h"
#include "hal/cortex_m/semihosting_link.h"
#include "hal/cortex_m/systick_clock.h"
#include "hal/sim/local_device.h"

namespace tactus::board {

/// The servo application on a board: what main.cc of each has in common.
///
/// @tparam Board  the board's parts, firmware/boards/<board>/board.h; docs/porting.md lists what it has
template <class Board>
class ServoProgram {
 public:
  /// From PendSV, at each edge of the clock and at the end of each frame of the host.
  static void OnTick() { app_->OnTick(); }

  [[noreturn]] static void Run() {
    Board::SetUp();
    const hal::cortex_m::FlightRecord& last_run = hal::cortex_m::TakeFlightRecord();
    const hal::cortex_m::ResetCause cause = hal::cortex_m::TakeResetCause();
    hal::cortex_m::PrintLastRun(last_run, cause);
    const hal::cortex_m::BootOptions options = hal::cortex_m::ReadBootOptions();
    static typename Board::Watchdog watchdog;
    static hal::cortex_m::SysTickClock clock(Board::kCore_Hz, options.period_us);
    static hal::cortex_m::NoinitFlightRecorder recorder;
    static typename Board::Drives drives;
    const bool by_fifo = options.fifo_directory != nullptr;
    const servo::Identity identity{
        .board = TACTUS_BOARD,
        .build = servo::kBuildId,
        .link = by_fifo ? wire::Link::kFifo : wire::Link::kUart,
        .core_clock_Hz = Board::kCore_Hz,
        .failed_before = last_run.cause != hal::cortex_m::FaultCause::kNone,
        .boot_seed = hal::cortex_m::Starts(),
        .work = servo::WorkOf<Board>(options.period_us),
    };
    servo::BoardParts parts{.device = DeviceFor(options, cause), .drives = &drives, .recorder = &recorder};
    if constexpr (requires { Board::kHostSilence_us; }) parts.most_silence_us = Board::kHostSilence_us;
    hal::ByteLink* const link = by_fifo ? static_cast<hal::ByteLink*>(&fifo_) : &Board::Link();
    static servo::ServoApp<TACTUS_BOARD_SCALAR> the_app(identity, *link, clock, watchdog, parts);
    app_ = &the_app;

    OpenLink(options);
    watchdog.Start(hal::cortex_m::WatchdogTimeout_us(options));
    clock.Start();
    Board::StartClockGuard();
    while (!app_->stopped() || !Board::Link().idle()) {  // ends: the host stops the run; the ticks feed the watchdog
      app_->DrainTelemetry();
      hal::cortex_m::Idle();
    }
    hal::cortex_m::EndRun(hal::cortex_m::kExitOk);
  }

 private:
  /// The simulated device and hand, where an emulator's command line asks for them and the board drives no motors.
  static hal::Device* DeviceFor(const hal::cortex_m::BootOptions& options, hal::cortex_m::ResetCause cause) {
    if constexpr (requires { Board::Device(options, cause); }) {
      return Board::Device(options, cause);
    } else {
      if constexpr (TACTUS_EMULATED) {
        constexpr std::uint64_t kHandSeed = 1;  // of the simulated hand's tremor
        static hal::LocalSimDevice<TACTUS_BOARD_SCALAR> simulated_device(kHandSeed, options.period_us);
        if (options.local_device) return &simulated_device;
      }
      return Board::Device();
    }
  }

  static void OpenLink(const hal::cortex_m::BootOptions& options) {
    if (options.fifo_directory == nullptr) return Board::Link().Start();
    if (fifo_.Open(options.fifo_directory) != Status::kOk) hal::cortex_m::EndRun(hal::cortex_m::kExitNoLink);
    Board::SetFaultFifo(fifo_.guest_to_host());
  }

  static inline servo::ServoApp<TACTUS_BOARD_SCALAR>* app_ =
      nullptr;  // set before the link opens: then a frame may ask for a tick
  static inline hal::cortex_m::SemihostingLink fifo_;
};

}  // namespace tactus::board
