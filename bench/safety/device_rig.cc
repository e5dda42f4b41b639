#include "bench/safety/device_rig.h"

namespace tactus::bench::safety {

DeviceRig::DeviceRig(const host::RealDevice& real, const hal::HandScript& hand, const std::string& set)
    : real_(real), set_(set), board_(real.emulate({.script = hand, .seed = 1, .set = set})) {
  StartAnew();
}

void DeviceRig::StartAnew() {
  auto link = std::make_unique<MemoryLink>();
  link_ = link.get();
  host::DriverRequest request;
  request.link = std::move(link);
  request.set = set_;
  device_ = real_.drive(std::move(request));
  reading = {};
  drives = enabled_ = false;
}

void DeviceRig::Tell(std::span<const std::uint8_t> bytes) {
  link_->incoming.insert(link_->incoming.end(), bytes.begin(), bytes.end());
}

void DeviceRig::Period() {
  now_us_ += 1000;
  link_->closed = closed || wrong.unplugged;
  reading = device_->Read(now_us_);
  if (reading.state == hal::DeviceState::kFaulted) {
    if (drives && why.empty()) why = device_->why();
    drives = false;
  }
  if (drives && !enabled_) device_->Enable();
  CommandFrame command;
  for (int i = 0; drives && i < 3; ++i) command.force_N[i] = force_N[i];
  const Status status = device_->Write(command, {});
  if (status == Status::kNotFinite && why.empty()) why = device_->why();
  if (!drives && enabled_) device_->Disable();
  enabled_ = drives;
  sent_.clear();
  for (const auto& bytes : std::exchange(link_->sent, {})) {
    sent_.insert(sent_.end(), bytes.begin(), bytes.end());
    if (!wrong.deaf && !link_->closed) board_->Receive(bytes);
  }
  board_->faults = wrong.board;
  if (std::exchange(wrong.reset, false)) board_->PowerUp();
  board_->Advance();
  line_.faults = wrong.line;
  const std::span<const std::uint8_t> said = line_.Pass(board_->Say());
  if (!link_->closed) Tell(said);
  if (link_->closed) link_->incoming.clear();
}

bool DeviceRig::Drive() {
  wrong = {};
  drives = closed = false;
  for (int i = 0; i < 400 && (reading.state != hal::DeviceState::kReady || i < 40); ++i) Period();
  why.clear();
  drives = reading.state == hal::DeviceState::kReady;
  Periods(20);
  return drives && !off();
}

}  // namespace tactus::bench::safety
