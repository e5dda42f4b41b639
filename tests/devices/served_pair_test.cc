// Whole processes: two `tactus emulate`, each with a hand of a scene with two tools, and one `tactus serve` that drives
// both.
#include <gtest/gtest.h>

#include <csignal>
#include <optional>
#include <string>
#include <vector>

#include "tests/devices/tool_process.h"

namespace tactus {
namespace {

/// A scene with two tools and two WoodenHaptics, whose drivers have guards of their lines.
class ServedPair : public testing::Test {
 protected:
  static std::vector<std::string> Emulate(const Files& files, bool second) {
    std::vector<std::string> words = {"emulate", "woodenhaptics",     "--scene", "carry",
                                      "--pty",   files.stem + ".tty", "--trace", files.stem + ".csv"};
    if (second) words.emplace_back("--second-hand");
    return words;
  }
  std::vector<std::string> Serve(const std::string& second) const {
    return {"serve",
            "--scene",
            "carry",
            "--device",
            "woodenhaptics:" + left.stem + ".tty",
            "--listen",
            "unix:" + left.stem + ".sock",
            "--priority",
            "0",
            "--second-device",
            "woodenhaptics:" + second};
  }
  std::vector<std::string> Host() const {
    return {"hil",           "--link",     "unix:" + left.stem + ".sock",
            "--device",      "local",      "--for",
            "woodenhaptics", "--ticks",    "60000",
            "--quiet",       "--no-replay"};
  }
  void SetUp() override {
    ASSERT_NE(first_.Line(), "");
    ASSERT_NE(second_.Line(), "");
  }
  /// Until both have current: a busy machine's late periods are a fault, so more than once.
  bool BothFlow() {
    for (int attempt = 0; attempt < 12; ++attempt) {
      host.reset();
      serve.reset();
      serve.emplace(Serve(right.stem + ".tty"), left.stem + ".err");
      if (serve->Line().substr(0, 8) != "serving ") continue;
      host.emplace(Host());
      if (left.WaitsFor(true, 300) && right.WaitsFor(true, 300) && left.Output() > 0) return true;
    }
    return false;
  }
  bool BothEnd() const { return left.WaitsFor(false, 500) && right.WaitsFor(false, 500); }

  const Files left{"left"}, right{"right"};
  Process first_{Emulate(left, false)}, second_{Emulate(right, true)};
  std::optional<Process> serve, host;
};

// Each guard holds nothing of the other's: the first speaks although the second waits.
TEST_F(ServedPair, LeavesNoForceOnEitherWhenTheProgramIsKilled) {
  ASSERT_TRUE(BothFlow());
  serve->End(SIGKILL);
  EXPECT_TRUE(BothEnd());
  usleep(200'000);
  EXPECT_EQ(left.Output(), 0);
  EXPECT_EQ(right.Output(), 0);
}

TEST_F(ServedPair, EndsInGoodOrderAtASignal) {
  ASSERT_TRUE(BothFlow());
  serve->End(SIGTERM);
  EXPECT_EQ(WEXITSTATUS(serve->status), 128 + SIGTERM) << "the last zeros were taken, and no guard is waited for in vain";
  EXPECT_TRUE(BothEnd());
}

TEST_F(ServedPair, LosesTheForceOfBothWhenOneIsUnplugged) {
  ASSERT_TRUE(BothFlow());
  second_.End(SIGKILL);
  EXPECT_TRUE(left.WaitsFor(false, 500)) << "the other one's";
  std::string said;
  for (int i = 0; i < 500 && said.find("the line is gone") == std::string::npos; ++i, usleep(10'000))
    said = left.Text(".err");
  EXPECT_NE(said.find("tactus: the second device: the line is gone\n"), std::string::npos) << said;
}

TEST_F(ServedPair, IsNotOneDeviceTwice) {
  serve.emplace(Serve(left.stem + ".tty"), left.stem + ".err");
  EXPECT_EQ(serve->Line(), "");
  serve->End(0);
  EXPECT_NE(WEXITSTATUS(serve->status), 0);
  EXPECT_NE(left.Text(".err").find("another program"), std::string::npos) << left.Text(".err");
}

/// What `serve` says to these words, and that it ends with 2.
std::string Refused(std::vector<std::string> words) {
  const Files files("refused");
  words.insert(words.begin(), "serve");
  words.insert(words.end(), {"--listen", "unix:" + files.stem + ".sock", "--priority", "0", "--ticks", "1"});
  Process serve(words, files.stem + ".err");
  (void)serve.Line();
  serve.End(0);
  EXPECT_EQ(WEXITSTATUS(serve.status), 2);
  return files.Text(".err");
}

TEST(ServedPairRefuses, WhatDoesNotGoTogether) {
  EXPECT_NE(Refused({"--scene", "carry"}).find("has two tools: give --second-device too"), std::string::npos);
  EXPECT_NE(Refused({"--second-device", "host"}).find("both here or both at the host"), std::string::npos);
  EXPECT_NE(Refused({"--second-device", "sim", "--device-at", "nan,0,0"}).find("not a number"), std::string::npos);
  EXPECT_NE(Refused({"--device-at", "0,0,0.1"}).find("place two devices"), std::string::npos);
  EXPECT_NE(Refused({"--second-device", "sim:1"}).find("device 'sim:1'"), std::string::npos);
}

}  // namespace
}  // namespace tactus
