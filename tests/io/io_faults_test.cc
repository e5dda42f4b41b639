// What can go wrong between a host and an I/O board, over the pseudo terminal and in real time. Each: injected, named, zero
// within so many milliseconds by the board's own trace, recovered by the order that docs/safety.md states.
#include <gtest/gtest.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <termios.h>

#include "io_process.h"

namespace tactus::host {
namespace {

constexpr double kTimeout_ms = 3.25;  // 3 ms from the edge that took the last command, which is at most 0.25 ms after it

using Trace = std::vector<EmulatorProcess::Line>;

/// From the first line after `from_ms` that has current or is wrong, to zeros. @returns milliseconds; a million: never
double ToZero(const Trace& trace, double from_ms) {
  for (const EmulatorProcess::Line& line : trace) {
    if (line.ms >= from_ms && line.output_A == 0) return line.ms - from_ms;
  }
  return 1e6;
}

/// The trace once nothing has moved for a while: from the last command on.
struct After {
  double last_ms = 0;  ///< when current last began to change
  double zero_ms = 0;  ///< from then
  std::string fault;
};

/// The last arming of a trace, the last edge at full current, and what followed.
After LastFade(const Trace& trace) {
  After after;
  for (std::size_t i = 1; i < trace.size(); ++i) {
    if (trace[i - 1].output_A > 0 && trace[i].output_A < trace[i - 1].output_A && trace[i - 1].output_A >= 0.4) {
      after.last_ms = trace[i].ms;
      after.zero_ms = ToZero({trace.begin() + static_cast<std::ptrdiff_t>(i), trace.end()}, after.last_ms);
    }
  }
  if (!trace.empty()) after.fault = trace.back().fault;
  return after;
}

void Sleep_ms(int ms) { usleep(static_cast<useconds_t>(ms) * 1000); }

/// Waits for zeros and for the drives' line to be off, at most 20 s: how long it took is in the trace, by the board's time.
bool GoesOff(const EmulatorProcess& emulator) {
  for (int i = 0; i < 4000; ++i, Sleep_ms(5)) {
    const Trace trace = emulator.Trace();
    if (!trace.empty() && trace.back().output_A == 0 && !trace.back().enabled) return true;
  }
  return false;
}

TEST(IoLineFaults, SilenceOfTheHostFadesAndIsZeroInThreeMilliseconds) {
  const EmulatorProcess emulator({});
  Driver driver(emulator.terminal());
  ASSERT_TRUE(driver.DriveAtLast());
  ASSERT_TRUE(GoesOff(emulator));
  const After after = LastFade(emulator.Trace());
  EXPECT_EQ(after.fault, "kCommandTimeout");
  EXPECT_LE(after.zero_ms, 1.0);      // it was held for 2 ms before: 3 ms in all
  EXPECT_TRUE(driver.DriveAtLast());  // clear (by the device), kOff, kOn
}

TEST(IoLineFaults, AHostThatIsKilledLeavesNoCurrent) {
  const EmulatorProcess emulator({});
  const pid_t child = fork();
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    alarm(40);  // whatever becomes of the test, this host ends
    Driver driver(emulator.terminal());
    for (;; driver.Tick(2)) {  // the time-out of a busy machine in between
      if (driver.device().last().state() != wire::State::kArmed) (void)driver.Drive();
    }
  }
  EmulatorProcess::Line driven;
  for (int i = 0; i < 2000 && driven.output_A < 0.4; ++i) {
    Sleep_ms(10);
    const Trace trace = emulator.Trace();
    if (!trace.empty()) driven = trace.back();
  }
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  ASSERT_GE(driven.output_A, 0.4) << driven.fault;
  ASSERT_TRUE(GoesOff(emulator));
  const After after = LastFade(emulator.Trace());
  EXPECT_EQ(after.fault, "kCommandTimeout");
  EXPECT_LE(after.zero_ms, 1.0);
  Driver next(emulator.terminal());
  EXPECT_TRUE(next.DriveAtLast());
}

TEST(IoLineFaults, AnUnpluggedLineLeavesNoCurrentAtEveryByteOfAFrame) {
  const EmulatorProcess emulator({});
  for (std::size_t bytes = 0; bytes <= wire::kEncodedSize<wire::IoCommand>; ++bytes) {
    SCOPED_TRACE(bytes);
    Driver driver(emulator.terminal());
    ASSERT_TRUE(driver.DriveAtLast());
    wire::FrameWriter writer;
    wire::IoCommand command;
    command.mutate_session(driver.device().hello().session());
    command.mutate_sequence(1'000'000);
    command.mutate_outputs(wire::IoOutputs::kOn);
    command.mutable_current_A()->Mutate(2, 0.5f);
    const std::span<const std::uint8_t> frame = writer.Write(command);
    const int fd = open(emulator.terminal().c_str(), O_RDWR | O_NOCTTY);
    ASSERT_EQ(write(fd, frame.data(), std::min(bytes, frame.size())), static_cast<ssize_t>(std::min(bytes, frame.size())));
    close(fd);
    driver.HangUp();
    ASSERT_TRUE(GoesOff(emulator));
    const After after = LastFade(emulator.Trace());
    EXPECT_EQ(after.fault, "kCommandTimeout");
    EXPECT_LE(after.zero_ms, 1.0);  // as after silence
  }
}

TEST(IoLineFaults, ABoardThatGoesIsSeenAsAHangUp) {
  EmulatorProcess emulator({});
  Driver driver(emulator.terminal());
  ASSERT_TRUE(driver.DriveAtLast());
  emulator.Kill(SIGKILL);
  driver.Tick(2);
  const hal::DeviceReading reading = driver.device().Read(1'000'000);
  EXPECT_TRUE(driver.device().hung_up());
  EXPECT_EQ(reading.state, hal::DeviceState::kFaulted);
  EXPECT_EQ(reading.cause, hal::DeviceCause::kNoSignal);
}

TEST(IoLineFaults, APseudoTerminalHasNoBaudAndNoModemLines) {
  const EmulatorProcess emulator({});
  for (const char* const baud : {":115200", ":3000000"}) {
    const auto opened = OpenIoDevice(emulator.terminal() + baud);
    EXPECT_TRUE(opened->connected());
  }
  const int fd = open(emulator.terminal().c_str(), O_RDWR | O_NOCTTY);
  int lines = 0;
  EXPECT_EQ(ioctl(fd, TIOCMGET, &lines), -1);
  close(fd);
}

/// A fault of the board or of its device, and what must come of it.
struct Row {
  const char* fault;  ///< NAME@MS+LENGTH
  const char* name;   ///< what the board says; nullptr: nothing, the controller sees it
  double safe_ms;     ///< from the injection to zeros
};

std::string Say(const IoDevice& device) {
  return fmt::format("; board: {}, {}, {}, {} sessions, {} states", wire::EnumNameState(device.last().state()),
                     wire::EnumNameIoFault(device.last().fault()), wire::EnumNameIoAnswer(device.last().answer()),
                     device.counters().sessions, device.counters().states);
}

class OnLine : public testing::TestWithParam<Row> {};

TEST_P(OnLine, IsNamedSafeAndRecovered) {
  const Row& row = GetParam();
  for (int attempt = 0; attempt < 20; ++attempt) {  // a busy machine gives the time-out first, or stale samples
    const EmulatorProcess emulator({"--fault", row.fault});
    const auto opened = OpenIoDevice(emulator.terminal());
    IoDevice& device = *opened;
    LineLoop loop(device);
    loop.Ticks(50);
    if (!loop.Arm()) continue;
    std::string named;
    for (int i = 0; i < 4000 && loop.controller().app->supervisor().phase == Phase::kArmed; ++i) loop.Tick();
    loop.Ticks(60);
    const Trace trace = emulator.Trace();
    double wrong_ms = 0;
    for (const EmulatorProcess::Line& line : trace) {
      if (wrong_ms == 0 && line.wrong) wrong_ms = line.ms;
      if (named.empty() && line.fault != "kNone") named = line.fault;
    }
    if (named == "kCommandTimeout" && (row.name == nullptr || named != row.name)) continue;
    if (wrong_ms == 0) continue;  // not injected: the controller has ended it before
    EXPECT_EQ(named, row.name == nullptr ? "" : row.name);
    EXPECT_LE(ToZero(trace, wrong_ms), row.safe_ms);
    EXPECT_EQ(loop.controller().app->supervisor().phase, Phase::kFaulted) << loop.Fault();
    std::printf("%s: %s, zero after %.2f ms; controller: %s\n", row.fault, named.c_str(), ToZero(trace, wrong_ms),
                loop.Fault().c_str());

    EXPECT_FALSE(trace.back().enabled);
    loop.Ticks(400);  // the fault is over; the device has cleared the board's
    bool recovered = false;
    for (int i = 0; i < 10 && !recovered; ++i) {  // the time-out of a busy machine in between
      loop.Ticks(100);
      (void)loop.controller().Tell(wire::Action::kClearFault);
      recovered = loop.Arm() && loop.TicksUntil(wire::State::kArmed, 100) < 100;
    }
    EXPECT_TRUE(recovered) << loop.Fault() << Say(device);
    return;
  }
  FAIL() << "this machine gives the loop no millisecond in time";
}

INSTANTIATE_TEST_SUITE_P(IoLineFaults, OnLine,
                         testing::Values(Row{"e-stop@500+300", "kEStop", 0.25}, Row{"e-stop-bounce@500+40", "kEStop", 0.25},
                                         Row{"drive-fault@500+300", "kDriveFault", 0.25},
                                         Row{"brown-out@500+300", "kBrownOut", 0.25},
                                         Row{"encoder-fault@500+300", "kEncoderFault", 0.25},
                                         Row{"encoder-jump@500+300", "kEncoderJump", 0.25},
                                         Row{"encoder-inverted@500+300", "kEncoderJump", 0.25},
                                         Row{"encoder-swapped@500+300", "kEncoderJump", 0.25},
                                         Row{"current-saturated@500+300", "kCurrentSense", 2.25},
                                         Row{"drives-refuse@500+300", "kLatePeriods", 0.25}, Row{"reset@500", nullptr, 0.25},
                                         Row{"mute@500+300", nullptr, 30}),
                         [](const auto& row) {
                           std::string name;
                           for (const char* c = row.param.fault; *c != '@'; ++c) name += *c == '-' ? '_' : *c;
                           return name;
                         });

}  // namespace
}  // namespace tactus::host
