#include "host_tools/serve/waiting_hand.h"

#include "tactus/wire/message.h"

namespace tactus::host {

WaitingHand::WaitingHand(std::uint64_t seed, std::uint32_t period_us, const hal::HandScript& script)
    : seed_(seed), period_us_(period_us), script_(script) {
  Rest();
}

void WaitingHand::Rest() {
  device_.emplace(seed_, period_us_, script_);
  reading_ = device_->Read(0);
  moves_ = false;
}

hal::DeviceReading WaitingHand::DoReadSample(std::uint32_t now_us) noexcept {
  if (moves_) reading_ = device_->Read(now_us);
  reading_.sample.sequence = ++sequence_;
  return reading_;
}

Status WaitingHand::DoWriteCommand(const CommandFrame& command, const hal::CommandNote& note) noexcept {
  if (moves_ && note.state == static_cast<std::uint8_t>(wire::State::kStopped)) Rest();
  return device_->Write(command, note);
}

void WaitingHand::DoEnable() noexcept {
  device_->Enable();
  moves_ = true;
}

}  // namespace tactus::host
