// Whole processes: `tactus emulate` on a pseudo terminal, `tactus serve` on its other end, a host that feels the scene.
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "bench/safety/falcon_program_bytes.h"
#include "tests/devices/tool_process.h"

namespace tactus {
namespace {

class Served : public testing::TestWithParam<const char*> {
 protected:
  std::vector<std::string> Serve() const {
    return {"serve",      "--device", name + ":" + files.stem + ".tty", "--listen", "unix:" + files.stem + ".sock",
            "--priority", "0"};
  }
  std::vector<std::string> Host() const {
    return {"hil",        "--link",  "unix:" + files.stem + ".sock",
            "--device",   "local",   "--for",
            name,         "--scene", "wall_tap",
            "--ticks",    "60000",   "--quiet",
            "--no-replay"};
  }
  /// Until the motors have current: a busy machine's late periods are a fault, so more than once.
  bool Flows() {
    for (int attempt = 0; attempt < 12; ++attempt) {
      host.reset();
      serve.reset();
      serve.emplace(Serve());
      if (serve->Line().substr(0, 8) != "serving ") continue;
      host.emplace(Host());
      if (files.WaitsFor(true, 200)) return true;
    }
    return false;
  }
  const std::string name = GetParam();
  const Files files{name};
  Process emulator{{"emulate", name, "--pty", files.stem + ".tty", "--trace", files.stem + ".csv"}};
  std::optional<Process> serve, host;
};

TEST_P(Served, LeavesNoForceWhenTheProgramIsKilled) {
  ASSERT_EQ(emulator.Line(), name + " on " + files.stem + ".tty");
  ASSERT_TRUE(Flows());
  serve->End(SIGKILL);
  EXPECT_TRUE(files.WaitsFor(false, 500)) << "its watchdog, or the guard of its line";
  usleep(200'000);
  EXPECT_EQ(files.Output(), 0);
}

TEST_P(Served, EndsInGoodOrderAtASignal) {
  ASSERT_EQ(emulator.Line(), name + " on " + files.stem + ".tty");
  ASSERT_TRUE(Flows());
  serve->End(SIGTERM);
  EXPECT_EQ(WEXITSTATUS(serve->status), 128 + SIGTERM) << "the last zeros were taken";
  EXPECT_TRUE(files.WaitsFor(false, 500));
}

// The controller's fault says that the force has gone. Why is the driver's to say, and at once.
TEST_P(Served, TellsWhyTheDeviceFailedWhenItFails) {
  ASSERT_EQ(emulator.Line(), name + " on " + files.stem + ".tty");
  serve.emplace(Serve(), files.stem + ".err");
  ASSERT_EQ(serve->Line().substr(0, 8), "serving ");
  emulator.End(SIGKILL);
  std::string said;
  for (int i = 0; i < 500 && said.find("the line is gone") == std::string::npos; ++i, usleep(10'000))
    said = files.Text(".err");
  EXPECT_NE(said.find("tactus: the device: the line is gone\n"), std::string::npos) << said;
}

/// An arm that a hand holds, and `serve` with it.
struct ServedArm {
  explicit ServedArm(const std::string& fault, bool homes) {
    std::vector<std::string> device = {"emulate", "woodenhaptics", "--pty", files.stem + ".tty"};
    if (!fault.empty()) device.insert(device.end(), {"--fault", fault});
    emulator.emplace(device);
    (void)emulator->Line();
    std::vector<std::string> words = {
        "serve",      "--device", "woodenhaptics:" + files.stem + ".tty", "--listen", "unix:" + files.stem + ".sock",
        "--priority", "0"};
    if (homes) words.emplace_back("--home");
    serve.emplace(words, files.stem + ".err");
    serves = serve->Line().substr(0, 8) == "serving ";
  }
  bool Says(const std::string& text, int times_10_ms) const {
    for (int i = 0; i < times_10_ms; ++i, usleep(10'000)) {
      if (files.Text(".err").find(text) != std::string::npos) return true;
    }
    return false;
  }
  const Files files{"arm"};
  std::optional<Process> emulator, serve;
  bool serves = false;
};

TEST(ServedArm, IsHomedAtTheStartWhereItIsToldTo) {
  const ServedArm arm("", true);
  EXPECT_TRUE(arm.serves) << arm.files.Text(".err");
  EXPECT_TRUE(arm.Says("homes: hold the arm still in its home pose, upper link straight up and forearm level\n", 1));
}

TEST(ServedArm, SaysHowItIsHomedAgainWhenItsCountsHaveJumpedAndIs) {
  bool is_lost = false;
  for (int attempt = 0; attempt < 5 && !is_lost; ++attempt) {  // a busy machine's late periods are a fault
    const ServedArm arm("jump@300", false);
    if (!arm.serves) continue;
    const Process host({"hil", "--link", "unix:" + arm.files.stem + ".sock", "--device", "local", "--for", "woodenhaptics",
                        "--scene", "wall_tap", "--ticks", "60000", "--quiet", "--no-replay"});
    is_lost = arm.Says("the reference is lost, for the counts jumped or began anew: home it again: hold the arm", 500);
    if (!is_lost) continue;
    arm.serve->Tell(SIGUSR1);
    EXPECT_TRUE(arm.Says("tactus: the device: homed\n", 4000)) << arm.files.Text(".err");  // its hand moves for a while
  }
  EXPECT_TRUE(is_lost);
}

INSTANTIATE_TEST_SUITE_P(Devices, Served, testing::Values("haply", "woodenhaptics"));

/// A Falcon as from the box: on a pseudo terminal, so without modem lines. Its third button is held.
struct FromTheBox {
  FromTheBox() {
    const std::vector<std::uint8_t> program = bench::safety::FalconProgramBytes({3643, 241, 336, 2});
    std::ofstream(files.stem + ".bin", std::ios::binary)
        .write(reinterpret_cast<const char*>(program.data()), static_cast<std::streamsize>(program.size()));
  }
  std::vector<std::string> Serve(const std::string& program = ".bin") const {
    return {"serve",
            "--device",
            "falcon:" + files.stem + ".tty,program=" + files.stem + program,
            "--listen",
            "unix:" + files.stem + ".sock",
            "--priority",
            "0",
            "--json",
            files.stem + ".json"};
  }
  static std::string Presses(const std::string& json) {  // of the third button; the numbers stand on lines of their own
    std::string text = json.substr(std::min(json.size(), json.find("\"button_presses\"")), 200), plain;
    for (const char c : text.substr(0, text.find(']'))) {
      if (c == ',' || (c >= '0' && c <= '9')) plain += c;
    }
    return plain;
  }
  const Files files{"falcon"};
  const Process emulator{{"emulate", "falcon", "--pty", files.stem + ".tty", "--unprogrammed", "--press", "3@0"}};
};

TEST(FalconFromTheBox, IsLoadedServedAndFelt) {
  FromTheBox box;
  ASSERT_NE(box.emulator.Line(), "");
  Process serve(box.Serve());
  ASSERT_EQ(serve.Line().substr(0, 8), "serving ");
  std::string presses;
  for (int attempt = 0; attempt < 5 && presses != "0,0,1,0,0,0,0,0";
       ++attempt) {  // a busy machine's late periods are a fault
    Process host({"hil", "--link", "unix:" + box.files.stem + ".sock", "--device", "local", "--for", "falcon", "--scene",
                  "wall_tap", "--ticks", "500", "--quiet", "--no-replay", "--json", box.files.stem + ".host.json"});
    (void)host.Line();  // its end
    host.End(0);
    presses = FromTheBox::Presses(box.files.Text(".host.json"));
  }
  EXPECT_EQ(presses, "0,0,1,0,0,0,0,0") << "in the telemetry";
  serve.End(SIGTERM);
  // All sessions' together: where a busy machine has let a device fail, its buttons are up until it answers again.
  const std::string told = FromTheBox::Presses(box.files.Text(".json"));
  EXPECT_TRUE(told.starts_with("0,0,") && told.ends_with(",0,0,0,0,0")) << told << " in the server's report";
  EXPECT_FALSE(told.starts_with("0,0,0")) << told;
}

TEST(FalconFromTheBox, IsLoadedByTheNextProgramWhenOneDiesInTheLoad) {
  for (const int after_ms : {120, 200, 300, 400}) {
    FromTheBox box;
    ASSERT_NE(box.emulator.Line(), "");
    Process dies(box.Serve());
    usleep(static_cast<useconds_t>(after_ms) * 1000);
    dies.End(SIGKILL);
    std::string said;
    for (int attempt = 0; attempt < 5 && said.empty();
         ++attempt, usleep(200'000))  // the guard of the line is at its last words
      said = Process(box.Serve()).Line().substr(0, 8);
    EXPECT_EQ(said, "serving ") << after_ms;
  }
}

TEST(Emulator, WaitsForItsHostWithoutKeepingTheProcessorBusy) {
  for (const bool in_step : {false, true}) {
    std::vector<std::string> words = {"emulate", "woodenhaptics"};
    if (in_step) words.emplace_back("--in-step");
    Process emulator(words);
    ASSERT_NE(emulator.Line(), "");
    usleep(1'000'000);
    emulator.End(SIGTERM);
    EXPECT_LT(emulator.processor_s, 0.3) << in_step;  // 1000 wake-ups and the arm's mechanics; a busy wait takes all of it
    EXPECT_EQ(WEXITSTATUS(emulator.status), 128 + SIGTERM);
  }
}

}  // namespace
}  // namespace tactus
