// The scene in force, asked for by the host.
#include <gtest/gtest.h>

#include <array>
#include <utility>

#include "host_tools/link/host_error.h"
#include "host_tools/link/local_board.h"
#include "host_tools/scene/scene_file.h"
#include "host_tools/session/board_client.h"
#include "local_run.h"

namespace tactus::host {
namespace {

/// A link that loses what the controller says to the n-th frame of the host's.
class LossyTransport final : public Transport {
 public:
  explicit LossyTransport(std::unique_ptr<Transport> inner) : inner_(std::move(inner)) {}
  bool loses_next = false;

  void Write(std::span<const std::uint8_t> bytes) override { inner_->Write(bytes); }
  std::size_t Read(std::span<std::uint8_t> room, std::chrono::milliseconds timeout) override {
    const std::size_t count = inner_->Read(room, timeout);
    return count > 0 && std::exchange(loses_next, false) ? 0 : count;
  }

 private:
  std::unique_ptr<Transport> inner_;
};

TEST(SceneRead, GivesBackWhatWasPutInForce) {
  for (const int bits : {64, 32}) {
    const std::unique_ptr<Transport> transport = MakeLocalBoard(bits);
    BoardClient board(*transport, nullptr);
    (void)board.Hello();
    EXPECT_TRUE(board.ReadScene().empty());
    for (const char* const name : {"conveyor", "wall_tap", "door"}) {
      const std::vector<std::uint8_t> image = LoadScene(name).Image();
      board.SendScene(image);
      EXPECT_EQ(board.ReadScene(), image) << name;
    }
    std::vector<std::uint8_t> wrong = LoadScene("conveyor").Image();
    wrong[wrong.size() / 2] ^= 0x40;  // its own checksum does not fit
    EXPECT_THROW(board.SendScene(wrong), HostError);
    EXPECT_EQ(board.ReadScene(), LoadScene("door").Image()) << "the one in force stays, and shows";
    board.SendScene({});
    EXPECT_TRUE(board.ReadScene().empty());
  }
}

TEST(SceneRead, AsksAgainForWhatIsLost) {
  LossyTransport transport(MakeLocalBoard(64));
  BoardClient board(transport, nullptr);
  (void)board.Hello();
  while (board.Receive(std::chrono::milliseconds(0))) continue;
  const std::vector<std::uint8_t> image = LoadScene("wall_tap").Image();
  board.SendScene(image);
  transport.loses_next = true;
  EXPECT_EQ(board.ReadScene(), image);
  EXPECT_FALSE(transport.loses_next);
}

}  // namespace
}  // namespace tactus::host
