// Streamed contacts over the link: what is taken, what is refused and by which name, and what a board does without its host.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <tuple>

#include "tests/servo/controller.h"

namespace tactus::servo {
namespace {

using wire::AckCode;
using wire::Action;

constexpr std::uint32_t kSession = 7;
constexpr double kHalf_m = 0.03;
constexpr std::size_t kFirst = 96, kContactSize = 48;  // of ContactSet: docs/wire.md

wire::StreamOpen OpenOf(std::uint32_t session) {
  wire::StreamOpen open;
  open.mutate_session(session);
  open.mutate_turns(1);
  return open;
}
void SealSet(wire::ContactSet* set) {
  const std::size_t count = std::min<std::size_t>(set->contacts(), 8);
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(set) + kFirst;
  set->mutate_contacts_crc(Crc32({bytes, count * kContactSize}));
}
template <class Value>
void Poke(std::size_t offset, Value value, wire::ContactSet* set) {
  std::memcpy(reinterpret_cast<std::uint8_t*>(set) + offset, &value, sizeof(value));
  SealSet(set);
}

/// The plane z = 0 under the middle of the peg, which stands at (0.05, 0, z).
wire::ContactSet Plane(std::uint32_t sequence, std::uint32_t tick, double z_m) {
  wire::ContactSet set;
  set.mutate_session(kSession);
  set.mutate_sequence(sequence);
  set.mutate_tick(tick);
  set.mutable_p_WT_m()->Mutate(0, 0.05);
  set.mutable_p_WT_m()->Mutate(2, z_m);
  set.mutable_q_WT()->Mutate(0, 1);
  set.mutate_radius_m(0.02f);
  set.mutate_age_limit_ticks(100);
  set.mutate_contacts(1);
  wire::StreamedContact& contact = set.mutable_contact_0();
  contact.mutable_point_m()->Mutate(0, 0.05f);
  contact.mutable_point_m()->Mutate(2, static_cast<float>(z_m - kHalf_m));
  contact.mutable_normal()->Mutate(2, 1);
  contact.mutate_gap_m(static_cast<float>(z_m - kHalf_m));
  contact.mutate_friction(0.25f);
  contact.mutate_body(-1);
  SealSet(&set);
  return set;
}

/// A controller with a stream and a host that hears every tick.
struct Streamed {
  Controller controller;
  wire::Telemetry telemetry;
  wire::StreamReport report;
  std::vector<wire::Ack> acks;
  std::uint32_t sequence = 0, crc = 0;
  float force_N = 0;
  int period = 0;

  Streamed() {
    controller.Connect();
    EXPECT_EQ(controller.Answer(OpenOf(kSession)).code(), AckCode::kAccepted);
    wire::Config config = Controller::DefaultConfig(wire::Pacing::kClock);
    config.mutate_telemetry_every_ticks(1);
    config.mutate_limits_soft_start_s(0.01);
    crc = Crc32(wire::PayloadOf(OpenOf(kSession)), Crc32(wire::PayloadOf(config)));
    EXPECT_EQ(controller.Configure(config).code(), AckCode::kAccepted);
  }
  AckCode Arm() { return controller.Answer(wire::Arm(controller.nonce(), crc)).code(); }
  void Period() {
    controller.PutPressingSample();
    controller.Edge();
    controller.app->DrainTelemetry();
    for (const Received& frame : controller.Take()) {
      if (frame.type == wire::MessageType::kTelemetry) telemetry = frame.As<wire::Telemetry>();
      if (frame.type == wire::MessageType::kStreamReport) report = frame.As<wire::StreamReport>();
      if (frame.type == wire::MessageType::kAck) acks.push_back(frame.As<wire::Ack>());
      if (frame.type == wire::MessageType::kCommand) force_N = Controller::Force(frame.As<wire::Command>());
    }
  }
  wire::ContactSet Next() { return Plane(++sequence, telemetry.tick(), telemetry.p_WT_m()->Get(2)); }
  AckCode Send(const wire::ContactSet& set) {
    const wire::Ack ack = controller.Answer(set);
    EXPECT_EQ(ack.of_type(), wire::MessageType::kContactSet);
    last = ack;
    return ack.code();
  }
  wire::Ack last;
  /// Runs, with a set every 16 ticks.
  void Run(int periods) {
    for (int i = 0; i < periods; ++i) {
      Period();
      if (period++ % 16 == 0) controller.Put(Next());
    }
  }
  /// Armed and pressed until the hand rests at 4 mm less 1 mm of air: 3 mm · 1500 N/m.
  void Press() {
    Run(20);
    ASSERT_EQ(Arm(), AckCode::kAccepted);
    Run(3500);
    ASSERT_NEAR(force_N, 4.5, 0.05);
  }
};

TEST(Stream, PressesAsTheShapesOnBoardDoAndCountsEveryTick) {  // Source: K times the depth; the counter's own meaning
  Streamed host;
  host.Press();
  for (const wire::Ack& ack : host.acks) EXPECT_EQ(ack.code(), AckCode::kAccepted);
  const wire::StreamReport before = host.report;
  host.Run(1000);
  EXPECT_EQ(host.report.resolved_ticks() - before.resolved_ticks(), host.report.tick() - before.tick());
  EXPECT_EQ(host.report.ticks() - before.ticks(), host.report.tick() - before.tick());
  EXPECT_NEAR(host.report.swaps() - before.swaps(), 62, 2);
  EXPECT_EQ(host.report.phase(), wire::StreamPhase::kFresh);
  EXPECT_NEAR(host.report.load_N(), 4.5f, 0.05f);
  EXPECT_LT(host.report.pushed_J(), 1e-4);
}

TEST(Stream, OpensAndClosesOnlyWithoutForce) {
  Streamed host;
  host.Run(20);
  ASSERT_EQ(host.Arm(), AckCode::kAccepted);
  EXPECT_EQ(host.controller.Answer(OpenOf(0)).code(), AckCode::kWrongState);
  EXPECT_EQ(host.controller.Answer(OpenOf(9)).code(), AckCode::kWrongState);
}

TEST(Stream, ArmMeansTheStreamToo) {
  Streamed host;
  host.Run(20);
  EXPECT_EQ(host.controller.TellArm().code(), AckCode::kWrongConfig) << "the checksum of the Config alone";
  EXPECT_EQ(host.Arm(), AckCode::kAccepted);
}

TEST(Stream, RefusesByNameWhatIsReplayedReorderedForeignOldOrOfTheFuture) {
  Streamed host;
  host.Run(200);
  host.sequence += 10;
  const wire::ContactSet good = host.Next();
  EXPECT_EQ(host.Send(good), AckCode::kAccepted);
  EXPECT_EQ(host.Send(good), AckCode::kNotNewer) << "replayed";
  wire::ContactSet set = good;
  set.mutate_sequence(good.sequence() - 3);
  EXPECT_EQ(host.Send(set), AckCode::kNotNewer) << "out of order";
  set = host.Next();
  set.mutate_session(kSession + 1);
  EXPECT_EQ(host.Send(set), AckCode::kWrongSession);
  set = host.Next();
  set.mutate_tick(host.telemetry.tick() - 101);
  EXPECT_EQ(host.Send(set), AckCode::kTooOld);
  set.mutate_tick(host.telemetry.tick() + 5);
  EXPECT_EQ(host.Send(set), AckCode::kOutOfRange);
  EXPECT_EQ(host.last.field(), 8);
  EXPECT_EQ(host.Send(host.Next()), AckCode::kAccepted) << "what was refused does no harm";
}

struct Wrong {
  std::size_t offset;
  float value;
  AckCode code;
  const char* what;
};

TEST(Stream, RefusesEveryNumberThatCannotBe) {  // Source: the bounds in docs/wire.md
  const float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
  const Wrong wrongs[] = {{72, nan, AckCode::kNotFinite, "radius"},       {72, 0.2f, AckCode::kOutOfRange, "radius"},
                          {72, 0, AckCode::kOutOfRange, "radius"},        {96, nan, AckCode::kNotFinite, "point"},
                          {96, 1.0f, AckCode::kOutOfRange, "point"},      {104, inf, AckCode::kNotFinite, "point"},
                          {108, nan, AckCode::kNotFinite, "normal"},      {116, 1.01f, AckCode::kOutOfRange, "normal"},
                          {116, 0, AckCode::kOutOfRange, "normal"},       {120, nan, AckCode::kNotFinite, "gap"},
                          {120, -0.021f, AckCode::kOutOfRange, "gap"},    {120, 1e30f, AckCode::kOutOfRange, "gap"},
                          {124, -0.1f, AckCode::kOutOfRange, "friction"}, {124, nan, AckCode::kNotFinite, "friction"},
                          {124, 2.1f, AckCode::kOutOfRange, "friction"},  {128, nan, AckCode::kNotFinite, "surface"},
                          {136, 3.0f, AckCode::kOutOfRange, "surface"},   {136, -inf, AckCode::kNotFinite, "surface"}};
  Streamed host;
  host.Run(100);
  for (const Wrong& wrong : wrongs) {
    wire::ContactSet set = host.Next();
    Poke(wrong.offset, wrong.value, &set);
    EXPECT_EQ(host.Send(set), wrong.code) << wrong.what << " " << wrong.value;
    EXPECT_LE(host.last.field(), wrong.offset) << wrong.what;
    EXPECT_GT(host.last.field() + 12u, wrong.offset) << wrong.what;
  }
  for (const double value : {static_cast<double>(nan), 1.1, 0.0}) {
    wire::ContactSet set = host.Next();
    Poke(40, value, &set);
    EXPECT_NE(host.Send(set), AckCode::kAccepted) << "orientation " << value;
  }
}

TEST(Stream, RefusesUnknownBodiesAbsurdMassesAndTooMany) {
  Streamed host;
  host.Run(100);
  wire::ContactSet set = host.Next();
  Poke(140, std::int32_t{0}, &set);
  EXPECT_EQ(host.Send(set), AckCode::kOutOfRange) << "body 0 of none";
  Poke(140, std::int32_t{-2}, &set);
  EXPECT_EQ(host.Send(set), AckCode::kOutOfRange);
  set = host.Next();
  set.mutate_bodies(1);
  for (const float mass_kg : {0.0f, -1.0f, 1e30f}) {
    set.mutable_mass_kg()->Mutate(0, mass_kg);
    EXPECT_EQ(host.Send(set), AckCode::kOutOfRange) << mass_kg;
  }
  set.mutate_bodies(4);
  EXPECT_EQ(host.Send(set), AckCode::kOverCapacity);
  set = host.Next();
  set.mutate_contacts(17);
  EXPECT_EQ(host.Send(set), AckCode::kOverCapacity);
  EXPECT_EQ(host.last.limit(), 16);
  // A length is judged by its square; the limit is the length's.
  for (const auto& [offset, value, limit] : {std::tuple{96, 1.0f, 0.5}, {116, 1.01f, 1.0}, {128, 1.99f, 2.0}}) {
    set = host.Next();
    Poke(offset, value, &set);
    if (offset == 128) Poke(132, value, &set);
    EXPECT_EQ(host.Send(set), AckCode::kOutOfRange) << offset;
    EXPECT_EQ(host.last.limit(), limit) << offset;
  }
  set = host.Next();
  set.mutate_age_limit_ticks(251);
  EXPECT_EQ(host.Send(set), AckCode::kOutOfRange);
  EXPECT_EQ(host.last.limit(), 250);
}

/// Twelve contacts on a circle of 10 mm, in two pieces with the checksum of both.
std::pair<wire::ContactSet, wire::ContactSet> TwoPieces(const wire::ContactSet& first) {
  wire::ContactSet a = first, b = first;
  a.mutate_contacts(12), b.mutate_contacts(12), b.mutate_piece(1);
  std::uint8_t contact[kContactSize];
  std::memcpy(contact, reinterpret_cast<const std::uint8_t*>(&first) + kFirst, kContactSize);
  std::uint32_t crc = 0;
  for (std::size_t i = 0; i < 12; ++i) {
    const float x_m = 0.05f + 0.01f * std::cos(0.52f * static_cast<float>(i)),
                y_m = 0.01f * std::sin(0.52f * static_cast<float>(i));
    std::memcpy(contact, &x_m, 4), std::memcpy(contact + 4, &y_m, 4);
    auto* const bytes = reinterpret_cast<std::uint8_t*>(i < 8 ? &a : &b) + kFirst + kContactSize * (i % 8);
    std::memcpy(bytes, contact, kContactSize);
    crc = Crc32(contact, crc);
  }
  a.mutate_contacts_crc(crc), b.mutate_contacts_crc(crc);
  return {a, b};
}

TEST(Stream, TakesASetInPiecesAndRefusesATornOne) {
  Streamed host;
  host.Run(100);
  auto [a, b] = TwoPieces(host.Next());
  EXPECT_EQ(host.Send(b), AckCode::kTorn) << "its first piece is missing";
  EXPECT_EQ(host.Send(a), AckCode::kAccepted);
  EXPECT_EQ(host.Send(b), AckCode::kAccepted);
  EXPECT_EQ(host.Send(b), AckCode::kNotNewer);
  host.Period();
  EXPECT_EQ(host.report.sequence(), a.sequence());
  auto [c, d] = TwoPieces(host.Next());
  EXPECT_EQ(host.Send(c), AckCode::kAccepted);
  Poke(kFirst + 4, 0.002f, &d);  // another point, and a checksum of this piece alone
  EXPECT_EQ(host.Send(d), AckCode::kTorn);
  auto [e, f] = TwoPieces(host.Next());
  EXPECT_EQ(host.Send(e), AckCode::kAccepted);
  f.mutate_radius_m(0.03f);
  EXPECT_EQ(host.Send(f), AckCode::kTorn) << "of another set";
  host.Period();
  EXPECT_EQ(host.report.sequence(), a.sequence()) << "the old one is in force still";
}

TEST(Stream, FrameCutAtAnyByteIsNoSet) {
  Streamed host;
  host.Run(100);
  wire::FrameWriter writer;
  const wire::ContactSet set = host.Next();
  const std::span<const std::uint8_t> frame = writer.Write(set);
  for (std::size_t cut = 1; cut + 1 < frame.size(); ++cut) {
    host.controller.link.incoming.insert(host.controller.link.incoming.end(), frame.begin(),
                                         frame.begin() + static_cast<std::ptrdiff_t>(cut));
    host.controller.link.incoming.push_back(0);
    host.controller.app->OnTick();
    host.controller.app->OnTick();
    EXPECT_EQ(host.controller.TakeAck(), std::nullopt) << cut;
  }
  EXPECT_EQ(host.Send(set), AckCode::kAccepted) << "whole, it is one";
}

TEST(Stream, HostThatDiesLosesTheForceWithinItsBound) {  // Source: docs/safety.md: age limit + ramp + 1 tick
  Streamed host;
  host.Press();
  EXPECT_EQ(host.Send(host.Next()), AckCode::kAccepted);
  const std::uint32_t reference = host.telemetry.tick();
  float last_N = host.force_N;
  while (host.telemetry.tick() < reference + 100 + 21) {
    host.Period();
    EXPECT_LE(last_N - host.force_N, 4.5f / 20 + 0.03f);
    last_N = host.force_N;
  }
  EXPECT_EQ(last_N, 0);
  EXPECT_EQ(host.controller.app->supervisor().phase, Phase::kArmed) << "no fault: the host may come again";
  EXPECT_EQ(host.report.phase(), wire::StreamPhase::kWaiting);
  for (int i = 0; i < 200; ++i) {
    host.Run(1);
    EXPECT_EQ(host.force_N, 0) << "the hand is still inside";
  }
}

TEST(Stream, ResetForgetsTheSetButNotItsSequence) {
  Streamed host;
  host.Run(100);
  const wire::ContactSet set = host.Next();
  EXPECT_EQ(host.Send(set), AckCode::kAccepted);
  EXPECT_EQ(host.controller.Tell(Action::kReset).code(), AckCode::kAccepted);
  host.Period();
  EXPECT_EQ(host.report.phase(), wire::StreamPhase::kWaiting);
  EXPECT_EQ(host.Send(set), AckCode::kNotNewer);
}

TEST(Stream, StateIsSmall) {  // What a stream adds to a controller with 64-bit numbers: said in docs/boards.md
  EXPECT_LE(sizeof(StreamState<double>) + sizeof(StreamInbox), 2800u);
  RecordProperty("bytes", std::to_string(sizeof(StreamState<double>) + sizeof(StreamInbox)));
  RecordProperty("bytes_float", std::to_string(sizeof(StreamState<float>) + sizeof(StreamInbox)));
}

}  // namespace
}  // namespace tactus::servo
