#pragma once
// Let y_e enter, as a column of F or by its row's end, and y_l leave. With x the rates of the unknowns per unit of y_e and
// m'_l the rate of y_l, every constant p of the equations reaches y_l by an influence s_p, and after the exchange y_e takes
// up what would have changed y_l:
//
//     W'_p = W_p - (s_p / m'_l) x,      s_p = W_lp if z_l leaves,  (F_l W)_p if w_l leaves
//
// for every equation p that stays, with 1 as the rate of an entering z_e itself. The row of a leaving w_l becomes an
// equation: W'_l = x / m'_l. These four cases (z or w enters, z or w leaves) are the updates of [Lloyd04] 5.2.
#include <utility>

#include "tactus/core/scalar.h"
#include "tactus/solve/internal/lanes.h"
#include "tactus/solve/internal/ratio_test.h"
#include "tactus/solve/internal/updated_system.h"
#include "tactus/solve/tolerances.h"

namespace tactus::internal {

template <class Scalar, Capacity kCapacity>
void UpdatedSystem<Scalar, kCapacity>::Reset(const Problem& problem) {
  slots.Reset(problem.contacts.size(), problem.directions);
  z0_basic = false;
  excluded = {};
  entering_ = {};
  is_current_ = false;
}

template <class Scalar, Capacity kCapacity>
void UpdatedSystem<Scalar, kCapacity>::set_basis(int contact, const ContactBasis& start) {
  this->basis_[static_cast<std::size_t>(contact)] = start;
  if (start.expanded) slots.Expand(contact);
  is_current_ = false;
}

template <class Scalar, Capacity kCapacity>
void UpdatedSystem<Scalar, kCapacity>::EnterCover(const Variable& excluded_pair) {
  z0_basic = true;
  excluded = excluded_pair;
  is_current_ = false;
}

template <class Scalar, Capacity kCapacity>
void UpdatedSystem<Scalar, kCapacity>::LeaveCover() {
  if (is_current_ && entering_.pair != Pair::kNone) Exchange({Pair::kCover, -1, -1, true}, true);
  z0_basic = false;
  excluded = {};
}

template <class Scalar, Capacity kCapacity>
void UpdatedSystem<Scalar, kCapacity>::Enter(const Variable& driving) {
  entering_ = driving;
  SetBasic(&this->BasisOf(driving), driving.pair, driving.direction, driving.is_z);
}

template <class Scalar, Capacity kCapacity>
bool UpdatedSystem<Scalar, kCapacity>::Leave(const Variable& pair) {
  const bool z_leaves = IsBasic(basis(pair.contact), pair.pair, pair.direction);
  if (is_current_ && !z0_basic && entering_.pair == Pair::kNone) EnterFirstCover();
  if (is_current_ && entering_.pair != Pair::kNone) {
    Exchange(pair, z_leaves);
  } else {
    is_current_ = false;
  }
  SetBasic(&this->BasisOf(pair), pair.pair, pair.direction, false);
  z0_basic = true;
  excluded = pair;
  return z_leaves;
}

// A warm start: z0 enters a basis whose inverse is known.
template <class Scalar, Capacity kCapacity>
void UpdatedSystem<Scalar, kCapacity>::EnterFirstCover() {
  entering_ = {Pair::kCover, -1, -1, true};
  Source source;
  source.driving = MakeMember(*problem_, entering_);
  SolveUnknowns(*problem_, source);
}

template <class Scalar, Capacity kCapacity>
void UpdatedSystem<Scalar, kCapacity>::ScaleCover(Scalar factor) {
  this->ScaleCovers(factor);
  if (!is_current_ || !z0_basic) return;
  const int z0 = place_of_unknown_[Slots::kCover];
  for (int p = 0; p < equations_.size(); ++p) WRow(p)[z0] /= factor;
}

template <class Scalar, Capacity kCapacity>
auto UpdatedSystem<Scalar, kCapacity>::MakeMember(const Problem& problem, const Variable& y) const -> Member {
  Member member;
  member.of = y;
  member.slot = slots.Of(y);
  member.along.setZero();
  member.row = y.pair == Pair::kCover ? nullptr : &problem.contacts[y.contact];
  if (y.pair == Pair::kNormal) member.along = member.row->N;
  if (y.pair == Pair::kSlip) member.along = problem.Direction(*member.row, y.direction);
  return member;
}

template <class Scalar, Capacity kCapacity>
void UpdatedSystem<Scalar, kCapacity>::Add(const Member& member, Members* members, Places* places) {
  (*places)[static_cast<std::size_t>(member.slot)] = static_cast<std::int16_t>(members->size());
  TACTUS_CHECK(members->push_back(member) == Status::kOk);
}

// The element of the LCP's matrix (6), or of c
template <class Scalar, Capacity kCapacity>
Scalar UpdatedSystem<Scalar, kCapacity>::Entry(const Problem& problem, const Member& equation, const Member& unknown) const {
  if (unknown.of.pair == Pair::kCover) return this->Cover(equation.slot);
  const bool same_contact = equation.of.contact == unknown.of.contact;
  if (equation.of.pair == Pair::kCone) {
    if (!same_contact || unknown.of.pair == Pair::kCone) return Scalar(0);
    return unknown.of.pair == Pair::kNormal ? equation.row->mu : Scalar(-1);
  }
  if (unknown.of.pair == Pair::kCone) return same_contact && equation.of.pair == Pair::kSlip ? Scalar(1) : Scalar(0);
  Scalar product = Problem::Dot(*equation.row, equation.along, *unknown.row, unknown.along);
  if constexpr (Problem::kHasJoints) {  // A P B = A B - (QᵀA)(QᵀB)
    for (int c = 0; c < problem.joint_rank; ++c) {
      const Velocity& q = problem.Q[static_cast<std::size_t>(c)];
      product -= Problem::Dot(*equation.row, equation.along, q) * Problem::Dot(*unknown.row, unknown.along, q);
    }
  }
  return equation.slot == unknown.slot && equation.of.pair == Pair::kNormal ? product + equation.row->epsilon : product;
}

// W from nothing

template <class Scalar, Capacity kCapacity>
bool UpdatedSystem<Scalar, kCapacity>::ListMembers(const Problem& problem) {
  unknowns_.clear();
  equations_.clear();
  const auto add = [&](const Variable& y) {
    if (equations_.size() + 1 >= kMax) return false;
    Add(MakeMember(problem, y), &equations_, &place_of_equation_);
    Add(MakeMember(problem, y), &unknowns_, &place_of_unknown_);
    return true;
  };
  for (int i = 0; i < problem.contacts.size(); ++i) {  // first, since their rows and columns have two elements
    if (basis(i).lambda && !add({Pair::kCone, i, -1, true})) return false;
  }
  for (int i = 0; i < problem.contacts.size(); ++i) {
    if (basis(i).theta && !add({Pair::kNormal, i, -1, true})) return false;
    for (int j = 0; j < problem.directions; ++j) {
      if (IsBasic(basis(i), Pair::kSlip, j) && !add({Pair::kSlip, i, j, true})) return false;
    }
  }
  if (!z0_basic) return true;
  Add(MakeMember(problem, {Pair::kCover, -1, -1, true}), &unknowns_, &place_of_unknown_);
  Add(MakeMember(problem, excluded), &equations_, &place_of_equation_);
  return true;
}

template <class Scalar, Capacity kCapacity>
Scalar UpdatedSystem<Scalar, kCapacity>::Invert(const Problem& problem) {
  is_current_ = false;
  if (!ListMembers(problem)) return Scalar(0);
  const int size = unknowns_.size();
  for (int a = 0; a < size; ++a) {  // Fᵀ, whose inverse is Wᵀ
    for (int p = 0; p < size; ++p) WRow(a)[p] = Entry(problem, equations_[p], unknowns_[a]);
  }
  const Scalar pivot_ratio = InvertInPlace(size);
  is_current_ = pivot_ratio > Scalar(0);
  return pivot_ratio;
}

// Gauss-Jordan with partial pivoting
template <class Scalar, Capacity kCapacity>
Scalar UpdatedSystem<Scalar, kCapacity>::InvertInPlace(int size) {
  Scalar least(1), most(0);
  for (int k = 0; k < size; ++k) {
    int best = k;
    for (int i = k + 1; i < size; ++i) {
      if (Abs(WRow(i)[k]) > Abs(WRow(best)[k])) best = i;
    }
    swapped_[static_cast<std::size_t>(k)] = best;
    for (int j = 0; best != k && j < size; ++j) std::swap(WRow(k)[j], WRow(best)[j]);
    const Scalar pivot = Abs(WRow(k)[k]);
    if (!(pivot > Scalar(0))) return Scalar(0);
    least = k == 0 ? pivot : Min(least, pivot);
    most = Max(most, pivot);
    if (!ExchangeRow(k, size)) return Scalar(0);
  }
  for (int k = size - 1; k >= 0; --k) {
    const int other = swapped_[static_cast<std::size_t>(k)];
    for (int i = 0; other != k && i < size; ++i) std::swap(WRow(i)[k], WRow(i)[other]);
  }
  return size == 0 ? Scalar(1) : least / most;
}

template <class Scalar, Capacity kCapacity>
bool UpdatedSystem<Scalar, kCapacity>::ExchangeRow(int k, int size) {
  Scalar* source = WRow(k);
  const Scalar inverse = Scalar(1) / source[k];
  if (!IsFinite(inverse)) return false;
  source[k] = Scalar(1);
  for (int j = 0; j < size; ++j) source[j] *= inverse;
  for (int i = 0; i < size; ++i) {
    Scalar* target = WRow(i);
    const Scalar factor = target[k];
    if (i == k || factor == Scalar(0)) continue;
    target[k] = Scalar(0);
    AddMultiple<kMax>(-factor, source, size, target);
  }
  return true;
}

// Responses

template <class Scalar, Capacity kCapacity>
Scalar UpdatedSystem<Scalar, kCapacity>::RespondToConstant(const Problem& problem, Values* values) {
  Source q;
  q.is_constant = true;
  return Respond(problem, q, values);
}

template <class Scalar, Capacity kCapacity>
Scalar UpdatedSystem<Scalar, kCapacity>::RespondToDriving(const Problem& problem, const Variable& driving, Values* rates) {
  Source source;
  source.driving = MakeMember(problem, driving);
  return Respond(problem, source, rates);
}

template <class Scalar, Capacity kCapacity>
Scalar UpdatedSystem<Scalar, kCapacity>::Respond(const Problem& problem, const Source& source, Values* values) {
  constexpr Scalar kSmall = Tolerances<Scalar>::kFeasible;
  problem_ = &problem;
  Scalar pivot_ratio(1);
  for (int attempt = is_current_ ? 0 : 1; attempt < 2; ++attempt) {
    if (attempt == 1) pivot_ratio = Invert(problem);
    if (!(pivot_ratio > Scalar(0))) return Scalar(0);
    SolveUnknowns(problem, source);
    SetValues(problem, source, values);
    if (Error(source, *values) <= kSmall) break;
    Refine();
    SetValues(problem, source, values);
    if (Error(source, *values) <= kSmall) break;
  }
  for (int a = 0; a < unknowns_.size(); ++a) {
    values->at[static_cast<std::size_t>(unknowns_[a].slot)] = x_[static_cast<std::size_t>(a)];
  }
  if (!z0_basic) values->at[Slots::kCover] = Scalar(0);
  if (z0_basic) values->at[static_cast<std::size_t>(slots.Of(excluded))] = Scalar(0);
  return pivot_ratio;
}

// x = -W constants
template <class Scalar, Capacity kCapacity>
void UpdatedSystem<Scalar, kCapacity>::SolveUnknowns(const Problem& problem, const Source& source) {
  const int size = unknowns_.size();
  for (int a = 0; a < size; ++a) x_[static_cast<std::size_t>(a)] = Scalar(0);
  if (!source.is_constant && !source.driving.of.is_z) {
    AddMultiple<kMax>(Scalar(1), WRow(place_of_equation_[static_cast<std::size_t>(source.driving.slot)]), size, x_.data());
    return;
  }
  for (int p = 0; p < size; ++p) {
    const Member& equation = equations_[p];
    Scalar constant(0);
    if (!source.is_constant) {
      constant = Entry(problem, equation, source.driving);
    } else if (equation.of.pair == Pair::kNormal) {
      constant = Problem::Dot(*equation.row, equation.along, problem.k) + equation.row->b;
    } else if (equation.of.pair == Pair::kSlip) {
      constant = Problem::Dot(*equation.row, equation.along, problem.k) +
                 problem.DirectionTau(*equation.row, equation.of.direction);
    }
    if (constant != Scalar(0)) AddMultiple<kMax>(-constant, WRow(p), size, x_.data());
  }
}

// w = M z + c z0 + constants for every row, the equations' too, where it must come out as 0 (or 1, if w drives)
template <class Scalar, Capacity kCapacity>
void UpdatedSystem<Scalar, kCapacity>::SetValues(const Problem& problem, const Source& source, Values* values) {
  for (int slot = 0; slot < slots.size(); ++slot) z_[static_cast<std::size_t>(slot)] = Scalar(0);
  values->velocity.setZero();
  const auto set = [&](const Member& member, Scalar value) {
    z_[static_cast<std::size_t>(member.slot)] = value;
    if (member.of.pair == Pair::kNormal || member.of.pair == Pair::kSlip)
      Problem::AddTo(*member.row, member.along, value, &values->velocity);
  };
  for (int a = 0; a < unknowns_.size(); ++a) set(unknowns_[a], x_[static_cast<std::size_t>(a)]);
  if (source.driving.of.is_z) set(source.driving, Scalar(1));
  problem.Project(&values->velocity);
  if (source.is_constant) values->velocity += problem.k;
  values->at[Slots::kCover] = z_[Slots::kCover];
  for (int i = 0; i < problem.contacts.size(); ++i) ScanContact(problem, source, i, values);
}

template <class Scalar, Capacity kCapacity>
void UpdatedSystem<Scalar, kCapacity>::ScanContact(const Problem& problem, const Source& source, int i,
                                                   Values* values) const {
  const ContactRow& contact = problem.contacts[i];
  const Scalar z0 = z_[Slots::kCover];
  const std::size_t normal = static_cast<std::size_t>(Slots::Normal(i));
  values->at[normal] = Problem::Dot(contact, contact.N, values->velocity) + contact.epsilon * z_[normal] +
                       cover[normal] * z0 + (source.is_constant ? contact.b : Scalar(0));
  if (!basis(i).expanded) return;
  typename Problem::Tangential along = Problem::TangentDot(contact, values->velocity);
  if (source.is_constant) along += contact.tau;
  const std::size_t first = static_cast<std::size_t>(slots.Slip(i)), cone = static_cast<std::size_t>(slots.Cone(i));
  Scalar phi_sum(0);
  for (int j = 0; j < problem.directions; ++j) {
    const std::size_t J = static_cast<std::size_t>(j);
    phi_sum += z_[first + J];
    values->at[first + J] = along.dot(problem.direction[J]) + z_[cone] + cover[first + J] * z0;
  }
  values->at[cone] = contact.mu * z_[normal] - phi_sum + cover[cone] * z0;
}

// max |F x + constants| / max |x|
template <class Scalar, Capacity kCapacity>
Scalar UpdatedSystem<Scalar, kCapacity>::Error(const Source& source, const Values& values) {
  Scalar worst(0);
  for (int p = 0; p < equations_.size(); ++p) {
    const std::size_t P = static_cast<std::size_t>(p);
    error_[P] = values.at[static_cast<std::size_t>(equations_[p].slot)];
    const bool drives = !source.is_constant && !source.driving.of.is_z && equations_[p].slot == source.driving.slot;
    if (drives) error_[P] -= Scalar(1);
    worst = Max(worst, Abs(error_[P]));
  }
  const Scalar scale = source.is_constant ? Sqrt(values.velocity.squaredNorm()) : Scalar(1);
  return worst / Max(scale, LargestAbs(x_.data(), unknowns_.size()));
}

template <class Scalar, Capacity kCapacity>
void UpdatedSystem<Scalar, kCapacity>::Refine() {
  for (int p = 0; p < equations_.size(); ++p) {
    const Scalar error = error_[static_cast<std::size_t>(p)];
    if (error != Scalar(0)) AddMultiple<kMax>(-error, WRow(p), unknowns_.size(), x_.data());
  }
}

// Updates

template <class Scalar, Capacity kCapacity>
void UpdatedSystem<Scalar, kCapacity>::FindInfluence(const Member& equation) {
  const int size = unknowns_.size();
  for (int p = 0; p < size; ++p) influence_[static_cast<std::size_t>(p)] = Scalar(0);
  for (int a = 0; a < size; ++a) {
    const Scalar entry = Entry(*problem_, equation, unknowns_[a]);
    if (entry == Scalar(0)) continue;
    for (int p = 0; p < size; ++p) influence_[static_cast<std::size_t>(p)] += entry * WRow(p)[a];
  }
}

template <class Scalar, Capacity kCapacity>
void UpdatedSystem<Scalar, kCapacity>::Exchange(const Variable& leaving, bool z_leaves) {
  const Member equation = MakeMember(*problem_, leaving), column = MakeMember(*problem_, entering_);
  const int size = unknowns_.size();
  const int z_place = z_leaves ? Place(place_of_unknown_, leaving) : size;  // where a leaving z stands, an entering comes
  const int w_place = entering_.is_z ? size : Place(place_of_equation_, entering_);  // the same of the equations
  is_current_ = false;
  if (size + 1 >= kMax) return;

  Scalar rate(0);
  if (z_leaves) {
    rate = x_[static_cast<std::size_t>(z_place)];
    for (int p = 0; p < size; ++p) influence_[static_cast<std::size_t>(p)] = WRow(p)[z_place];
  } else {
    FindInfluence(equation);
    if (entering_.is_z) {
      rate = Entry(*problem_, equation, column);
      for (int a = 0; a < size; ++a) rate += Entry(*problem_, equation, unknowns_[a]) * x_[static_cast<std::size_t>(a)];
    } else {
      rate = influence_[static_cast<std::size_t>(w_place)];
    }
  }
  const Scalar inverse = Scalar(1) / rate;
  if (!IsFinite(inverse)) return;

  int width = size;
  if (entering_.is_z) {
    x_[static_cast<std::size_t>(z_place)] = Scalar(1);
    for (int p = 0; p < size; ++p) WRow(p)[z_place] = Scalar(0);
    width = Max(size, z_place + 1);
  }
  for (int p = 0; p < size; ++p) {
    const Scalar influence = influence_[static_cast<std::size_t>(p)];
    if (p != w_place && influence != Scalar(0)) AddMultiple<kMax>(-influence * inverse, x_.data(), width, WRow(p));
  }
  if (!z_leaves) {
    for (int a = 0; a < width; ++a) WRow(w_place)[a] = inverse * x_[static_cast<std::size_t>(a)];
  }
  if (entering_.is_z && z_leaves) {
    unknowns_[z_place] = column;
    place_of_unknown_[static_cast<std::size_t>(column.slot)] = static_cast<std::int16_t>(z_place);
  } else if (entering_.is_z) {
    Add(column, &unknowns_, &place_of_unknown_);
    Add(equation, &equations_, &place_of_equation_);
  } else if (z_leaves) {
    RemoveUnknown(z_place);
    RemoveEquation(w_place);
  } else {
    equations_[w_place] = equation;
    place_of_equation_[static_cast<std::size_t>(equation.slot)] = static_cast<std::int16_t>(w_place);
  }
  entering_ = {};
  is_current_ = true;
}

template <class Scalar, Capacity kCapacity>
void UpdatedSystem<Scalar, kCapacity>::RemoveUnknown(int place) {
  const int last = unknowns_.size() - 1;
  for (int p = 0; p < equations_.size(); ++p) WRow(p)[place] = WRow(p)[last];
  unknowns_[place] = unknowns_[last];
  place_of_unknown_[static_cast<std::size_t>(unknowns_[place].slot)] = static_cast<std::int16_t>(place);
  unknowns_.resize(last);
}

template <class Scalar, Capacity kCapacity>
void UpdatedSystem<Scalar, kCapacity>::RemoveEquation(int place) {
  const int last = equations_.size() - 1;
  for (int a = 0; a < unknowns_.size(); ++a) WRow(place)[a] = WRow(last)[a];
  equations_[place] = equations_[last];
  place_of_equation_[static_cast<std::size_t>(equations_[place].slot)] = static_cast<std::int16_t>(place);
  equations_.resize(last);
}

}  // namespace tactus::internal
