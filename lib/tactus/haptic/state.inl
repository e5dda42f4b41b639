namespace tactus {

template <class Scalar, Capacity kCapacity>
Status Arm(State<Scalar, kCapacity>* state) noexcept {
  if (state->fault != Fault::kNone) return Status::kNotReady;
  state->armed = true;
  return Status::kOk;
}

template <class Scalar, Capacity kCapacity>
void Disarm(State<Scalar, kCapacity>* state) noexcept {
  state->armed = false;
}

template <class Scalar, Capacity kCapacity>
void RaiseFault(State<Scalar, kCapacity>* state) noexcept {
  if (state->fault == Fault::kNone) state->fault = Fault::kExternal;
}

template <class Scalar, Capacity kCapacity>
void CutForce(State<Scalar, kCapacity>* state) noexcept {
  RaiseFault(state);
  state->gain = Scalar(0);
  state->raw_wrench_W.setZero();
  if constexpr (kServoScene.hands > 1) state->second.raw_wrench_W.setZero();
}

template <class Scalar, Capacity kCapacity>
void ClearFault(State<Scalar, kCapacity>* state) noexcept {
  state->armed = false;
  state->fault = Fault::kNone;
  state->tool_placed = false;
  state->guard = GuardState{};
  if constexpr (kServoScene.hands > 1) state->second.guard = GuardState{};
}

template <class Scalar, Capacity kCapacity>
void PressClutch(bool pressed, State<Scalar, kCapacity>* state) noexcept {
  state->workspace.ordered = pressed;
}

template <class Scalar, Capacity kCapacity>
void TellButtons(std::uint8_t buttons, const Config<Scalar>& config, State<Scalar, kCapacity>* state) noexcept {
  const int button = config.workspace.clutch_button;
  state->workspace.button = button > 0 && ((buttons >> (button - 1)) & 1) != 0;
}

template <class Scalar, Capacity kCapacity>
void TellSecondHand(const SensorFrame& sample, State<Scalar, kCapacity>* state) noexcept {
  if constexpr (kServoScene.hands > 1) {
    state->second.sample = sample;
    state->second.told = true;
  }
}

template <class Scalar, Capacity kCapacity>
void ZeroCommand(State<Scalar, kCapacity>* state) noexcept {
  state->command_wrench_W.setZero();
  if constexpr (kServoScene.hands > 1) state->second.command_wrench_W.setZero();
}

namespace internal {

/// FNV-1a's two steps on 64-bit words. The shift brings high bits down, which a product alone never does.
class WordHash {
 public:
  void Add(std::uint64_t word) {
    hash_ = (hash_ ^ word) * 0x100000001b3u;
    hash_ ^= hash_ >> 32;
  }

  template <class Scalar, int kRows>
  void Add(const Vec<Scalar, kRows>& values) {
    for (int i = 0; i < kRows; ++i) Add(values(i));
  }
  void Add(double value) { Add(std::bit_cast<std::uint64_t>(value)); }
  void Add(float value) { Add(static_cast<std::uint64_t>(std::bit_cast<std::uint32_t>(value))); }

  std::uint64_t value() const { return hash_; }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325u;
};

}  // namespace internal

namespace internal {

template <class Scalar>
void AddStream(const StreamState<Scalar>& stream, WordHash* hash) {
  hash->Add(static_cast<std::uint64_t>(stream.set.sequence) << 32 | stream.resolved_ticks);
  hash->Add(static_cast<std::uint64_t>(stream.swaps) << 1 | static_cast<std::uint64_t>(stream.holds));
  for (int i = 0; i < stream.set.contacts.size(); ++i) hash->Add(stream.lift_m[static_cast<std::size_t>(i)]);
  hash->Add(stream.load_N);
  for (const auto& body : stream.bodies) {
    hash->Add(body.velocity_mps);
    hash->Add(body.way_m);
  }
  hash->Add(stream.account.pushed_J);
  hash->Add(stream.account.withheld_J);
}

template <class Scalar>
void AddSecondHand(const HandMemory<Scalar>& hand, WordHash* hash) {  // its tool is one of the bodies
  hash->Add(static_cast<std::uint64_t>(hand.guard.sequence));
  hash->Add(hand.handle.handle().p_WH_m);
  hash->Add(hand.handle.handle().q_WH);
  hash->Add(hand.handle.handle().twist_W);
  hash->Add(hand.rest_W);
  hash->Add(hand.passivity.stored_J);
  hash->Add(hand.passivity.dissipated_J);
  hash->Add(hand.passivity.damping_ratio);
  hash->Add(hand.raw_wrench_W);
  hash->Add(hand.command_wrench_W);
}

template <class Scalar>
[[gnu::noinline]] void AddChart(const CountChart<Scalar>& chart, WordHash* hash) {
  hash->Add(static_cast<std::uint64_t>(chart.motors()));
  for (int i = 0; i < chart.motors(); ++i) hash->Add(Vec<Scalar, 3>(chart.steps_m().col(i)));
}

template <class Scalar>
[[gnu::noinline]] void AddWorkspace(const WorkspaceState<Scalar>& workspace, WordHash* hash) {
  hash->Add(static_cast<std::uint64_t>(workspace.clutch) << 3 | static_cast<std::uint64_t>(workspace.eases) << 2 |
            static_cast<std::uint64_t>(workspace.ordered) << 1 | static_cast<std::uint64_t>(workspace.button));
  hash->Add(workspace.offset_m);
  hash->Add(workspace.index);
  hash->Add(workspace.held.p_WH_m);
  hash->Add(workspace.held.q_WH);
}

}  // namespace internal

template <class Scalar, Capacity kCapacity>
std::uint64_t HashState(const State<Scalar, kCapacity>& state) noexcept {
  internal::WordHash hash;
  hash.Add(static_cast<std::uint64_t>(state.tick) << 32 | static_cast<std::uint64_t>(state.fault) << 8 |
           static_cast<std::uint64_t>(state.placed_inside) << 2 | static_cast<std::uint64_t>(state.armed) << 1 |
           static_cast<std::uint64_t>(state.tool_placed));
  hash.Add(static_cast<std::uint64_t>(state.guard.sequence) << 32 |
           static_cast<std::uint64_t>(static_cast<std::uint16_t>(state.guard.ticks_without_sample)));
  hash.Add(state.tool.p_WT_m);
  hash.Add(state.tool.q_WT);
  hash.Add(state.tool.twist_W);
  hash.Add(state.handle.handle().p_WH_m);
  hash.Add(state.handle.handle().q_WH);
  hash.Add(state.handle.handle().twist_W);
  for (int i = 0; i < 6; ++i) {
    hash.Add(state.handle.lag(i));
    hash.Add(state.handle.share(i));
  }
  if (state.handle.chart().motors() > 0) internal::AddChart(state.handle.chart(), &hash);
  hash.Add(state.rest_W);
  hash.Add(state.passivity.stored_J);
  hash.Add(state.passivity.dissipated_J);
  hash.Add(state.passivity.damping_ratio);
  hash.Add(state.gain);
  hash.Add(state.raw_wrench_W);
  hash.Add(state.command_wrench_W);
  if constexpr (kServoScene.hands > 1) {
    if (state.second.guard.has_sample) internal::AddSecondHand(state.second, &hash);
  }
  for (int i = kTool + 1; i < state.scene.bodies.size(); ++i) {
    hash.Add(state.scene.bodies[i].p_WT_m);
    hash.Add(state.scene.bodies[i].q_WT);
    hash.Add(state.scene.bodies[i].twist_W);
  }
  if (state.stream.has_set) internal::AddStream(state.stream, &hash);
  if (state.workspace.maps) internal::AddWorkspace(state.workspace, &hash);
  return hash.value();
}

}  // namespace tactus
