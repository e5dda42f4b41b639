#pragma once
#include "firmware/io/io_app.h"
#include "firmware/servo/build_id.h"
#include "hal/cortex_m/boot.h"
#include "hal/cortex_m/fault_report.h"
#include "hal/cortex_m/flight_record.h"
#include "hal/cortex_m/systick_clock.h"

namespace tactus::board {

/// The thin I/O firmware on a board (docs/io_firmware.md): what the main files have in common.
///
/// @tparam Board  kCore_Hz, Watchdog, SetUp(), Link(), StartClockGuard() as in docs/porting.md, and MotorIo(options): a
///                hal::MotorIo
template <class Board>
class IoProgram {
 public:
  /// From PendSV, at each edge of the clock and at the end of each frame of the host.
  static void OnTick() { app_->OnTick(); }

  [[noreturn]] static void Run() {
    Board::SetUp();
    hal::cortex_m::PrintLastRun(hal::cortex_m::TakeFlightRecord(), hal::cortex_m::TakeResetCause());
    const hal::cortex_m::BootOptions options = hal::cortex_m::ReadBootOptions();
    static typename Board::Watchdog watchdog;
    static hal::cortex_m::SysTickClock clock(Board::kCore_Hz, options.period_us);
    const io::Identity identity{
        .board = TACTUS_BOARD, .build = servo::kBuildId, .link = wire::Link::kUart, .boot_seed = hal::cortex_m::Starts()};
    static io::IoApp the_app(identity, Board::Link(), clock, watchdog, Board::MotorIo(options));
    app_ = &the_app;
    Board::Link().Start();
    watchdog.Start(hal::cortex_m::WatchdogTimeout_us(options));
    clock.Start();
    Board::StartClockGuard();
    for (;;) {  // ends: never; the watchdogs bite a loop that stands
      hal::cortex_m::Idle();
    }
  }

 private:
  static inline io::IoApp* app_ = nullptr;  // set before the clock and the link start
};

}  // namespace tactus::board
