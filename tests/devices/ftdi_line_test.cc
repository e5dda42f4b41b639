// An FTDI chip behind a scripted USB pipe, and a Falcon that is started through it. libusb itself is not run.
#include "host_tools/io/ftdi_line.h"

#include <fmt/core.h>
#include <gtest/gtest.h>
#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <condition_variable>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <thread>

#include "bench/safety/falcon_program_bytes.h"
#include "hal/devices/ftdi_codec.h"
#include "hal/sim/falcon_board.h"
#include "host_tools/devices/falcon_line.h"
#include "host_tools/io/pseudo_terminal.h"
#include "host_tools/io/serial_tty.h"
#include "host_tools/io/tty_orders.h"
#include "host_tools/link/host_error.h"
#include "tests/io/count_allocations.h"

namespace tactus::host {
namespace {

using Bytes = std::vector<std::uint8_t>;
namespace ftdi = hal::ftdi;

TEST(FtdiCodec, HasTheDivisorsThatArePublished) {
  struct Row {
    std::uint32_t baud;
    std::uint16_t value;
  };
  // Source: torvalds/linux, drivers/usb/serial/ftdi_sio.h; libnifalcon for 9600, 142 857 and 1 500 000.
  for (const Row& row :
       {Row{300, 0x2710}, Row{9600, 0x4138}, Row{19200, 0x809C}, Row{38400, 0xC04E}, Row{115200, 0x001A},
        Row{142857, 0x0015}, Row{230400, 0x000D}, Row{460800, 0x4006}, Row{921600, 0x8003}, Row{1500000, 0x0002}}) {
    ftdi::Divisor divisor;
    ASSERT_EQ(ftdi::DivisorFor(row.baud, &divisor), Status::kOk) << row.baud;
    EXPECT_EQ(divisor.value, row.value) << row.baud;
    EXPECT_EQ(divisor.index, 0);
  }
}

TEST(FtdiCodec, RefusesRatesThatItDoesNotHave) {
  ftdi::Divisor divisor;
  for (const std::uint32_t baud : {0u, 1u, 100u, 170u, 1'600'000u, 3'000'000u, 0xFFFFFFFFu})
    EXPECT_EQ(ftdi::DivisorFor(baud, &divisor), Status::kOutOfRange) << baud;
}

TEST(FtdiCodec, TakesTheStatusOutOfATransferOfAnySize) {
  for (std::size_t size = 0; size <= 300; ++size) {
    Bytes bytes, expected;
    for (std::size_t i = 0; i < size; ++i) {
      const bool is_status = i % 64 < 2;
      bytes.push_back(is_status ? std::uint8_t{0xEE} : static_cast<std::uint8_t>(i));
      if (!is_status) expected.push_back(bytes.back());
    }
    bytes.resize(ftdi::StripStatus(bytes));
    ASSERT_EQ(bytes, expected) << size;
  }
}

/// What the chip and its device did; outlives the pipe.
struct ChipNotes {
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<std::array<unsigned, 3>> controls;
  Bytes written, coming;
  hal::FalconBoard* board = nullptr;
  std::size_t unplug_at = SIZE_MAX;  ///< of the bytes both ways
  std::size_t moved = 0;
  bool gone = false, stuck = false;
};

class ScriptedPipe final : public UsbPipe {
 public:
  explicit ScriptedPipe(ChipNotes& notes) : notes_(notes) {}

  Status Control(std::uint8_t request, std::uint16_t value, std::uint16_t index) noexcept override {
    const std::lock_guard lock(notes_.mutex);
    notes_.controls.push_back({request, value, index});
    if (notes_.gone) return Status::kClosed;
    if (notes_.board == nullptr) return Status::kOk;
    if (request == ftdi::kBaud) notes_.board->SetRate(3'000'000 / (value & 0x3FFF));  // eighths aside
    if (request == ftdi::kModem && (value & 0x0100) != 0) notes_.board->boot().SetDtr((value & 1) != 0);
    return Status::kOk;
  }
  Status Read(std::span<std::uint8_t> room, int timeout_ms, std::size_t* count) noexcept override {
    std::unique_lock lock(notes_.mutex);
    (void)notes_.changed.wait_for(lock, std::chrono::milliseconds(std::min(timeout_ms, 5)),
                                  [&] { return notes_.gone || !notes_.coming.empty(); });
    *count = 0;
    if (notes_.gone) return Status::kClosed;
    const std::size_t most = std::min<std::size_t>(notes_.coming.size(), room.size() / 64 * 62);
    for (std::size_t i = 0; i < most || i == 0; ++i) {  // a packet of status alone, as the latency timer sends
      if (i % 62 == 0) room[(*count)++] = 0x32, room[(*count)++] = 0x60;
      if (i < most) room[(*count)++] = notes_.coming[i];
    }
    notes_.coming.erase(notes_.coming.begin(), notes_.coming.begin() + static_cast<std::ptrdiff_t>(most));
    return Status::kOk;
  }
  Status Write(std::span<const std::uint8_t> bytes, int) noexcept override {
    const std::lock_guard lock(notes_.mutex);
    if (notes_.gone) return Status::kClosed;
    if (notes_.stuck) return Status::kWouldBlock;
    notes_.written.insert(notes_.written.end(), bytes.begin(), bytes.end());
    notes_.moved += bytes.size();
    if (notes_.board != nullptr) {
      notes_.board->Receive(bytes);
      const auto said = static_cast<hal::EmulatedBoard*>(notes_.board)->Say();
      notes_.coming.insert(notes_.coming.end(), said.begin(), said.end());
      notes_.moved += said.size();
    }
    notes_.gone = notes_.moved >= notes_.unplug_at;
    notes_.changed.notify_all();
    return Status::kOk;
  }

 private:
  ChipNotes& notes_;
};

Bytes ReadFor(hal::ByteLink& link, std::size_t size) {
  Bytes all;
  for (int i = 0; i < 2000 && all.size() < size; ++i, usleep(1000)) {
    std::array<std::uint8_t, 256> room;
    std::size_t count = 0;
    if (link.Read(room, &count) != Status::kOk) break;
    all.insert(all.end(), room.begin(), room.begin() + static_cast<std::ptrdiff_t>(count));
  }
  return all;
}

TEST(FtdiLine, GivesTheChipItsOwnWords) {
  ChipNotes notes;
  FtdiLine line(std::make_unique<ScriptedPipe>(notes));
  EXPECT_EQ(line.SetLatency(16), Status::kOk);
  EXPECT_EQ(line.SetLatency(0), Status::kOutOfRange);
  EXPECT_EQ(line.SetRate(9600), Status::kOk);
  EXPECT_EQ(line.SetRts(false), Status::kOk);
  EXPECT_EQ(line.SetDtr(false), Status::kOk);
  EXPECT_EQ(line.SetDtr(true), Status::kOk);
  EXPECT_EQ(line.Purge(), Status::kOk);
  const std::vector<std::array<unsigned, 3>> read = {// Source: docs/devices.md, 3, the chip's requests
                                                     {4, 8, 0},      {2, 0, 0},      {9, 16, 0},
                                                     {3, 0x4138, 0}, {1, 0x0200, 0}, {1, 0x0100, 0},
                                                     {1, 0x0101, 0}, {0, 1, 0},      {0, 2, 0}};
  EXPECT_EQ(notes.controls, read);
}

TEST(FtdiLine, BringsBytesBothWaysAndSaysItsLastOnes) {
  ChipNotes notes;
  Bytes sent, coming;
  for (int i = 0; i < 1000; ++i) coming.push_back(static_cast<std::uint8_t>(i * 7));
  {
    FtdiLine line(std::make_unique<ScriptedPipe>(notes));
    {
      const std::lock_guard lock(notes.mutex);
      notes.coming = coming;
    }
    EXPECT_EQ(ReadFor(line, coming.size()), coming);
    for (int i = 0; i < 100; ++i) {
      const Bytes frame(16, static_cast<std::uint8_t>(i));
      ASSERT_EQ(line.Write(frame, hal::Lane::kCommand), Status::kOk);
      sent.insert(sent.end(), frame.begin(), frame.end());
    }
  }
  EXPECT_EQ(notes.written, sent) << "all of it has gone when the line is closed";
}

TEST(FtdiLine, TellsAnUnpluggedDeviceBehindItsLastBytes) {
  ChipNotes notes;
  FtdiLine line(std::make_unique<ScriptedPipe>(notes));
  {
    const std::lock_guard lock(notes.mutex);
    notes.coming = {1, 2, 3};
  }
  EXPECT_EQ(ReadFor(line, 3), (Bytes{1, 2, 3}));
  {
    const std::lock_guard lock(notes.mutex);
    notes.gone = true;
  }
  Status status = Status::kOk;
  std::array<std::uint8_t, 8> room;
  std::size_t count = 0;
  for (int i = 0; i < 1000 && status == Status::kOk; ++i, usleep(1000)) status = line.Read(room, &count);
  EXPECT_EQ(status, Status::kClosed);
  EXPECT_EQ(line.Write(Bytes{1}, hal::Lane::kCommand), Status::kClosed);
  EXPECT_EQ(line.SetDtr(true), Status::kClosed);
}

TEST(FtdiLine, APipeThatTakesNothingIsClosed) {
  ChipNotes notes;
  notes.stuck = true;
  FtdiLine line(std::make_unique<ScriptedPipe>(notes));
  Status status = Status::kOk;
  for (int i = 0; i < 1000 && status == Status::kOk; ++i, usleep(1000)) status = line.Write(Bytes{1}, hal::Lane::kCommand);
  EXPECT_EQ(status, Status::kClosed);
}

/// A chip that always has bytes, of a program that allocates nothing itself.
class BusyPipe final : public UsbPipe {
 public:
  Status Control(std::uint8_t, std::uint16_t, std::uint16_t) noexcept override { return Status::kOk; }
  Status Read(std::span<std::uint8_t> room, int, std::size_t* count) noexcept override {
    usleep(500);
    *count = 18;  // a packet of a Falcon, behind its status
    std::fill_n(room.begin(), *count, std::uint8_t{0x41});
    return Status::kOk;
  }
  Status Write(std::span<const std::uint8_t>, int) noexcept override { return Status::kOk; }
};

TEST(FtdiLine, AllocatesNothingInALoop) {
  FtdiLine line(std::make_unique<BusyPipe>());
  EXPECT_FALSE(ReadFor(line, 16).empty());  // its threads are up
  const Bytes frame(16, 0x3C);
  std::size_t heard = 0;
  const long before = Allocations();
  for (int i = 0; i < 300; ++i, usleep(500)) {
    std::array<std::uint8_t, 64> room;
    std::size_t count = 0;
    EXPECT_EQ(line.Read(room, &count), Status::kOk);
    EXPECT_EQ(line.Write(frame, hal::Lane::kCommand), Status::kOk);
    heard += count;
  }
  EXPECT_EQ(Allocations() - before, 0);
  EXPECT_GT(heard, 1000u);
}

/// Remembers how the thread that reads is scheduled.
class ScheduledPipe final : public UsbPipe {
 public:
  struct Seen {
    std::atomic<int> reads{0}, policy{-1}, priority{-1};
  };
  explicit ScheduledPipe(Seen& seen) : seen_(seen) {}
  Status Control(std::uint8_t, std::uint16_t, std::uint16_t) noexcept override { return Status::kOk; }
  Status Read(std::span<std::uint8_t>, int, std::size_t* count) noexcept override {
    usleep(500);
    *count = 0;
    sched_param parameters{};
    int policy = -1;
    (void)pthread_getschedparam(pthread_self(), &policy, &parameters);
    seen_.policy = policy;
    seen_.priority = parameters.sched_priority;
    ++seen_.reads;
    return Status::kOk;
  }
  Status Write(std::span<const std::uint8_t>, int) noexcept override { return Status::kOk; }

 private:
  Seen& seen_;
};

// As sched(7): SCHED_OTHER has priority 0; SCHED_FIFO the one that was asked for, or it is refused.
TEST(FtdiLine, ItsThreadsHaveTheLoopsPriority) {
  for (const int asked : {0, 7}) {
    ScheduledPipe::Seen seen;
    const FtdiLine line(std::make_unique<ScheduledPipe>(seen), asked);
    while (seen.reads == 0) usleep(500);
    if (asked > 0 && seen.policy == SCHED_OTHER) GTEST_SKIP() << "no real-time priority to have here";
    EXPECT_EQ(seen.policy, asked > 0 ? SCHED_FIFO : SCHED_OTHER);
    EXPECT_EQ(seen.priority, asked);
  }
}

const hal::HandScript kNoHand;
const Bytes kProgram = bench::safety::FalconProgramBytes({100, 3, 33});

TEST(FalconOverFtdi, IsStarted) {
  hal::FalconBoard board(hal::FalconBoard::Arms(kNoHand, 1), false);
  ChipNotes notes;
  notes.board = &board;
  FtdiLine line(std::make_unique<ScriptedPipe>(notes));
  const FalconStarted started = StartFalcon(line, kProgram);
  EXPECT_FALSE(started.ran_already);
  EXPECT_TRUE(started.has_dtr);
  EXPECT_EQ(board.boot().loaded_words(), 136u);
  EXPECT_TRUE(StartFalcon(line, kProgram).ran_already) << "and then left alone";
}

TEST(FalconOverFtdi, NamesTheLineWhenItIsUnplugged) {
  for (const std::size_t at : {0u, 16u, 64u, 65u, 70u, 72u, 75u, 130u, 200u, 300u, 500u, 690u, 707u}) {
    hal::FalconBoard board(hal::FalconBoard::Arms(kNoHand, 1), false);
    ChipNotes notes;
    notes.board = &board;
    notes.unplug_at = at;
    FtdiLine line(std::make_unique<ScriptedPipe>(notes));
    try {
      (void)StartFalcon(line, kProgram);
      ADD_FAILURE() << "unplugged at " << at;
    } catch (const HostError& error) {
      EXPECT_NE(std::string(error.what()).find("the line is gone"), std::string::npos) << at << ' ' << error.what();
    }
  }
}

TEST(SerialTty, OnAPseudoTerminalHasTheRateAndNoModemLines) {  // measured so on Linux; the device's end can read it
  const Pty pty = OpenPty();
  SerialTty line(pty.name, 1'500'000);
  for (const std::uint32_t baud : {9'600u, 142'857u, 1'500'000u}) {
    EXPECT_EQ(line.SetRate(baud), Status::kOk);
    EXPECT_EQ(RateOfTerminal(pty.master), baud);
  }
  EXPECT_EQ(line.SetDtr(true), Status::kNotReady);
  EXPECT_EQ(line.SetRts(false), Status::kNotReady);
  EXPECT_EQ(line.SetLatency(1), Status::kNotReady);
  EXPECT_EQ(line.Purge(), Status::kOk);
  EXPECT_EQ(RateOfTerminal(-1), 0u);
  close(pty.master);
}

TEST(FalconLine, LooksAtTheProgramBeforeTheLine) {
  const std::string path = (std::filesystem::temp_directory_path() / fmt::format("tactus_program_{}", getpid())).string();
  const auto write = [&](std::size_t size) {
    std::ofstream file(path, std::ios::binary);
    for (std::size_t i = 0; i < size; ++i) file.put(static_cast<char>(kProgram[i]));
  };
  write(kProgram.size());
  EXPECT_EQ(ReadFalconProgram(path), kProgram);
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, kProgram.size() - 1}) {
    write(size);
    EXPECT_THROW((void)ReadFalconProgram(path), HostError) << size;
  }
  std::filesystem::remove(path);
  EXPECT_THROW((void)ReadFalconProgram(path), HostError);
  EXPECT_THROW((void)ReadFalconProgram("/dev/zero"), HostError) << "a file without an end";
  EXPECT_THROW((void)ReadFalconProgram("/"), HostError);
}

TEST(LinePlace, TakesItsWordsInAnyOrder) {
  for (const char* const text : {"/dev/tty,x,set=a,program=/p,q", "/dev/tty,x,program=/p,q,set=a"}) {
    const LinePlace place = ParseLinePlace(text);
    EXPECT_EQ(place.path, "/dev/tty,x");
    EXPECT_EQ(place.set, "a");
    EXPECT_EQ(place.program, "/p,q");
    EXPECT_FALSE(place.is_usb);
  }
  EXPECT_TRUE(ParseLinePlace("usb").is_usb);
  EXPECT_EQ(ParseLinePlace("usb:FT1,program=p").path, "FT1");
  EXPECT_EQ(ParseLinePlace("usb").path, "");
  EXPECT_FALSE(ParseLinePlace("usbstick").is_usb);
  EXPECT_EQ(ParseLinePlace("a,set=").set, "");
}

TEST(LinePlace, WordsWithoutASenseAreRefused) {
  EXPECT_THROW((void)OpenRealDevice(*FindRealDevice("haply"), "usb", 1000), HostError);
  EXPECT_THROW((void)OpenRealDevice(*FindRealDevice("haply"), "can:can0", 1000), HostError);
  EXPECT_THROW((void)OpenRealDevice(*FindRealDevice("haply"), "/dev/null,program=x", 1000), HostError);
  EXPECT_THROW((void)OpenRealDevice(*FindRealDevice("falcon"), "unix:/nowhere,program=x", 1000), HostError);
}

}  // namespace
}  // namespace tactus::host
