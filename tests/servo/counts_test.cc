// Samples whose position is from counts of motors: docs/wire.md, CountedSample and SampleCounts.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "controller.h"
#include "firmware/servo/messages.h"

namespace tactus::servo {
namespace {

/// Motors along axes that are turned about z by a rotation of 3, 4, 5.
CountSteps Turned(float first_m, float second_m, float third_m) {
  return {.motors = 3,
          .step_m = {{0.8f * first_m, 0.6f * first_m, 0}, {-0.6f * second_m, 0.8f * second_m, 0}, {0, 0, third_m}}};
}

wire::CountedSample Sample(std::uint32_t sequence, float x_m, const CountSteps& counts) {
  wire::CountedSample sample;
  sample.mutate_sequence(sequence);
  sample.mutable_position_m()->Mutate(0, x_m);
  sample.mutable_position_m()->Mutate(2, 0.1f);
  sample.mutable_orientation_wxyz()->Mutate(0, 1.0f);
  CountsToWire(counts, &sample);
  return sample;
}

/// The speeds along x that the ticks told of a handle which goes along x over counts of 40 um at 10 mm/s.
std::vector<double> SpeedsWith(const CountSteps& counts) {
  Controller controller;
  controller.Configure();
  std::vector<double> speeds;
  for (std::uint32_t k = 1; k <= 300; ++k) {
    controller.Put(Sample(k, 4e-5f * std::floor(0.25f * static_cast<float>(k)), counts));
    controller.Edge();
    controller.app->DrainTelemetry();
    for (const wire::Telemetry& told : controller.TakeAll<wire::Telemetry>()) {
      EXPECT_EQ(told.sample_sequence(), k);
      speeds.push_back(told.handle_twist_W()->Get(0));
    }
  }
  EXPECT_EQ(speeds.size(), 300u);
  return speeds;
}

TEST(CountedSample, IsASampleWithTheStepsOfItsCounts) {
  const std::vector<double> plain = SpeedsWith({}), counted = SpeedsWith(Turned(4e-5f, 4e-5f, 4e-5f));
  EXPECT_NEAR(plain.back(), 0.01, 2e-3);
  EXPECT_NE(counted, plain);
  EXPECT_NEAR(counted.back(), 0.01, 2e-3);
}

TEST(CountedSample, IsASampleWhereItsStepsAreNoDevices) {
  const std::vector<double> plain = SpeedsWith({});
  CountSteps many = Turned(4e-5f, 4e-5f, 4e-5f), none = many, hostile = many, flat = many;
  many.motors = 200;
  none.motors = 0;
  hostile.step_m[1][1] = std::numeric_limits<float>::quiet_NaN();
  for (int x = 0; x < 3; ++x) flat.step_m[2][x] = flat.step_m[0][x];
  for (const CountSteps& counts : {many, none, hostile, flat}) EXPECT_EQ(SpeedsWith(counts), plain);
}

/// What came before each Telemetry, of a controller with a device of its own.
std::vector<Received> ToldBy(FakeDevice* device, Controller* controller, int ticks) {
  std::vector<Received> told;
  for (int k = 0; k < ticks; ++k) {
    ++device->reading.sample.sequence;
    controller->Edge();
    controller->app->DrainTelemetry();
    for (const Received& frame : controller->Take()) {
      if (frame.type == wire::MessageType::kSampleCounts || frame.type == wire::MessageType::kTelemetry)
        told.push_back(frame);
    }
  }
  return told;
}

TEST(SampleCounts, ComeBeforeEachTelemetryOfADeviceThatCounts) {
  FakeDevice device;
  device.reading.sample.counts = Turned(1e-5f, 2e-5f, 3e-5f);
  Controller controller(&device);
  controller.Configure();
  const std::vector<Received> told = ToldBy(&device, &controller, 20);
  ASSERT_EQ(told.size(), 40u);
  for (std::size_t i = 0; i < told.size(); i += 2) {
    const auto counts = told[i].As<wire::SampleCounts>();
    EXPECT_EQ(counts.tick(), told[i + 1].As<wire::Telemetry>().tick());
    EXPECT_EQ(counts.motors(), 3);
    EXPECT_FLOAT_EQ(counts.step_m()->Get(3), -0.6f * 2e-5f);
    EXPECT_FLOAT_EQ(counts.step_m()->Get(8), 3e-5f);
  }
  device.reading.sample.counts = {};
  for (const Received& frame : ToldBy(&device, &controller, 5)) EXPECT_EQ(frame.type, wire::MessageType::kTelemetry);
}

// A link that is full between the two, or before both, gets each once.
TEST(SampleCounts, ComeOnceWhereTheLinkIsFull) {
  FakeDevice device;
  device.reading.sample.counts = Turned(1e-5f, 2e-5f, 3e-5f);
  Controller controller(&device);
  controller.Configure();
  (void)ToldBy(&device, &controller, 5);  // the bounds that come after a hello
  for (int between = 0; between < 2; ++between) {
    ++device.reading.sample.sequence;
    controller.Edge();
    controller.Take();
    controller.link.full = between == 0;
    if (between == 1) controller.link.after_unlock = [&] { controller.link.full = true; };  // after the first frame
    controller.app->DrainTelemetry();
    controller.link.full = false;
    controller.app->DrainTelemetry();
    std::vector<wire::MessageType> order;
    for (const Received& frame : controller.Take()) order.push_back(frame.type);
    EXPECT_EQ(order, (std::vector{wire::MessageType::kSampleCounts, wire::MessageType::kTelemetry})) << between;
  }
}

}  // namespace
}  // namespace tactus::servo
