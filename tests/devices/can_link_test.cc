// Frames of SocketCAN as a driver's bytes: over a pair of sockets that carry struct can_frame, as a kernel without CAN has
// them, and over a virtual bus where there is one.
#include <gtest/gtest.h>
#include <linux/can.h>
#include <linux/can/error.h>
#include <net/if.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstring>
#include <string>

#include "hal/devices/moteus_port.h"
#include "hal/devices/odrive_port.h"
#include "host_tools/io/can_link.h"
#include "host_tools/link/host_error.h"

namespace tactus::host {
namespace {

class Pair {
 public:
  explicit Pair(CanKind kind = CanKind::kClassic) {
    int fds[2];
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK, 0, fds), 0);
    bus = fds[0];
    link = std::make_unique<CanLink>(fds[1], kind);
  }
  ~Pair() { HangUp(); }
  void HangUp() {
    if (bus >= 0) close(std::exchange(bus, -1));
  }
  void Put(std::uint32_t id, const std::string& data) {
    can_frame frame{};
    frame.can_id = id;
    frame.can_dlc = static_cast<std::uint8_t>(data.size());
    std::memcpy(frame.data, data.data(), data.size());
    ASSERT_EQ(write(bus, &frame, sizeof(frame)), ssize_t{sizeof(frame)});
  }
  void PutFd(std::uint32_t id, const std::string& data) {
    canfd_frame frame{};
    frame.can_id = id;
    frame.len = static_cast<std::uint8_t>(data.size());
    std::memcpy(frame.data, data.data(), data.size());
    ASSERT_EQ(write(bus, &frame, sizeof(frame)), ssize_t{sizeof(frame)});
  }
  bool Take(canfd_frame* frame) { return read(bus, frame, sizeof(*frame)) == sizeof(*frame); }
  bool Take(can_frame* frame) { return read(bus, frame, sizeof(*frame)) == sizeof(*frame); }
  std::string Read(Status* status = nullptr) {
    std::array<std::uint8_t, 64> room;
    std::size_t count = 0;
    const Status got = link->Read(room, &count);
    if (status != nullptr) *status = got;
    return {room.begin(), room.begin() + static_cast<std::ptrdiff_t>(count)};
  }
  Status Write(const std::string& text) {
    return link->Write(std::span(reinterpret_cast<const std::uint8_t*>(text.data()), text.size()), hal::Lane::kCommand);
  }
  int bus = -1;
  std::unique_ptr<CanLink> link;
};

TEST(CanLink, FramesBecomeText) {
  Pair pair;
  EXPECT_EQ(pair.Read(), "");
  pair.Put(0x029, "\x01\x02");
  pair.Put(0x009 | CAN_RTR_FLAG, "");
  EXPECT_EQ(pair.Read(), "t02920102\rr0090\r");
}

TEST(CanLink, TextBecomesFrames) {
  Pair pair;
  EXPECT_EQ(pair.Write("C\rS8\rO\rt02E4CDCCCC3D\rt0380\r"), Status::kOk);
  can_frame frame{};
  ASSERT_TRUE(pair.Take(&frame));
  EXPECT_EQ(frame.can_id, 0x02Eu);
  EXPECT_EQ(frame.can_dlc, 4);
  EXPECT_EQ(frame.data[3], 0x3D);
  ASSERT_TRUE(pair.Take(&frame));
  EXPECT_EQ(frame.can_id, 0x038u);
  EXPECT_FALSE(pair.Take(&frame)) << "what is for an adapter stays here";
}

TEST(CanLink, ManyFramesComeInPieces) {
  Pair pair;
  std::string expected, got;
  for (std::uint32_t i = 0; i < 40; ++i)
    pair.Put(0x100 + i, "\xAA"), expected += "t1" + std::string(1, "0123"[i / 16]) + "0123456789ABCDEF"[i % 16] + "1AA\r";
  for (int i = 0; i < 20; ++i) got += pair.Read();
  EXPECT_EQ(got, expected);
}

TEST(CanLink, ForeignFramesArePassedOver) {
  Pair pair;
  pair.Put(0x12345 | CAN_EFF_FLAG, "x");
  pair.Put(0x001, "y");
  EXPECT_EQ(pair.Read(), "t001179\r");
  ASSERT_EQ(write(pair.bus, "short", 5), 5);
  EXPECT_EQ(pair.Read(), "");
}

TEST(CanLink, ABusThatIsOffIsClosed) {
  Pair pair;
  pair.Put(CAN_ERR_FLAG | CAN_ERR_BUSOFF, std::string(8, '\0'));
  Status status = Status::kOk;
  EXPECT_EQ(pair.Read(&status), "");
  EXPECT_EQ(status, Status::kClosed);
  EXPECT_EQ(pair.Write("t0380\r"), Status::kClosed);
}

TEST(CanLink, AnOtherEndThatIsGoneIsClosedBehindItsLastFrame) {
  Pair pair;
  pair.Put(0x001, "y");
  pair.HangUp();
  Status status = Status::kOk;
  EXPECT_EQ(pair.Read(&status), "t001179\r");
  EXPECT_EQ(status, Status::kOk);
  EXPECT_EQ(pair.Read(&status), "");
  EXPECT_EQ(status, Status::kClosed);
}

TEST(CanLink, ABusWithoutRoomBlocksNothing) {
  Pair pair;
  Status status = Status::kOk;
  for (int i = 0; i < 100000 && status == Status::kOk; ++i) status = pair.Write("t00E400000000\r");
  EXPECT_EQ(status, Status::kWouldBlock);
  EXPECT_EQ(pair.link->counters().refused_frames, 1u);
}

TEST(CanLink, CarriesTheDriversTorques) {
  Pair pair;
  hal::ODrivePort driver(*pair.link);
  hal::MotorPort& motors = driver;
  (void)motors.Poll(1000);
  EXPECT_EQ(motors.Zero(), Status::kOk);
  can_frame frame{};
  for (const std::uint32_t id : {0x00Eu, 0x02Eu, 0x007u, 0x027u}) {
    ASSERT_TRUE(pair.Take(&frame));
    EXPECT_EQ(frame.can_id, id);
  }
}

TEST(CanFdLink, FramesBecomeText) {  // text: README of the fdcanusb
  Pair pair(CanKind::kFd);
  EXPECT_EQ(pair.Read(), "");
  pair.PutFd(0x110, std::string("\x21\x00\x0A\x50", 4));
  pair.Put(0x211, "\xAB");  // a classic frame is one, too
  pair.PutFd(0x9101 | CAN_EFF_FLAG, "");
  EXPECT_EQ(pair.Read() + pair.Read(), "rcv 110 21000A50\nrcv 211 AB\nrcv 9101 \n");
  pair.PutFd(0x110, std::string(64, '\x50'));
  std::string text;
  for (int i = 0; i < 4; ++i) text += pair.Read();
  EXPECT_EQ(text.size(), 8u + 128 + 1);
}

TEST(CanFdLink, TextBecomesFramesWithTheFastRate) {  // an identifier of more than 11 bits is extended: linux/can.h
  Pair pair(CanKind::kFd);
  EXPECT_EQ(pair.Write("can on\ncan send 9001 010000110050\ncan send 7FF \n"), Status::kOk);
  canfd_frame frame{};
  ASSERT_TRUE(pair.Take(&frame));
  EXPECT_EQ(frame.can_id, 0x9001u | CAN_EFF_FLAG);
  EXPECT_EQ(frame.len, 6);
  EXPECT_EQ(frame.flags, CANFD_BRS);
  EXPECT_EQ(frame.data[3], 0x11);
  ASSERT_TRUE(pair.Take(&frame));
  EXPECT_EQ(frame.can_id, 0x7FFu);
  EXPECT_FALSE(pair.Take(&frame)) << "what is for an adapter stays here";
}

TEST(CanFdLink, HostileFramesArePassedOver) {
  Pair pair(CanKind::kFd);
  canfd_frame frame{};
  frame.can_id = 0x110;
  for (const int size : {9, 25, 65, 255}) {  // of these there are none
    frame.len = static_cast<std::uint8_t>(size);
    ASSERT_EQ(write(pair.bus, &frame, sizeof(frame)), ssize_t{sizeof(frame)});
  }
  pair.Put(0x110 | CAN_RTR_FLAG, "");
  pair.PutFd(0x210, "\x50");
  EXPECT_EQ(pair.Read(), "rcv 210 50\n");
  ASSERT_EQ(write(pair.bus, "short", 5), 5);
  EXPECT_EQ(pair.Read(), "");
  Status status = Status::kOk;
  pair.Put(CAN_ERR_FLAG | CAN_ERR_BUSOFF, std::string(8, '\0'));
  EXPECT_EQ(pair.Read(&status), "");
  EXPECT_EQ(status, Status::kClosed);
}

TEST(CanFdLink, CarriesTheDriversTorques) {
  Pair pair(CanKind::kFd);
  hal::MoteusPort driver(*pair.link);
  hal::MotorPort& motors = driver;
  (void)motors.Poll(1000);
  EXPECT_EQ(motors.Zero(), Status::kOk);
  canfd_frame frame{};
  for (const std::uint32_t id : {0x9001u, 0x9002u}) {
    ASSERT_TRUE(pair.Take(&frame));
    EXPECT_EQ(frame.can_id, id | CAN_EFF_FLAG);
    EXPECT_EQ(frame.len, 12);
  }
  const std::string answer("\x21\x00\x00\x2D\x01\x00\x00\x00\x3E\x20\x04\x0C\x01\x30\x1E\x00", 16);  // at 0.125
  pair.PutFd(0x110, answer);
  pair.PutFd(0x210, answer);
  const hal::PortReading reading = motors.Poll(2000);
  EXPECT_EQ(reading.state, hal::DeviceState::kReady);
  EXPECT_EQ(reading.count[1], 1024);
}

TEST(CanFdLink, OnAVirtualBus) {
  if (if_nametoindex("vcan0") == 0) GTEST_SKIP() << "no vcan0: ip link add vcan0 type vcan mtu 72";
  CanLink one(OpenCan("vcan0", CanKind::kFd), CanKind::kFd), other(OpenCan("vcan0", CanKind::kFd), CanKind::kFd);
  const std::string text = "can send 9001 010000110050\n";
  if (one.Write(std::span(reinterpret_cast<const std::uint8_t*>(text.data()), text.size()), hal::Lane::kCommand) !=
      Status::kOk)
    GTEST_SKIP() << "vcan0 has no CAN-FD: ip link set vcan0 mtu 72";
  std::array<std::uint8_t, 64> room;
  std::size_t count = 0;
  for (int i = 0; i < 100 && count == 0; ++i) (void)other.Read(room, &count), usleep(1000);
  EXPECT_EQ(std::string(room.begin(), room.begin() + static_cast<std::ptrdiff_t>(count)), "rcv 9001 010000110050\n");
}

TEST(CanLink, AnInterfaceThatIsNotThereIsNamed) {
  try {
    (void)OpenCan("nosuchcan");
    FAIL();
  } catch (const HostError& error) {
    EXPECT_NE(std::string(error.what()).find("'nosuchcan'"), std::string::npos) << error.what();
  }
}

TEST(CanLink, OnAVirtualBus) {
  if (if_nametoindex("vcan0") == 0) GTEST_SKIP() << "no vcan0: ip link add vcan0 type vcan && ip link set vcan0 up";
  CanLink one(OpenCan("vcan0")), other(OpenCan("vcan0"));
  const std::string text = "t02E4CDCCCC3D\r";
  ASSERT_EQ(one.Write(std::span(reinterpret_cast<const std::uint8_t*>(text.data()), text.size()), hal::Lane::kCommand),
            Status::kOk);
  std::array<std::uint8_t, 64> room;
  std::size_t count = 0;
  for (int i = 0; i < 100 && count == 0; ++i) (void)other.Read(room, &count), usleep(1000);
  EXPECT_EQ(std::string(room.begin(), room.begin() + static_cast<std::ptrdiff_t>(count)), text);
}

}  // namespace
}  // namespace tactus::host
