// What `tactus serve` says of a device that fails: host_tools/serve/failure_watch.h.
#include "host_tools/serve/failure_watch.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <string>

namespace tactus::host {
namespace {

class FailingDevice final : public hal::Device {
 public:
  const char* says = "none";

 private:
  const hal::DeviceCapabilities& DoCapabilities() const noexcept override { return can_; }
  hal::DeviceReading DoReadSample(std::uint32_t) noexcept override { return {}; }
  Status DoWriteCommand(const CommandFrame&, const hal::CommandNote&) noexcept override { return Status::kOk; }
  const char* DoWhy() const noexcept override { return says; }
  hal::DeviceCapabilities can_;
};

std::string Said(FailureWatch* watch) {
  testing::internal::CaptureStderr();
  watch->Look();
  return testing::internal::GetCapturedStderr();
}

TEST(FailureWatch, TellsEachFailureOnceAndTheSameOneAgain) {
  FailingDevice device;
  device.says = "a position jumped";
  FailureWatch watch(device, "the second device", "");
  EXPECT_EQ(Said(&watch), "") << "it failed before anybody looked";
  device.says = "none";  // the drives are on
  EXPECT_EQ(Said(&watch), "");
  device.says = "a position jumped";
  EXPECT_EQ(Said(&watch), "tactus: the second device: a position jumped\n");
  EXPECT_EQ(Said(&watch), "");
  device.says = "";
  EXPECT_EQ(Said(&watch), "");
  device.says = "a position jumped";
  EXPECT_EQ(Said(&watch), "") << "at most once a second";
  usleep(1'050'000);
  EXPECT_EQ(Said(&watch), "tactus: the second device: a position jumped\n");
}

TEST(FailureWatch, SaysHowAPlaceThatIsLostIsFoundAgainAndWhenItIs) {
  FailingDevice device;
  FailureWatch watch(device, "the arm", "hold it up");
  device.says = hal::Name(hal::PortCause::kPositionJump);
  EXPECT_NE(Said(&watch), "");
  device.says = hal::Name(hal::PortCause::kReferenceLost);
  EXPECT_TRUE(Said(&watch).ends_with("home it again: hold it up\n")) << "within the same second";
  device.says = hal::Name(hal::PortCause::kHoldStill);
  EXPECT_EQ(Said(&watch), "tactus: the arm: it homes: hold the handle still in its home pose\n");
  device.says = "none";
  EXPECT_EQ(Said(&watch), "tactus: the arm: homed\n");
}

}  // namespace
}  // namespace tactus::host
