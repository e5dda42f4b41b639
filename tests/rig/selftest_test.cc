// The look before arming: good devices pass; each wrong one is found, by name, and moves no farther than what is said.
#include "host_tools/rig/selftest.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "hal/sim/hands.h"
#include "host_tools/rig/rig_choice.h"
#include "tests/rig/wrong_device.h"

namespace tactus::host {
namespace {

constexpr Ceilings kSmall{.force_N = 1.2, .speed_mps = 0.3, .reach_m = 0.005};

constexpr double kLift_m = 0.001;

const SelfTestLine* FirstFailure(const SelfTest& test) {
  for (const SelfTestLine& line : test.lines)
    if (line.verdict == Verdict::kFail) return &line;
  return nullptr;
}

/// It is found in the line `name`, whose reason has `why`; what comes after is not run; it is left with zeros and drives
/// off.
///
/// Bound  reach, and what friction f_c leaves of 0.3 m/s: v² m/(2 f_c) = 0.09 · 0.23/(2 · 0.18) = 0.058 m without a hand
void ExpectFound(WrongDevice& device, const std::string& name, const std::string& why, double most_m) {
  const SelfTest test = RunSelfTest(device, kSmall, kLift_m, 1000);
  const SelfTestLine* const failure = FirstFailure(test);
  ASSERT_NE(failure, nullptr) << SelfTestText("device", test);
  EXPECT_EQ(failure->name, name) << failure->why;
  EXPECT_NE(failure->why.find(why), std::string::npos) << failure->why;
  EXPECT_TRUE(test.failed());
  EXPECT_LT(device.farthest_m(), most_m);
  EXPECT_EQ(device.last_N, 0);
  EXPECT_FALSE(device.enabled());
  EXPECT_LE(device.largest_N, kSmall.force_N * (1 + 1e-6));
}

constexpr double kCoast_m = 0.005 + 0.058;

TEST(SelfTest, PassesEveryPresetInEveryHand) {  // Source: they are what the driver says that they are.
  for (const hal::DevicePreset& preset : hal::DevicePresets()) {
    for (const char* hand : {"none", "relaxed", "two-finger"}) {
      RigChoice choice;
      choice.device = preset.name;
      choice.hand = hand;
      const auto device = choice.Simulated();
      const SelfTest test = RunSelfTest(*device, choice.SmallCeilingsFor(device->capabilities()), kLift_m, 1000);
      EXPECT_FALSE(test.failed()) << hand << SelfTestText(preset.name, test);
      EXPECT_LT(test.farthest_m, 0.003) << preset.name << hand;
      int moved = 0;
      for (const SelfTestLine& line : test.lines)
        moved += line.verdict == Verdict::kPass && line.name.find("moves with") != std::string::npos;
      EXPECT_EQ(moved, preset.motors) << preset.name;
    }
  }
}

TEST(SelfTest, FindsAReversedSign) {
  WrongDevice device = WrongPreset("falcon");
  device.alter_command = [](CommandFrame* c) {
    for (float& f : c->force_N) f = -f;
  };
  ExpectFound(device, "x: moves with the push", "moves against it", 0.003);
}

TEST(SelfTest, FindsAReversedEncoder) {
  WrongDevice device = WrongPreset("falcon");
  device.alter_reading = [](hal::DeviceReading* r) { r->sample.p_WH_m[1] = -r->sample.p_WH_m[1]; };
  ExpectFound(device, "y: moves with the push", "moves against it", 0.003);
}

TEST(SelfTest,
     FindsFrozenEncoders) {  // The true handle moves on, unseen: the whole ramp, 0.4 s at up to 1.2 N less friction.
  WrongDevice device = WrongPreset("falcon");
  device.alter_reading = [](hal::DeviceReading* r) { r->sample.p_WH_m[0] = r->sample.p_WH_m[1] = r->sample.p_WH_m[2] = 0; };
  // Bound: x = F t³/(6 m ramp) = 1.2 · 0.4²/(6 · 0.18) without friction = 0.178 m; a hand holds it (next test).
  ExpectFound(device, "x: moves with the push", "a stuck encoder", 0.178);
}

TEST(SelfTest, FindsFrozenEncodersInAHand) {
  WrongDevice device = WrongPreset("falcon", hal::Hands()[0]);
  device.alter_reading = [](hal::DeviceReading* r) { r->sample.p_WH_m[0] = r->sample.p_WH_m[1] = r->sample.p_WH_m[2] = 0; };
  ExpectFound(device, "x: moves with the push", "a stuck encoder", 2 * 1.2 / 135);  // Source: F/K, twice for a step
}

TEST(SelfTest, FindsADeadMotor) {
  WrongDevice device = WrongPreset("falcon");
  device.alter_command = [](CommandFrame* c) { c->force_N[1] = 0; };
  ExpectFound(device, "y: moves with the push", "no torque", 0.003);
}

TEST(SelfTest, FindsSwappedAxes) {
  WrongDevice device = WrongPreset("falcon");
  device.alter_command = [](CommandFrame* c) { std::swap(c->force_N[0], c->force_N[2]); };
  ExpectFound(device, "x: moves with the push", "moves across it", 0.003);
}

TEST(SelfTest, FindsADeviceThatIgnoresZeros) {
  for (const bool held : {false, true}) {
    WrongDevice device = held ? WrongPreset("falcon", hal::Hands()[0]) : WrongPreset("falcon");
    CommandFrame last;
    device.alter_command = [&](CommandFrame* c) {
      const bool zeros = c->force_N[0] == 0 && c->force_N[1] == 0 && c->force_N[2] == 0;
      if (zeros && device.enabled())
        *c = last;
      else
        last = *c;
    };
    const SelfTest test = RunSelfTest(device, kSmall, kLift_m, 1000);
    EXPECT_TRUE(held || test.failed()) << SelfTestText("falcon", test);  // a hand may hold what such a push does
    EXPECT_LT(device.farthest_m(), kCoast_m);
    EXPECT_FALSE(device.enabled());
  }
}

TEST(SelfTest, FindsAForceThatIsThereUnderZeros) {
  WrongDevice device = WrongPreset("falcon");
  device.alter_command = [&](CommandFrame* c) {
    if (device.enabled()) c->force_N[0] += 0.6f;
  };
  ExpectFound(device, "zeros hold it", "it went", kCoast_m);
}

TEST(SelfTest, FindsWhatIsWrongWithSamples) {
  struct Wrong {
    const char *name, *why;
    void (*alter)(hal::DeviceReading*, int);
  };
  for (const Wrong& wrong : {
           Wrong{"samples come", "no number",
                 [](hal::DeviceReading*r, int i) {
                   if (i == 50) r->sample.p_WH_m[2] = std::numeric_limits<float>::quiet_NaN();
                 }},
           Wrong{"samples come", "0 new ones", [](hal::DeviceReading*r, int) { r->is_new = false; }},
           Wrong{"samples come", "0 new ones", [](hal::DeviceReading*r, int) { r->valid = false; }},
           Wrong{"encoders do not jump", "mm",
                 [](hal::DeviceReading*r, int i) { r->sample.p_WH_m[0] += i == 50 ? 0.01f : 0.f; }},
           Wrong{"the e-stop's input is closed", "open", [](hal::DeviceReading*r, int) { r->e_stop = true; }},
           Wrong{"zeros hold it", "not valid", [](hal::DeviceReading*r, int i) { r->valid = i < 150; }},
           Wrong{"zeros hold it", "failed",
                 [](hal::DeviceReading*r, int i) {
                   if (i > 150) r->state = hal::DeviceState::kFaulted;
                 }},
       }) {
    SCOPED_TRACE(wrong.why);
    WrongDevice device = WrongPreset("falcon");
    device.alter_reading = [&](hal::DeviceReading* r) { wrong.alter(r, device.reads); };
    ExpectFound(device, wrong.name, wrong.why, 0.001);
  }
}

TEST(SelfTest, SaysWhatItDidNotRun) {
  WrongDevice device = WrongPreset("hapkit");
  const SelfTest test = RunSelfTest(device, kSmall, kLift_m, 1000);
  int not_run = 0;  // x, y and the silent host
  for (const SelfTestLine& line : test.lines) {
    if (line.verdict != Verdict::kNotRun) continue;
    ++not_run;
    EXPECT_NE(line.why, "") << line.name;
  }
  EXPECT_EQ(not_run, 3) << SelfTestText("hapkit", test);
}

}  // namespace
}  // namespace tactus::host
