#include "host_tools/devices/falcon_line.h"

#include <fmt/core.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <fstream>
#include <iterator>
#include <thread>

#include "hal/devices/falcon_program.h"
#include "host_tools/io/ftdi_line.h"
#include "host_tools/io/reopening_tty.h"
#include "host_tools/io/serial_tty.h"
#include "host_tools/link/host_error.h"

namespace tactus::host {
namespace {

using hal::falcon::LineOrder;
using hal::falcon::Start;
using hal::falcon::StartFault;
using What = LineOrder::What;
using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kLook(1), kRoomPatience(100);

UsbIdentity Falcon(const std::string& serial) { return {.vendor = 0x0403, .product = 0xCB48, .serial = serial}; }

Status WriteAll(hal::SerialLine& line, std::span<const std::uint8_t> bytes) {
  const auto begin = Clock::now();
  Status status = line.Write(bytes, hal::Lane::kCommand);
  for (; status == Status::kWouldBlock && Clock::now() - begin < kRoomPatience; std::this_thread::sleep_for(kLook))
    status = line.Write(bytes, hal::Lane::kCommand);
  return status;
}

Status Do(hal::SerialLine& line, const LineOrder& order, FalconStarted* started) {
  switch (order.what) {
    case What::kRate: return line.SetRate(order.value);
    case What::kDtr: {
      const Status status = line.SetDtr(order.value != 0);
      if (status == Status::kNotReady) started->has_dtr = false;
      return status;
    }
    case What::kRts: return line.SetRts(order.value != 0);
    case What::kLatency: {
      const Status status = line.SetLatency(order.value);
      if (status == Status::kNotReady) started->has_latency = false;
      return status;
    }
    case What::kPurge: return line.Purge();
    case What::kWrite: return WriteAll(line, order.bytes);
    case What::kWait:
    case What::kRuns:
    case What::kFailed: break;
  }
  return Status::kOk;
}

/// All that is there. @returns kClosed: the line is gone.
Status HearAll(hal::SerialLine& line, Start* start) {
  std::array<std::uint8_t, 512> room;
  for (std::size_t count = 1; count > 0;) {
    const Status status = line.Read(room, &count);
    start->Hear(std::span(room).first(count));
    if (status != Status::kOk) return status;
  }
  return Status::kOk;
}

std::uint32_t NowUs() {
  return static_cast<std::uint32_t>(
      std::chrono::duration_cast<std::chrono::microseconds>(Clock::now().time_since_epoch()).count());
}

[[noreturn]] void Refuse(const Start& start, const FalconStarted& started, std::size_t size) {
  std::string text = fmt::format("the Falcon does not start: {}", Name(start.fault()));
  if (start.fault() == StartFault::kEchoStops || start.fault() == StartFault::kEchoDiffers)
    text += fmt::format(" (at byte {} of {}, in attempt {}){}", start.echoed_B(), size, start.attempts(),
                        started.has_latency ? "" : ". This line does not let the chip's latency be set to 16 ms");
  if (start.fault() == StartFault::kNoProgram) text += ": give ',program=FILE' behind the line's path";
  if (start.fault() == StartFault::kNoLoader)
    text += started.has_dtr ? ". Is its supply on? Another USB port, with or without a hub, may help"
                            : ". This line has no DTR, which resets it: switch its supply off and on";
  throw HostError(text, kExitLink);
}

}  // namespace

std::vector<std::uint8_t> ReadFalconProgram(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::vector<std::uint8_t> program;
  constexpr std::size_t kEnough_B = hal::falcon::kLargestProgram_B + 1;  // a device or a pipe may have no end
  for (char byte; program.size() < kEnough_B && file.get(byte);) program.push_back(static_cast<std::uint8_t>(byte));
  if (file.bad() || program.empty()) throw HostError(fmt::format("cannot read a Falcon's program from '{}'", path));
  if (const auto fault = hal::falcon::CheckProgram(program); fault != hal::falcon::ProgramFault::kNone)
    throw HostError(fmt::format("'{}' is no program for a Falcon: it {}", path, Name(fault)));
  return program;
}

FalconStarted StartFalcon(hal::SerialLine& line, const std::vector<std::uint8_t>& program) {
  Start start(program);
  FalconStarted started;
  for (;;) {
    const LineOrder order = start.Next(NowUs());
    if (order.what == What::kRuns) break;
    if (order.what == What::kFailed) Refuse(start, started, program.size());
    const Status status = order.what == What::kWait ? HearAll(line, &start) : Do(line, order, &started);
    if (status != Status::kOk && status != Status::kNotReady)
      start.GiveUp(status == Status::kClosed ? StartFault::kClosed : StartFault::kLineRefuses);
    if (order.what == What::kPurge) (void)HearAll(line, &start);  // what was under way belongs to what was before
    if (order.what == What::kWait) std::this_thread::sleep_for(kLook);
  }
  started.ran_already = start.ran_already();
  started.attempts = start.attempts();
  return started;
}

std::unique_ptr<hal::ByteLink> OpenFalconLine(const LinePlace& place, unsigned baud) {
  const std::vector<std::uint8_t> program =
      place.program.empty() ? std::vector<std::uint8_t>() : ReadFalconProgram(place.program);
  const auto load = [&](hal::SerialLine& line) {
    const FalconStarted started = StartFalcon(line, program);
    if (started.ran_already) return;
    fmt::print(stderr, "falcon: its program is loaded, {} bytes, in attempt {}{}\n", program.size(), started.attempts,
               started.has_dtr ? "" : "; the line has no DTR");
  };
  if (place.is_usb) {
    auto line = std::make_unique<FtdiLine>(OpenLibusbPipe(Falcon(place.path)), place.priority);
    load(*line);
    return line;
  }
  SerialTty line(place.path, baud);
  load(line);
  return std::make_unique<ReopeningTty>(place.path, baud, line.Release());
}

void SayFalconWordsOverUsb(const std::string& serial, const LastWords& words) {
  constexpr int kTries = 25, kTimes = 3, kTimeout_ms = 100;
  constexpr useconds_t kPause_us = 5'000, kTryAgain_us = 20'000;
  for (int i = 0; i < kTries; ++i, usleep(kTryAgain_us)) {
    try {
      const std::unique_ptr<UsbPipe> pipe = OpenLibusbPipe(Falcon(serial));
      for (int k = 0; k < kTimes; ++k, usleep(kPause_us)) (void)pipe->Write(words.then, kTimeout_ms);
      return;
    } catch (const HostError&) {  // not there, or not free yet
    }
  }
}

}  // namespace tactus::host
