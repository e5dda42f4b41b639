#include "hal/sim/falcon_boot.h"

namespace tactus::hal {

void FalconBoot::PowerUp() noexcept {
  Restart();
  risen_ = false;
  knocks_ = 0;
}

void FalconBoot::Restart() {
  state_ = State::kCold;
  field_ = Field::kKey;
  left_ = 1;
  last_ = 0;
  has_half_ = false;
  half_ = 0;
  words_ = received_ = 0;
  said_size_ = 0;
  ++restarts_;
}

void FalconBoot::SetRate(std::uint32_t baud) noexcept {
  const bool is_new = baud != rate_;
  rate_ = baud;
  if (is_new && RateIs(9'300, 9'900) && state_ != State::kRuns && state_ != State::kCold) Restart();
}

void FalconBoot::SetDtr(bool high) noexcept {
  const bool rises = high && knows_dtr_ && !dtr_;
  knows_dtr_ = true;
  dtr_ = high;
  if (!rises) return;
  Restart();
  risen_ = true;
}

std::size_t FalconBoot::Receive(std::span<const std::uint8_t> bytes) noexcept {
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (state_ == State::kRuns) return i;
    Take(bytes[i]);
  }
  return bytes.size();
}

void FalconBoot::Take(std::uint8_t byte) {
  constexpr std::uint8_t kPace = 0x41;
  switch (state_) {
    case State::kCold: return Knock(byte);
    case State::kPace:
      if (!RateIs(138'600, 147'200) || byte != kPace || faults.deaf_to_pace || (knows_dtr_ && dtr_)) return;
      state_ = State::kLoad;
      return Tell(byte);
    case State::kLoad: return Load(byte);
    case State::kHung:
    case State::kRuns: return;
  }
}

void FalconBoot::Knock(std::uint8_t byte) {
  if (!RateIs(9'300, 9'900) || (knows_dtr_ && !risen_)) return;
  last_ = (last_ << 8 | byte) & 0xFFFFFF;
  if (last_ != 0x0A430D || knocks_++ < faults.ignored_knocks) return;
  if (faults.leading_zero) Tell(0x00);
  constexpr std::uint8_t kAnswer[] = {0x0A, 0x44, 0x2C, 0x0D};
  for (const std::uint8_t one : kAnswer) Tell(one);
  state_ = State::kPace;
}

void FalconBoot::Load(std::uint8_t byte) {
  const std::size_t at = received_++;
  if (!RateIs(138'600, 147'200) || at >= faults.stops_at) return;
  Tell(at == faults.differs_at ? byte ^ 0x10 : byte);
  if (at == faults.doubles_at) Tell(byte);
  half_ |= has_half_ ? unsigned{byte} << 8 : unsigned{byte};
  if (has_half_) TakeWord(half_);
  if (has_half_) half_ = 0;
  has_half_ = !has_half_;
}

void FalconBoot::TakeWord(unsigned word) {
  if (field_ == Field::kKey && word != 0x08AA) state_ = State::kHung;
  if (field_ == Field::kData) ++words_;
  if (field_ == Field::kCount) {
    if (word == 0) state_ = faults.dead_program ? State::kHung : State::kRuns;
    count_ = word;
  }
  if (--left_ > 0) return;
  switch (field_) {
    case Field::kKey: field_ = Field::kUseless, left_ = 8; return;
    case Field::kUseless: field_ = Field::kEntry, left_ = 2; return;
    case Field::kEntry:
    case Field::kData: field_ = Field::kCount, left_ = 1; return;
    case Field::kCount: field_ = Field::kAddress, left_ = 2; return;
    case Field::kAddress: field_ = Field::kData, left_ = count_; return;
  }
}

void FalconBoot::Tell(std::uint8_t byte) {
  if (said_size_ < said_.size()) said_[said_size_++] = byte;
}

std::span<const std::uint8_t> FalconBoot::Say() noexcept {
  const std::size_t size = said_size_;
  said_size_ = 0;
  return std::span(said_).first(size);
}

}  // namespace tactus::hal
