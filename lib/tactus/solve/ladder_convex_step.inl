namespace tactus {

// Where work has run out on a path the convex step comes first. If it is no solution it is in hand as the safe answer, and
// the path goes on with what its reserve sets free. @returns whether it is a solution
template <class Scalar, Capacity kCapacity, class Lemke>
bool Ladder<Scalar, kCapacity, Lemke>::EndsInConvexStep(const Problem& problem, int max_pivots, LemkeReport* report) {
  if constexpr (kHasConvexStep && kResumes) {
    if (report->outcome != LemkeOutcome::kBudget || !work_.was_refused()) return false;
    if (convex_.state != ConvexState::kUntried) return false;
    if (TryConvexStep(problem)) return true;
    if (convex_.state != ConvexState::kInHand) return false;
    work_.GoOn(ReserveInHand(problem));
    const LemkeReport rest = lemke().Resume(problem, max_pivots - report->pivots);
    *report = {rest.outcome, report->pivots + rest.pivots};
  }
  return false;
}

// LCP2 for gaps max(Φ, 0), Γ = b_clear - b: solvable unless a surface moves, |u| ≤ |k|, and no gap closes (theory 8, 11).
// @returns whether it solves the problem as given
template <class Scalar, Capacity kCapacity, class Lemke>
bool Ladder<Scalar, kCapacity, Lemke>::TryConvexStep(const Problem& problem) {
  if constexpr (kHasConvexStep) {
    if (convex_.state != ConvexState::kUntried) return false;
    convex_.state = ConvexState::kFailed;
    const int n = problem.contacts.size();
    for (int i = 0; i < n; ++i) {
      if (problem.contacts[i].epsilon > Scalar(0)) return false;  // it has walls alone
    }
    Work work = work_;
    work.GoOn(ReserveOfProjection(problem));
    if (!work.Take(work::ConvexStep(n))) return false;
    typename ConvexStep<Scalar, kCapacity>::Gamma gamma;
    for (int i = 0; i < n; ++i) gamma[i] = problem.contacts[i].b_clear - problem.contacts[i].b;
    // Ten for each row that can be active. Of 12 000 cold starts of one body none took more than 40.
    constexpr int kMostIterations = 10 * Problem::kVelocity;
    convex_.step.set_work(&work);
    const bool done = convex_.step.Solve(problem, gamma, kMostIterations);
    if (done) {
      convex_.state = ConvexState::kInHand;
    } else if (work.was_refused()) {
      convex_.state = ConvexState::kCutOff;
    }
    convex_.answer.Take(convex_.step);
    bool is_solution = false;
    if (done) {
      GiveConvexStep(problem);
      if (internal::AddsEnergy(problem, *impulses_, u_)) {
        convex_.state = ConvexState::kFailed;
      } else {
        is_solution = Holds(problem) || TryExactLaw(problem, &gamma, &work);
      }
    }
    convex_.step.set_work(nullptr);
    work_.Spend(work.done() - work_.done());
    return is_solution;
  }
  return false;
}

// The path from nothing begins with two thirds of what is left beside the reserve. The rest is the convex step's, and what
// that leaves is the path's again.
template <class Scalar, Capacity kCapacity, class Lemke>
void Ladder<Scalar, kCapacity, Lemke>::ShareWithConvexStep(const Problem& problem) {
  const std::int64_t reserve = Reserve(problem);
  work_.set_reserve(reserve);
  if constexpr (kHasExactLaw) {
    if (work_.left() > 0) work_.set_reserve(reserve + work_.left() / kConvexShare);
  }
}

// Where the convex step slips and so takes off: the exact law on its rows, and if that is no solution on those of the next
// step of LCP1, Γ = μ Λ(u) (theory 8.4). @returns whether one is found
template <class Scalar, Capacity kCapacity, class Lemke>
bool Ladder<Scalar, kCapacity, Lemke>::TryExactLaw(const Problem& problem,
                                                   typename ConvexStep<Scalar, kCapacity>::Gamma* gamma, Work* work) {
  if constexpr (kHasExactLaw) {
    // In 39 000 problems with a budget the law held 1 107 times on the first step's rows, 638 on the second's and 322 on the
    // third's. Of 13 500 further steps none took more than 22 iterations, and one body has 30.
    constexpr int kMostSteps = 3, kMostIterations = 5 * Problem::kVelocity;
    const int n = problem.contacts.size();
    const auto in_hand = convex_.answer;
    work->GoOn(ReserveInHand(problem));
    for (int step = 0; step < kMostSteps; ++step) {
      internal::ExactLaw<Problem> law;
      const bool is_new = step == 0 || convex_.step.iterations() > 0;
      if (is_new) {
        if (!work->Take(work::ExactLaw())) break;
        const bool is_possible = law.Solve(problem, &convex_.answer);
        if (is_possible) {
          if (!work->Take(work::Verification(n))) break;
          GiveConvexStep(problem);
          if (Holds(problem)) return true;
        }
      }
      if (!work->Take(work::NextConvexStep(n))) break;
      for (int i = 0; i < n; ++i) {
        const auto& contact = problem.contacts[i];
        const typename Problem::Tangential slip = Problem::TangentDot(contact, convex_.step.velocity()) + contact.tau;
        (*gamma)[i] = contact.b_clear - contact.b + contact.mu * problem.Lambda(slip);
      }
      if (!convex_.step.SolveAgain(problem, *gamma, kMostIterations)) break;
      convex_.answer.Take(convex_.step);
    }
    convex_.answer = in_hand;
  }
  return false;
}

template <class Scalar, Capacity kCapacity, class Lemke>
void Ladder<Scalar, kCapacity, Lemke>::GiveConvexStep(const Problem& problem) {
  if constexpr (kHasConvexStep) {
    convex_.answer.GetImpulses(problem, impulses_);
    u_ = problem.VelocityFor(*impulses_);
    residual_ = ComplementarityResidual(problem, *impulses_, u_);
    rung_ = Rung::kConvexStep;
  }
}

// A contact with active rows (i, j) carries, and slides or sticks at the edge of its cone: θ, λ and these φ are basic.
template <class Scalar, Capacity kCapacity, class Lemke>
ContactBasis Ladder<Scalar, kCapacity, Lemke>::ConvexBasis(int contact) const {
  ContactBasis basis;
  if constexpr (kHasConvexStep) {
    for (const auto& [row, beta] : convex_.answer.entries) {
      if (row.contact != contact) continue;
      basis.theta = true;
      if (row.direction < 0) continue;
      basis.expanded = basis.lambda = true;
      basis.phi |= 1u << row.direction;
    }
  }
  return basis;
}

}  // namespace tactus
