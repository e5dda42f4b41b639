// When a contact begins, ends, slips and sticks: by hand, on problems whose answers are set.
#include "tactus/contact/contact_events.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "scenes.h"

namespace tactus::test {
namespace {

template <class Scalar>
using SmallSolution = ContactSolution<Scalar, kSmall>;
template <class Scalar>
using Finder = ContactEventFinder<Scalar, 8>;

/// A step of a millisecond in which the first of two bodies presses on the world with `normal_N` at two points, the second
/// of which carries twice as much, and slips along x.
template <class Scalar>
struct Pressed {
  SmallProblem<Scalar> problem;
  SmallSolution<Scalar> solution;

  explicit Pressed(double normal_N, double slip_mps = 0) {
    for (int i = 0; i < 2; ++i) {
      (void)problem.bodies.push_back(Ball<Scalar>());
      solution.velocity.resize(i + 1);
      solution.velocity[i].setZero();
    }
    solution.velocity[0](0) = Scalar(slip_mps);
    Add(0, kFixed, {0, 0, 0}, normal_N);
    Add(0, kFixed, {0, Scalar(0.03), 0}, 2 * normal_N);
  }
  void Add(int a, int b, const Vec<Scalar, 3>& point_m, double normal_N) {
    Contact<Scalar, 6> contact = ContactBelow<Scalar>(problem.contacts.size(), Scalar(0.5), point_m);
    contact.a = a;
    contact.b = b;
    (void)problem.contacts.push_back(contact);
    solution.impulse.resize(problem.contacts.size(), 0);
    solution.impulse.storage().theta[problem.contacts.size() - 1] = Scalar(normal_N * 1e-3);
    (void)solution.tangent.push_back(Vec<Scalar, 3>(1, 0, 0));
  }
};

template <class Scalar, int kPairs>
std::string Told(std::uint32_t tick, const Pressed<Scalar>& step, ContactEventFinder<Scalar, kPairs>* finder) {
  ContactEventList<Scalar> events;
  finder->Take(tick, step.problem, step.solution, &events);
  std::string told;
  for (const ContactEvent<Scalar>& event : events) told += std::string(told.empty() ? "" : " ") + Name(event.change);
  return told;
}

template <class Scalar>
class ContactEvents : public testing::Test {};
using Scalars = testing::Types<double, float>;
TYPED_TEST_SUITE(ContactEvents, Scalars);

TYPED_TEST(ContactEvents, BeginsWithTheLoadAndEndsAfterAPause) {
  Finder<TypeParam> finder;
  EXPECT_EQ(Told(1, Pressed<TypeParam>(0), &finder), "");
  EXPECT_EQ(Told(2, Pressed<TypeParam>(1), &finder), "begins");
  EXPECT_EQ(Told(3, Pressed<TypeParam>(1), &finder), "");
  for (std::uint32_t i = 4; i <= 8; ++i) EXPECT_EQ(Told(i, Pressed<TypeParam>(0), &finder), "") << i;  // 5 ms: a pause
  EXPECT_EQ(Told(8, Pressed<TypeParam>(1), &finder), "");
  ContactEventList<TypeParam> end;
  for (std::uint32_t i = 9; i <= 13; ++i) {
    finder.Take(i, TypeParam(1e-3), &end);
    EXPECT_TRUE(end.empty()) << i;
  }
  finder.Take(14, TypeParam(1e-3), &end);
  ASSERT_EQ(end.size(), 1);
  EXPECT_EQ(end[0].change, ContactChange::kEnds);
  EXPECT_EQ(end[0].tick, 8u);  // its last load
  finder.Take(15, TypeParam(1e-3), &end);
  EXPECT_TRUE(end.empty());
}

TYPED_TEST(ContactEvents, ThePauseIsATimeNotANumberOfTicks) {
  Finder<TypeParam> finder;
  ContactEventList<TypeParam> events;
  EXPECT_EQ(Told(1, Pressed<TypeParam>(1), &finder), "begins");
  for (std::uint32_t i = 2; i <= 21; ++i) finder.Take(i, TypeParam(2.5e-4), &events);  // 20 ticks of 0.25 ms
  EXPECT_TRUE(events.empty());
  finder.Take(22, TypeParam(2.5e-4), &events);
  EXPECT_EQ(events.size(), 1);
}

TYPED_TEST(ContactEvents, SaysWhereAndHowMuch) {
  Finder<TypeParam> finder;
  const Pressed<TypeParam> step(1);
  ContactEventList<TypeParam> begin;
  finder.Take(2, step.problem, step.solution, &begin);
  ASSERT_EQ(begin.size(), 1);
  EXPECT_NEAR(static_cast<double>(begin[0].impulse_Ns), 3e-3, 1e-9);
  EXPECT_NEAR(static_cast<double>(begin[0].point_m(1)), 0.02, 1e-8);  // two thirds of the load are at 0.03
  EXPECT_EQ(begin[0].tick, 2u);
  EXPECT_EQ(begin[0].a, 0);
  EXPECT_EQ(begin[0].b, kFixed);
}

TYPED_TEST(ContactEvents, SlipBeginsAboveAMillimetreASecondAndEndsBelowHalf) {
  Finder<TypeParam> finder;
  const auto told = [&](std::uint32_t tick, double slip_mps) {
    return Told(tick, Pressed<TypeParam>(1, slip_mps), &finder);
  };
  EXPECT_EQ(told(1, 0), "begins");
  EXPECT_EQ(told(2, 0.9e-3), "");
  EXPECT_EQ(told(3, 1.1e-3), "slips");
  EXPECT_EQ(told(4, 0.6e-3), "");
  EXPECT_EQ(told(5, 0.4e-3), "sticks");
  EXPECT_EQ(told(6, 0.6e-3), "");
}

/// A belt that moves with the body below it: nothing slips. The body rests: the belt slips under it.
TYPED_TEST(ContactEvents, SlipIsAgainstTheSurfaceThatMoves) {
  Finder<TypeParam> finder;
  const auto on_belt = [](double body_mps) {
    Pressed<TypeParam> step(1, body_mps);
    for (auto& contact : step.problem.contacts) contact.surface_velocity_mps(0) = TypeParam(0.05);
    return step;
  };
  EXPECT_EQ(Told(1, on_belt(0.05), &finder), "begins");
  EXPECT_EQ(Told(2, on_belt(0.0), &finder), "slips");
}

/// A point of a body that turns moves with ω × r, even where its middle rests: 1 rad/s at 30 mm are 30 mm/s.
TYPED_TEST(ContactEvents, SlipIsOfThePointNotOfTheMiddle) {
  Finder<TypeParam> finder;
  Pressed<TypeParam> step(1);
  step.solution.velocity[0](5) = TypeParam(1);
  EXPECT_EQ(Told(1, step, &finder), "begins slips");
  EXPECT_NEAR(static_cast<double>(Norm(SlipAt(step.problem, step.solution, 1))), 0.03, 1e-8);
  EXPECT_NEAR(static_cast<double>(Norm(SlipAt(step.problem, step.solution, 0))), 0.0, 1e-8);
}

TYPED_TEST(ContactEvents, EachPairOfBodiesHasItsOwn) {
  Finder<TypeParam> finder;
  Pressed<TypeParam> step(1);
  step.problem.contacts[1].b = 1;
  EXPECT_EQ(Told(1, step, &finder), "begins begins");
  EXPECT_EQ(Told(20, Pressed<TypeParam>(1), &finder), "ends");
}

/// Six pairs at once: four events a tick, in the order of the bodies, and none is lost.
TYPED_TEST(ContactEvents, WhatFindsNoRoomIsToldByTheNextTick) {
  Finder<TypeParam> finder;
  Pressed<TypeParam> step(1);
  for (const auto& [a, b] : {std::pair(1, 0), {1, kFixed}, {kFixed, 1}, {0, 1}, {kFixed, 0}}) step.Add(a, b, {0, 0, 0}, 1);
  ContactEventList<TypeParam> first, second;
  finder.Take(1, step.problem, step.solution, &first);
  ASSERT_EQ(first.size(), kEventsPerTick);
  EXPECT_EQ(first[0].a, kFixed);
  EXPECT_EQ(first[0].b, 0);
  EXPECT_EQ(first[3].b, 1);
  finder.Take(2, TypeParam(1e-3), &second);  // they carry nothing any more: that they began is told all the same
  ASSERT_EQ(second.size(), 2);
  EXPECT_EQ(second[0].change, ContactChange::kBegins);
  EXPECT_EQ(second[1].change, ContactChange::kBegins);
  EXPECT_EQ(second[1].tick, 1u);
  int ended = 0;
  for (std::uint32_t i = 3; i < 12; ++i) {
    finder.Take(i, TypeParam(1e-3), &second);
    ended += second.size();
  }
  EXPECT_EQ(ended, 6);
}

TYPED_TEST(ContactEvents, APairBeyondTheRoomIsNotSeenUntilAnotherHasParted) {
  ContactEventFinder<TypeParam, 1> finder;
  Pressed<TypeParam> both(1), second(0);
  both.Add(1, kFixed, {0, 0, 0}, 1);
  second.Add(1, kFixed, {0, 0, 0}, 1);
  EXPECT_EQ(Told(1, both, &finder), "begins");
  EXPECT_EQ(Told(8, second, &finder), "ends");
  EXPECT_EQ(Told(9, second, &finder), "begins");
}

}  // namespace
}  // namespace tactus::test
