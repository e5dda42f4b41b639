namespace tactus {

template <class Scalar, Capacity kCapacity, class Lemke>
void Ladder<Scalar, kCapacity, Lemke>::AnswerSqueeze(Problem* problem, const LadderOptions& options) {
  std::array<Scalar, kCapacity.contacts> gaps;
  for (int i = 0; i < problem->contacts.size(); ++i) gaps[i] = problem->contacts[i].b;
  LemkeOutcome outcome = LemkeOutcome::kSingular;  // if no cold start runs
  const auto answer = [&] {
    for (int attempt = 0; attempt <= options.reseeds && MayStart(options); ++attempt) {
      if (TryCold(*problem, options, attempt, &outcome, {accept_, accept_})) return true;
    }
    return false;
  };
  problem->ClampGaps();  // no ray goes along a contact that yields (theory 11.2)
  squeezed_ = false;     // the certificate does not hold for the clamped gaps
  // The drives alone may squeeze the bodies. Then the problem is solved with all drives at rest.
  const bool is_driven = problem->IsDriven(), still_squeezed = is_driven && internal::IsCertificate(*problem, *certificate_);
  const auto fall_back = [&] {
    FallBack(
        *problem, [](Impulses* impulses) { *impulses = {}; }, outcome == LemkeOutcome::kBudget);
  };
  bool answered = !still_squeezed && answer();
  // Unless the drives squeeze the bodies without friction too, some velocity may follow them, and then no gap closes.
  const bool none_follows = still_squeezed && internal::IsFrictionless(*problem, *certificate_);
  bool is_safe = false;
  if (!answered && is_driven && !none_follows) {
    fall_back();
    is_safe = options.deadline.IsSet() || !ClosesGap(*problem);
  }
  if (!answered && !is_safe && is_driven) {
    problem->ClampGaps(Scalar(0));
    answered = answer();
  }
  if (work_.was_refused()) shortfall_ = Shortfall::kWork;
  if (answered) {
    rung_ = Rung::kClampedGaps;
  } else if (!is_safe) {
    problem->ClampGaps();
    fall_back();
  }
  for (int i = 0; i < problem->contacts.size(); ++i) problem->contacts[i].b = gaps[i];
  residual_ = ComplementarityResidual(*problem, *impulses_);
  status_ = SolveStatus::kJammed;
}

template <class Scalar, Capacity kCapacity, class Lemke>
template <class Recall>
void Ladder<Scalar, kCapacity, Lemke>::FallBack(const Problem& problem, const Recall& recall, bool iterate_is_safe) {
  const int n = problem.contacts.size();
  if (n == 0) return TakeFreeMotion(problem);
  status_ = SolveStatus::kBudget;
  if (TryConvexStep(problem)) return;
  const bool in_hand = convex_.state == ConvexState::kInHand;
  if (in_hand && !recalls_) {
    work_.Spend(work::InHand(n));
    return GiveConvexStep(problem);
  }
  work_.set_reserve(0);
  // No work is left for a projection: the budget is below work::Least, or the convex step took it, or an answer that was
  // flung (ContactSolver). Rest carries nothing, and work::Setup has what judges it: it counts what is left.
  if (!work_.Allows(work::Fallback(n))) {
    const std::int64_t in_hand_cost = work::InHand(n);
    work_.Spend(in_hand ? in_hand_cost : Clamp(work_.left(), std::int64_t{0}, in_hand_cost));
    return in_hand ? GiveConvexStep(problem) : Rest(problem);
  }
  work_.Spend(work::Fallback(n));
  recall(impulses_);
  Share share = SafeShare(problem, false);
  Rung rung = Rung::kPreviousProjected;
  if (!(share.s > Scalar(0)) && in_hand) return GiveConvexStep(problem);
  if (!(share.s > Scalar(0)) && convex_.state == ConvexState::kCutOff) {
    GiveConvexStep(problem);
    share = SafeShare(problem, true);
    rung = Rung::kConvexStep;
  } else if (!(share.s > Scalar(0)) && iterate_is_safe) {
    lemke().GetImpulses(problem, impulses_);
    share = SafeShare(problem, true);
    rung = Rung::kIterateProjected;
  }
  Nearest* const nearest = &workspace_.template emplace<Nearest>();
  nearest->set_work(&work_);
  bool answered = share.s > Scalar(0) && Project(problem, share, rung, nearest);
  if (!answered && in_hand) {
    GiveConvexStep(problem);
    answered = true;
  }
  if (!answered) {
    *impulses_ = {};
    answered = Project(problem, {}, Rung::kFrictionless, nearest);
  }
  workspace_.template emplace<Lemke>();
  if (!answered) Rest(problem);
}

template <class Scalar, Capacity kCapacity, class Lemke>
bool Ladder<Scalar, kCapacity, Lemke>::ClosesGap(const Problem& problem) const {
  const Scalar least = -accept_ * (Sqrt(u_.squaredNorm()) + Sqrt(problem.k.squaredNorm()));
  for (const auto& contact : problem.contacts) {
    if (contact.epsilon > Scalar(0)) continue;
    if (Problem::Dot(contact, contact.N, u_) + contact.b_clear < Min(least, accept_ * contact.b_clear)) return true;
  }
  return false;
}

// Without a contact there is nothing to fall back from.
template <class Scalar, Capacity kCapacity, class Lemke>
void Ladder<Scalar, kCapacity, Lemke>::TakeFreeMotion(const Problem& problem) {
  *impulses_ = {};
  u_ = problem.k;
  status_ = SolveStatus::kSolved;
  shortfall_ = Shortfall::kNone;
  rung_ = Rung::kCold;
  residual_ = Scalar(0);
}

template <class Scalar, Capacity kCapacity, class Lemke>
void Ladder<Scalar, kCapacity, Lemke>::Rest(const Problem& problem) {
  *impulses_ = {};
  u_.setZero();
  rung_ = Rung::kRest;
  residual_ = ComplementarityResidual(problem, *impulses_);
}

// s = argmin ½|k + s J|² - s g, 0 ≤ s ≤ 1, J = N θ + D φ of the impulses at hand: then |k + s J|² ≤ |k|² + 2 s g. For an
// iterate, whose θ and φ are ≥ 0, g is what b̄ and τ give. Other impulses may be negative: for them g = 0, and no energy is
// added.
template <class Scalar, Capacity kCapacity, class Lemke>
auto Ladder<Scalar, kCapacity, Lemke>::SafeShare(const Problem& problem, bool is_iterate) const -> Share {
  const Velocity J = problem.ContactImpulse(*impulses_);
  const Scalar J_squared = J.squaredNorm();
  if (!(J_squared > Scalar(0))) return {};
  const auto gap = [](const auto& contact) { return contact.b_clear; };
  const Scalar g = is_iterate ? internal::GivenEnergy(problem, *impulses_, gap) : Scalar(0);
  const Scalar s = Clamp((g - problem.k.dot(J)) / J_squared, Scalar(0), Scalar(1));
  return {s, Max(s * g, Scalar(0))};
}

// u = the velocity nearest to k + s (N θ + D φ) that does not penetrate. @returns false if it has more energy than k and
// what moving surfaces and joints give.
template <class Scalar, Capacity kCapacity, class Lemke>
bool Ladder<Scalar, kCapacity, Lemke>::Project(const Problem& problem, const Share& share, Rung rung, Nearest* nearest) {
  if (!work_.Take(work::Projection(problem.contacts.size()))) return false;
  for (int i = 0; i < problem.contacts.size(); ++i) {
    impulses_->theta[i] *= share.s;
    for (int j = 0; j < problem.directions; ++j) impulses_->phi[i][j] *= share.s;
  }
  u_ = problem.VelocityFor(*impulses_);
  // Four for each row that can be active. One body has 28; of 8 000 projections in hostile ticks 6 took more than 12
  // (work.h).
  constexpr int max_iterations = 4 * Problem::kVelocity + 4;
  if (!nearest->Solve(problem, max_iterations, &u_)) return false;
  const Scalar most = problem.k.squaredNorm() + Scalar(2) * (share.given + nearest->given_energy());
  if (!(u_.squaredNorm() <= most * (Scalar(1) + Tolerances<Scalar>::kEnergy))) return false;
  nearest->AddImpulses(impulses_);
  rung_ = rung;
  residual_ = ComplementarityResidual(problem, *impulses_);
  return true;
}

}  // namespace tactus
