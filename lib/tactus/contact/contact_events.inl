namespace tactus {

template <class Scalar, int kPairs>
void ContactEventFinder<Scalar, kPairs>::Begin(ContactEventList<Scalar>* events) noexcept {
  events->clear();
  for (Touch& touch : touches_) {
    touch.load_Ns = touch.slip_mps = Scalar(0);
    touch.moment.setZero();
  }
}

/// The pair, new if it was not there. @returns nullptr: there is no room
template <class Scalar, int kPairs>
typename ContactEventFinder<Scalar, kPairs>::Touch* ContactEventFinder<Scalar, kPairs>::Find(int a, int b) noexcept {
  int at = 0;
  for (; at < touches_.size(); ++at) {
    const ContactEvent<Scalar>& there = touches_[at].last;
    if (there.a == a && there.b == b) return &touches_[at];
    if (there.a > a || (there.a == a && there.b > b)) break;
  }
  if (touches_.full()) return nullptr;
  touches_.resize(touches_.size() + 1);
  for (int i = touches_.size() - 1; i > at; --i) touches_[i] = touches_[i - 1];
  touches_[at] = Touch{};
  touches_[at].last.a = a;
  touches_[at].last.b = b;
  return &touches_[at];
}

template <class Scalar, int kPairs>
bool ContactEventFinder<Scalar, kPairs>::Tell(const Touch& touch, ContactChange change,
                                              ContactEventList<Scalar>* events) noexcept {
  ContactEvent<Scalar> event = touch.last;
  event.change = change;
  return events->push_back(event) == Status::kOk;
}

/// What a pair begins in this tick.
template <class Scalar, int kPairs>
void ContactEventFinder<Scalar, kPairs>::Advance(std::uint32_t tick, Touch* touch,
                                                 ContactEventList<Scalar>* events) noexcept {
  // Half as far down as up, so that a slip that trembles about one speed is told once. The speed is thousands of times the
  // rounding of a body at rest, and little beside the 0.1 m/s of a hand that strokes.
  constexpr Scalar kSlips_mps = Scalar(1e-3), kSticks_mps = Scalar(5e-4);
  const bool loaded = touch->load_Ns > Scalar(0);
  if (loaded) {
    touch->last.tick = tick;
    touch->last.impulse_Ns = touch->load_Ns;
    touch->last.point_m = touch->moment / touch->load_Ns;
  }
  if (!touch->begun) touch->begun = Tell(*touch, ContactChange::kBegins, events);
  if (!loaded || !touch->begun) return;
  const bool slips = touch->slip_mps > kSlips_mps, sticks = touch->slip_mps < kSticks_mps;
  if (!touch->slips && slips) touch->slips = Tell(*touch, ContactChange::kSlips, events);
  if (touch->slips && sticks) touch->slips = !Tell(*touch, ContactChange::kSticks, events);
}

template <class Scalar, int kPairs>
void ContactEventFinder<Scalar, kPairs>::End(std::uint32_t tick, Scalar period_s,
                                             ContactEventList<Scalar>* events) noexcept {
  // A tool that chatters over an edge leaves it for a few ticks at a time: one touch.
  constexpr Scalar kPause_s = Scalar(0.005), kHalf = Scalar(0.5);
  const auto pause_ticks = static_cast<std::uint32_t>(kPause_s / period_s + kHalf);
  for (Touch& touch : touches_) Advance(tick, &touch, events);
  int kept = 0;
  for (int i = 0; i < touches_.size(); ++i) {
    const bool parted = touches_[i].begun && tick - touches_[i].last.tick > pause_ticks;
    if (parted && Tell(touches_[i], ContactChange::kEnds, events)) continue;
    if (kept != i) touches_[kept] = touches_[i];
    ++kept;
  }
  touches_.resize(kept);
}

}  // namespace tactus
