namespace tactus {

namespace internal {

/// Starts afresh with the tool in the handle, at rest, and a scene's bodies where they start.
template <class Scalar, Capacity kCapacity>
void PlaceTool(const Config<Scalar>& config, const SampleCheck<Scalar>& check, State<Scalar, kCapacity>* state) {
  BeginWorkspace(config, state);
  const HandleState<Scalar> hand{.p_WH_m = check.p_WH_m, .q_WH = check.q_WH};
  BeginHand<Scalar>(check, VirtualHandle(hand, config, *state), state);
  state->solver.Reset();
  if constexpr (kSceneCapacity.bodies > 1) state->many.solver.Reset();
  if constexpr (kHasLargeScenes) state->large.solver.Reset();
  if (HasWorld(config)) Restart(*config.world, &state->scene);
  state->tool_placed = true;
  state->placed_inside = true;  // until the shapes say that it is not
}

/// The shapes on board, at the tool's pose, to contacts in the world.
template <class Scalar, Capacity kCapacity>
void FindContacts(const Config<Scalar>& config, const RigidBodyState<Scalar>& tool, Scalar search_m,
                  ContactSet<Scalar, kCapacity.contacts>* contacts) {
  const Quaternion<Scalar> q_WS = Normalized(config.scene.q_WS);
  const Mat<Scalar, 3, 3> R_WS = RotationMatrix(q_WS), R_SW = R_WS.transpose(), R_WT = RotationMatrix(tool.q_WT);
  const Vec<Scalar, 3> p_ST_W = tool.p_WT_m - config.scene.p_WS_m, z_T_W = R_WT.col(2);
  const Vec<Scalar, 3> p_ST_S = R_SW * p_ST_W, z_T_S = R_SW * z_T_W;
  const Peg<Scalar> peg{.radius_m = config.tool.radius_m, .length_m = config.tool.length_m};
  const PlateWithHole<Scalar> plate{.hole_radius_m = config.scene.hole_radius_m,
                                    .hole_depth_m = config.scene.hole_depth_m,
                                    .rim_radius_m = config.scene.rim_radius_m};
  CollidePegWithHole(peg, plate, p_ST_S, z_T_S, search_m, contacts);
  TransformContacts(config.scene.p_WS_m, R_WS, contacts);
}

/// The tools, in their places among a scene's bodies.
template <class Scalar, Capacity kCapacity>
void PutTools(const Config<Scalar>& config, State<Scalar, kCapacity>* state) {
  state->scene.bodies[kTool] = state->tool;
  if constexpr (kServoScene.hands > 1) {
    if (HasSecondHand(config)) state->scene.bodies[kSecondTool] = state->second.tool;
  }
}

/// A tool that was placed inside an obstacle stays in the handle, without a force, until the hand has drawn it out: a tool
/// pushed out by the simulation would drive the motors. @returns whether it is still inside.
template <class Scalar, Capacity kCapacity>
[[gnu::noinline]] bool WaitsInside(const HandleState<Scalar>& handle, const Config<Scalar>& config,
                                   State<Scalar, kCapacity>* state, Telemetry<Scalar>* telemetry) {
  state->tool = RigidBodyState<Scalar>{.p_WT_m = handle.p_WH_m, .q_WT = handle.q_WH};
  if constexpr (kServoScene.hands > 1) KeepInSecondHand<Scalar>(config, &state->second);
  if (config.stream.open) {
    state->placed_inside = StreamKeepsWaiting(config, state, telemetry);
  } else if (HasWorld(config)) {
    PutTools(config, state);
    state->problem.contacts.clear();
    const SceneContacts<Scalar> found =
        FindContacts(*config.world, Scalar(0), Scalar(0), Scalar(0), &state->scene, &state->problem.contacts);
    state->placed_inside = found.tool_gap_m < -Scalar(kPlacedInside_m) * config.workspace.scale;
    ReportContacts(state->problem.contacts.size(), found.dropped, found.min_gap_m, telemetry);
  } else {
    auto& contacts = state->contacts;
    contacts.Clear();
    FindContacts<Scalar, kCapacity>(config, state->tool, config.scene.margin_m, &contacts);
    state->placed_inside = contacts.min_gap_m() < -Scalar(kPlacedInside_m) * config.workspace.scale;
    if (state->placed_inside) ReportContacts(contacts, telemetry);
  }
  if (!state->placed_inside) return false;
  state->raw_wrench_W.setZero();
  if constexpr (kServoScene.hands > 1) state->second.raw_wrench_W.setZero();
  return true;
}

/// One step of config.world, by the solver and in the work space that it fits. @returns as StepTool
template <class Scalar, Capacity kCapacity, class Solver, class Problem, class Solution>
bool StepScene(const Config<Scalar>& config, const HandleState<Scalar>& handle, const ImplicitWrench<Scalar>& coupling,
               Solver* solver, Problem* problem, Solution* solution, State<Scalar, kCapacity>* state,
               Telemetry<Scalar>* telemetry) {
  const PreparedScene<Scalar>& world = *config.world;
  const Vec<Scalar, 3> handle_mps = handle.twist_W.template head<3>(), handle_radps = handle.twist_W.template tail<3>();
  ToolDrive<Scalar> drive{.step_s = config.period_s,
                          .mass_kg = config.tool.mass_kg,
                          .inertia_kgm2 = config.tool.inertia_kgm2,
                          .gravity_W_mps2 = config.scene.gravity_W_mps2,
                          .coupling = coupling,
                          .handle_speed_mps = Norm(handle_mps) + world.bodies[kTool].reach_m * Norm(handle_radps),
                          .search_factor = Scalar(kSearchFactor),
                          .directions = config.directions,
                          .direction_offset_rad = config.direction_offset_rad};
  if constexpr (kServoScene.hands > 1) {
    if (HasSecondHand(config)) drive.second = &state->second.drive;
  }
  SceneContacts<Scalar> found;
  PutTools(config, state);
  if (BuildProblem(world, drive, &state->scene, &found, problem) != Status::kOk) return false;
  ReportContacts(problem->contacts.size(), found.dropped, found.min_gap_m, telemetry);
  SolverOptions<Scalar> options = ServoOptions(config);
  if (!world.IsToolAlone() || world.grid_points > 0) {
    const std::int64_t whole = world.IsToolAlone() ? config.work.alone : config.work.of_many;
    const std::int64_t left = whole - kWorkOfJointRow * world.joint_rows - kWorkOfGridPoint * world.grid_points -
                              kWorkOfSecondHand * (world.hands - 1);
    options.work_budget = static_cast<int>(Max(left, work::Least(problem->contacts.size())));
  }
  const auto least_work = [](std::int64_t contacts) { return work::Least(contacts); };  // no pointer: the stack gate
  SolveScene(world, options, least_work, solver, problem, solution, &state->scene);
  ReportSolution(*solution, telemetry);
  if (solution->status == SolveStatus::kInvalid) return false;
  const ToolWork<Scalar> work = WorkOnTool(*problem, *solution, state->scene.joint_wrench_W[kTool]);
  state->passivity.given_J = AtHand(config.workspace, FeltGift(config, state->raw_wrench_W, work, &state->lent_J));
  Advance(world, *problem, *solution, &state->scene);
  state->tool = state->scene.bodies[kTool];
  if constexpr (kServoScene.hands > 1) {
    if (HasSecondHand(config)) TakeSecondTool(config, *problem, *solution, state);
  }
  bool finite = true;
  for (const RigidBodyState<Scalar>& body : state->scene.bodies)
    finite = finite && IsFinite(body.p_WT_m) && IsFinite(body.q_WT) && IsFinite(body.twist_W);
  return finite;
}

/// A Tune may have raised the friction above it.
template <class Scalar>
Scalar StaticFriction(const SceneConfig<Scalar>& scene) {
  return scene.static_friction > scene.friction ? scene.static_friction : Scalar(0);
}

/// As many contacts as the board has work for. The tool goes as far as the search thought it might, the margin apart, and as
/// far as the largest force takes it from rest.
template <class Scalar, Capacity kCapacity>
[[gnu::noinline]] void KeepForBoard(const Config<Scalar>& config, const BodyStep<Scalar>& step, Scalar search_m,
                                    const State<Scalar, kCapacity>& state,
                                    ContactSet<Scalar, kCapacity.contacts>* contacts) {
  const Scalar most_N = config.limits.max_force_N / config.workspace.force_scale;
  const Scalar from_rest_m = config.period_s * config.period_s * most_N / config.tool.mass_kg;
  std::array<std::int32_t, kCapacity.contacts> last_ids;
  const int last = state.problem.contacts.size();
  for (int i = 0; i < last; ++i) last_ids[static_cast<std::size_t>(i)] = state.problem.contacts[i].id;
  (void)KeepContacts(config.work.contacts, state.tool, step, search_m - config.scene.margin_m + from_rest_m,
                     std::span<const std::int32_t>(last_ids.data(), static_cast<std::size_t>(last)), contacts);
}

/// Contacts, contact problem, solver, step: the tool moves for one period. @returns false if the solver refused the problem,
/// or the tool's new state is not finite.
template <class Scalar, Capacity kCapacity>
bool StepTool(const Config<Scalar>& config, const HandleState<Scalar>& handle, const ImplicitWrench<Scalar>& coupling,
              State<Scalar, kCapacity>* state, Telemetry<Scalar>* telemetry) {
  if (config.stream.open) return StepStreamed(config, handle, coupling, state, telemetry);
  if (HasWorld(config)) {
    const bool is_tool_alone = config.world->IsToolAlone();
    if constexpr (kHasLargeScenes) {
      auto& large = state->large;
      if (config.world->is_large)
        return StepScene(config, handle, coupling, &large.solver, &large.problem, &large.solution, state, telemetry);
    }
    if constexpr (kSceneCapacity.bodies > 1) {
      auto& many = state->many;
      if (!is_tool_alone)
        return StepScene(config, handle, coupling, &many.solver, &many.problem, &many.solution, state, telemetry);
    }
    return is_tool_alone &&
           StepScene(config, handle, coupling, &state->solver, &state->problem, &state->solution, state, telemetry);
  }
  auto& contacts = state->contacts;
  contacts.Clear();
  const Scalar search_m = SearchDistance(config, state->tool.twist_W, handle.twist_W);
  FindContacts<Scalar, kCapacity>(config, state->tool, search_m, &contacts);

  BodyStep<Scalar> step = ToolStep(config, coupling);
  step.friction = config.scene.friction;
  step.static_friction = StaticFriction(config.scene);
  step.viscous_friction_Ns_per_m = config.scene.viscous_friction_Ns_per_m;
  const Scalar min_gap_m = contacts.min_gap_m();
  if (contacts.points().size() > config.work.contacts) KeepForBoard(config, step, search_m, *state, &contacts);
  ReportContacts(contacts.points().size(), contacts.dropped(), min_gap_m, telemetry);
  BuildProblem(state->tool, step, contacts, &state->problem);

  static_assert(kWorkBudget >= work::Least(kCapacity.contacts), "a tick must have the work for its safe answer");
  state->solver.Solve(state->problem, ServoOptions(config), &state->solution);
  ReportSolution(state->solution, telemetry);
  if (state->solution.status == SolveStatus::kInvalid) return false;

  AdvanceBody(state->solution, config.period_s, &state->tool);
  return IsFinite(state->tool.p_WT_m) && IsFinite(state->tool.q_WT) && IsFinite(state->tool.twist_W);
}

/// From the handle's estimate to the wrench on the hand, for a good sample, which is from `counts`. The scene has the
/// virtual handle; strain, coupling and wrench are the hand's (workspace.h).
template <class Scalar, Capacity kCapacity>
void Simulate(const Config<Scalar>& config, const CountSteps& counts, State<Scalar, kCapacity>* state,
              SampleCheck<Scalar>* check, Telemetry<Scalar>* telemetry) {
  const HandleState<Scalar> hand = EstimateHandle<Scalar>(config, counts, state, check);
  telemetry->handle_twist_W = hand.twist_W;
  if constexpr (kServoScene.hands > 1) {
    if (HasSecondHand(config)) FollowSecondHand(config, &state->second, check);
  }
  if (check->status != Status::kOk) return;
  if (HasClutch(state->workspace) && !HasSecondHand(config)) MoveClutch(hand, config, state);
  const HandleState<Scalar> handle = VirtualHandle(hand, config, *state);
  if (config.stream.open && !state->placed_inside) JudgeStream(config, state, telemetry);
  if (state->placed_inside && WaitsInside(handle, config, state, telemetry)) return;
  Vec<Scalar, 6> error_D = AsHand(CouplingError(handle, state->tool), config, *state);
  if (HoldsNoTurn(config)) error_D.template tail<3>().setZero();
  const Vec<Scalar, 3> turn_rad = error_D.template tail<3>();
  if (Norm(turn_rad) > Scalar(kMaxTurn_rad)) {
    Condemn(Fault::kHandleOutside, status_bit::kHandleOutside, check);
    return;
  }
  if constexpr (kServoScene.hands > 1) {
    if (HasSecondHand(config) && !DrawSecondTool(config, state->gain, &state->second, check)) return;
  }
  ReleaseRest<Scalar>(error_D, config, state);
  if (state->workspace.eases) EaseIn(error_D, config, state);
  const Vec<Scalar, 6> strain_D = error_D - state->rest_W, twist_D = AsHand(handle.twist_W, config, *state);
  ObservePassivity<Scalar>(*check, strain_D, config, state->gain, state);
  const ImplicitWrench<Scalar> coupling = Couple(strain_D, twist_D, config.coupling, config.period_s);
  const ImplicitWrench<Scalar> on_tool = state->workspace.maps ? ToScene(config.workspace, coupling) : coupling;
  if (!StepTool(config, handle, on_tool, state, telemetry)) {
    check->fault = Fault::kSolverInvalid;
    return;
  }
  telemetry->coupling_wrench_W = -coupling.At(AsHand(state->tool.twist_W, config, *state));
  state->raw_wrench_W = WrenchOnHand<Scalar>(telemetry->coupling_wrench_W, twist_D, config, state, &telemetry->status);
  telemetry->damping_ratio = state->passivity.damping_ratio;
  if (HoldsNoTurn(config)) state->raw_wrench_W.template tail<3>().setZero();
  if constexpr (kServoScene.hands > 1) {
    if (HasSecondHand(config)) AnswerSecondHand(config, &state->second, telemetry);
  }
}

/// Latches faults, and moves the gain: up while all is well, down when not.
template <class Scalar, Capacity kCapacity>
Mode UpdateMode(const Config<Scalar>& config, const SampleCheck<Scalar>& check, State<Scalar, kCapacity>* state) {
  if (state->fault == Fault::kNone) state->fault = check.fault;
  Mode mode = Mode::kActive;
  if (state->fault != Fault::kNone) {
    mode = Mode::kFault;
  } else if (!state->armed) {
    mode = Mode::kDisarmed;
  } else if (check.status != Status::kOk) {
    mode = state->guard.ticks_without_sample <= config.guard.hold_ticks ? Mode::kHolding : Mode::kFading;
  }
  const bool stream_fades = StreamFades(config, *state);
  const bool fades = stream_fades || state->workspace.clutch != ClutchPhase::kOpen;
  if (state->placed_inside) state->gain = Scalar(0);
  if (mode == Mode::kActive && !state->placed_inside && !fades)
    state->gain = Min(Scalar(1), state->gain + config.period_s / config.limits.soft_start_s);
  if ((mode != Mode::kActive && mode != Mode::kHolding) || fades) {
    state->gain = Max(Scalar(0), state->gain - config.period_s / config.guard.ramp_down_s);
  }
  if (stream_fades && state->gain == Scalar(0)) state->placed_inside = true;
  if (mode == Mode::kFading && state->gain == Scalar(0)) {
    state->fault = check.cause;
    mode = Mode::kFault;
  }
  return mode;
}

/// A force that is not finite is a fault.
template <class Scalar, Capacity kCapacity>
void LimitCommand(const Config<Scalar>& config, Scalar last_gain, State<Scalar, kCapacity>* state,
                  Telemetry<Scalar>* telemetry) {
  LimitHand<Scalar>(config, state->gain, last_gain, state, &telemetry->status);
  if constexpr (kServoScene.hands > 1) {
    if (HasSecondHand(config)) LimitHand<Scalar>(config, state->gain, last_gain, &state->second, &telemetry->status);
  }
  if ((telemetry->status & status_bit::kForceNotFinite) == 0) return;
  state->raw_wrench_W.setZero();
  if constexpr (kServoScene.hands > 1) state->second.raw_wrench_W.setZero();
  ZeroCommand(state);
  state->gain = Scalar(0);
  if (state->fault == Fault::kNone) state->fault = Fault::kForceNotFinite;
  telemetry->mode = Mode::kFault;
}

template <class Scalar, Capacity kCapacity>
void ReportState(const State<Scalar, kCapacity>& state, Telemetry<Scalar>* telemetry) {
  telemetry->tick = state.tick;
  telemetry->fault = state.fault;
  telemetry->p_WT_m = state.tool.p_WT_m;
  telemetry->q_WT = state.tool.q_WT;
  telemetry->tool_twist_W = state.tool.twist_W;
  telemetry->command_wrench_W = state.command_wrench_W;
  telemetry->gain = state.gain;
  telemetry->stored_J = state.passivity.stored_J;
  telemetry->dissipated_J = state.passivity.dissipated_J;
  telemetry->state_hash = HashState(state);
  if (telemetry->mode == Mode::kActive && state.gain < Scalar(1)) telemetry->status |= status_bit::kSoftStart;
  if (state.placed_inside && state.fault == Fault::kNone) telemetry->status |= status_bit::kPlacedInside;
  if (state.workspace.clutch != ClutchPhase::kOpen) telemetry->status |= status_bit::kClutched;
}

}  // namespace internal

template <class Scalar, Capacity kCapacity>
Status Tick(const SensorFrame& sample, const Config<Scalar>& config, State<Scalar, kCapacity>* state, CommandFrame* command,
            Telemetry<Scalar>* telemetry) noexcept {
  *telemetry = Telemetry<Scalar>{};
  telemetry->sample_sequence = sample.sequence;
  ++state->tick;
  state->commands.Push(state->command_wrench_W);

  SampleCheck<Scalar> check = CheckSample(sample, config.guard, state->guard);
  if constexpr (kServoScene.hands > 1) {
    if (HasSecondHand(config)) internal::CheckSecondHand(config, &state->second, &check);
  }
  if (check.status == Status::kOk && !state->tool_placed) {
    internal::PlaceTool(config, check, state);
    if constexpr (kServoScene.hands > 1) {
      if (HasSecondHand(config)) internal::BeginSecondHand(&state->second);
    }
    telemetry->status |= status_bit::kToolPlaced;
  }
  if (check.status == Status::kOk && state->fault == Fault::kNone) {
    internal::Simulate(config, sample.counts, state, &check, telemetry);
  }
  RememberSample(sample, check, &state->guard);
  if constexpr (kServoScene.hands > 1) {
    if (HasSecondHand(config)) RememberSample(state->second.sample, check, &state->second.guard);
  }

  telemetry->status |= check.bits;
  const Scalar last_gain = state->gain;
  telemetry->mode = internal::UpdateMode(config, check, state);
  internal::LimitCommand(config, last_gain, state, telemetry);
  internal::ReportState(*state, telemetry);
  internal::FillCommand(sample.sequence, state->command_wrench_W, command);
  return state->fault != Fault::kNone ? Status::kNotReady : check.status;
}

}  // namespace tactus
