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

#include "hal/devices/odrive_port.h"
#include "host_tools/io/can_link.h"
#include "host_tools/link/host_error.h"

namespace tactus::host {
namespace {

class Pair {
 public:
  Pair() {
    int fds[2];
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK, 0, fds), 0);
    bus = fds[0];
    link = std::make_unique<CanLink>(fds[1]);
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
