// What a host asks to be told: contact events, and the scene in force.
#include <gtest/gtest.h>

#include "controller.h"
#include "host_tools/session/scene_piece.h"
#include "tactus/scene/scene_image.h"

namespace tactus::servo {
namespace {

wire::Subscribe Subscription(std::uint8_t contact_events = 1) {
  wire::Subscribe subscribe;
  subscribe.mutate_contact_events(contact_events);
  return subscribe;
}

/// What is told in so many periods of pressing the peg beside the hole.
std::vector<wire::ContactEvent> PressFor(int periods, Controller* controller, bool background = true) {
  for (int i = 0; i < periods; ++i) {
    controller->PutPressingSample();
    controller->Edge();
    if (background) controller->app->DrainTelemetry();
  }
  return controller->TakeAll<wire::ContactEvent>();
}

/// The same of a handle that knocks on the plate every 40 ms, 2 mm deep and 2 mm high.
std::vector<wire::ContactEvent> KnockFor(int periods, Controller* controller, bool background = true) {
  for (int i = 0; i < periods; ++i) {
    const int phase = i % 40;
    SensorFrame sample = controller->PressingSample();
    sample.p_WH_m[2] = 0.032f - 2e-4f * static_cast<float>(phase < 20 ? phase : 40 - phase);
    wire::Sample message(sample.sequence, 0);
    for (std::uint16_t k = 0; k < 3; ++k) message.mutable_position_m()->Mutate(k, sample.p_WH_m[k]);
    message.mutable_orientation_wxyz()->Mutate(0, 1.0f);
    controller->Put(message);
    controller->Edge();
    if (background) controller->app->DrainTelemetry();
  }
  return controller->TakeAll<wire::ContactEvent>();
}

TEST(ContactEvents, AreToldOnlyToWhoHasAskedUntilTheNextHello) {
  Controller controller;
  controller.Press();
  EXPECT_TRUE(PressFor(100, &controller).empty()) << "nobody has asked";
  EXPECT_EQ(controller.Answer(Subscription()).code(), wire::AckCode::kAccepted);
  const std::vector<wire::ContactEvent> events = PressFor(100, &controller);
  ASSERT_EQ(events.size(), 1u) << "what touches already is told once";
  EXPECT_EQ(events[0].change(), wire::ContactChange::kBegins);
  EXPECT_EQ(events[0].body_a(), 0);
  EXPECT_EQ(events[0].body_b(), -1);
  EXPECT_NEAR(events[0].point_m()->Get(0), 0.05, 1e-3) << "below the handle";
  EXPECT_NEAR(events[0].point_m()->Get(2), 0.0, 1e-3) << "on the plate";
  EXPECT_NEAR(events[0].impulse_Ns(), 4.5e-3, 0.3e-3) << "4.5 N for a millisecond";
  controller.Put(wire::HelloRequest(wire::kProtocolVersion, 8));
  EXPECT_TRUE(KnockFor(80, &controller).empty()) << "the hello has ended it";
}

TEST(ContactEvents, BeginAnewWithEachSubscriptionAndEndWithNone) {
  Controller controller;
  controller.Press();
  for (int i = 0; i < 2; ++i) {
    (void)controller.Answer(Subscription());
    EXPECT_EQ(PressFor(20, &controller).size(), 1u);
  }
  EXPECT_EQ(controller.Answer(Subscription(0)).code(), wire::AckCode::kAccepted);
  EXPECT_TRUE(KnockFor(80, &controller).empty());
  EXPECT_EQ(controller.Answer(Subscription(2)).code(), wire::AckCode::kOutOfRange);
}

/// The command's bits do not depend on who listens.
TEST(ContactEvents, AreNoPartOfTheTick) {
  std::vector<std::vector<std::uint8_t>> commands[2];
  for (const bool subscribed : {false, true}) {
    Controller controller;
    controller.Press();
    if (subscribed) (void)controller.Answer(Subscription());
    for (int i = 0; i < 50; ++i) {
      controller.PutPressingSample();
      controller.Edge();
      controller.app->DrainTelemetry();
      for (const Received& frame : controller.Take()) {
        const bool counts = frame.type == wire::MessageType::kCommand || frame.type == wire::MessageType::kTelemetry;
        if (counts) commands[subscribed].push_back(frame.payload);
      }
    }
  }
  EXPECT_GT(commands[0].size(), 50u);
  EXPECT_EQ(commands[0], commands[1]);
}

/// 32 wait for a background that does not come; more are lost and counted, and no tick waits.
TEST(ContactEvents, ThatFindNoRoomAreCounted) {
  Controller served, starved;
  for (Controller* const controller : {&served, &starved}) {
    controller->ArmIt();
    (void)controller->Answer(Subscription());
  }
  const std::size_t all = KnockFor(1200, &served).size();
  ASSERT_GE(all, 2u * 1200 / 40 - 2) << "each knock begins and ends";
  EXPECT_TRUE(KnockFor(1200, &starved, false).empty());
  starved.app->DrainTelemetry();
  EXPECT_EQ(starved.TakeAll<wire::ContactEvent>().size(), 32u);
  const std::vector<wire::ContactEvent> after = KnockFor(80, &starved), expected = KnockFor(80, &served);
  ASSERT_EQ(after.size(), expected.size());
  ASSERT_FALSE(after.empty());
  EXPECT_EQ(after[0].tick(), expected[0].tick());
  EXPECT_EQ(after[0].missed(), all - 32);
  EXPECT_EQ(expected[0].missed(), 0u);
  EXPECT_EQ(starved.app->supervisor().phase, Phase::kArmed);
}

/// A row of balls on a plane, the tool the first of them.
std::vector<std::uint8_t> ImageOf(int bodies) {
  Scene<> scene;
  for (int i = 0; i < bodies; ++i) {
    EXPECT_EQ(scene.bodies.push_back({.p_WB_m = {0.03 * i, 0, 0.05}}), Status::kOk);
    EXPECT_EQ(scene.shapes.push_back({.body = static_cast<std::int16_t>(i), .radius_m = 0.01}), Status::kOk);
  }
  for (int i = 0; i < 10; ++i) EXPECT_EQ(scene.shapes.push_back({.body = 0, .radius_m = 0.001 * (i + 1)}), Status::kOk);
  std::vector<std::uint8_t> image(kSceneImageBytes<kServoScene>);
  image.resize(WriteScene(scene, image));
  return image;
}

wire::AckCode Upload(const std::vector<std::uint8_t>& image, Controller* controller, std::size_t end = SIZE_MAX) {
  wire::AckCode code = wire::AckCode::kAccepted;
  for (std::size_t at = 0; at < std::min(end, image.size()); at += 480)
    code = controller->Answer(host::PieceOf(image, at)).code();
  return code;
}

/// What the controller shows; checks each piece's head.
std::vector<std::uint8_t> ReadBack(Controller* controller) {
  std::vector<std::uint8_t> image;
  for (;;) {
    controller->Take();
    controller->Put(wire::SceneRequest(static_cast<std::uint32_t>(image.size())));
    controller->app->OnTick();
    controller->app->DrainTelemetry();
    const std::vector<wire::SceneReply> replies = controller->TakeAll<wire::SceneReply>();
    EXPECT_EQ(replies.size(), 1u);
    if (replies.empty()) return {};
    EXPECT_EQ(replies[0].offset(), image.size());
    image.insert(image.end(), replies[0].bytes()->Data(), replies[0].bytes()->Data() + replies[0].size());
    if (image.size() < replies[0].total()) continue;
    EXPECT_EQ(replies[0].crc(), image.empty() ? 0 : Crc32(image));
    return image;
  }
}

TEST(SceneRequest, GivesBackTheImageInForceWhateverComesBesideIt) {
  Controller controller;
  controller.Connect();
  EXPECT_TRUE(ReadBack(&controller).empty()) << "no scene yet";
  const std::vector<std::uint8_t> first = ImageOf(2), second = ImageOf(3);
  ASSERT_GT(first.size(), 480u) << "more than one piece";
  ASSERT_EQ(Upload(first, &controller), wire::AckCode::kAccepted);
  EXPECT_EQ(ReadBack(&controller), first);
  EXPECT_EQ(Upload(second, &controller, 480), wire::AckCode::kAccepted) << "half of it";
  EXPECT_EQ(ReadBack(&controller), first);
  std::vector<std::uint8_t> torn = second;
  torn[torn.size() / 2] ^= 0x55;
  torn[4] ^= 0xFF;
  EXPECT_NE(Upload(torn, &controller), wire::AckCode::kAccepted);
  EXPECT_EQ(ReadBack(&controller), first) << "a refused image never shows";
  ASSERT_EQ(Upload(second, &controller), wire::AckCode::kAccepted);
  EXPECT_EQ(ReadBack(&controller), second);
  EXPECT_EQ(controller.Answer(wire::ScenePart()).code(), wire::AckCode::kAccepted);
  EXPECT_TRUE(ReadBack(&controller).empty()) << "taken away";
}

TEST(SceneRequest, IsAnsweredWhileForceIsOut) {
  Controller controller;
  controller.Press();
  EXPECT_TRUE(ReadBack(&controller).empty());
  EXPECT_EQ(controller.app->supervisor().phase, Phase::kArmed);
}

TEST(SceneRequest, OfAPlaceThatIsNotThereIsRefusedWithTheSize) {
  Controller controller;
  controller.Connect();
  const std::vector<std::uint8_t> image = ImageOf(2);
  ASSERT_EQ(Upload(image, &controller), wire::AckCode::kAccepted);
  const wire::Ack ack = controller.Answer(wire::SceneRequest(static_cast<std::uint32_t>(image.size())));
  EXPECT_EQ(ack.code(), wire::AckCode::kOutOfRange);
  EXPECT_EQ(ack.field(), 0);
  EXPECT_EQ(ack.limit(), static_cast<double>(image.size()));
  controller.Put(wire::SceneRequest(static_cast<std::uint32_t>(image.size() - 1)));
  controller.app->OnTick();
  controller.app->DrainTelemetry();
  const std::vector<wire::SceneReply> replies = controller.TakeAll<wire::SceneReply>();
  ASSERT_EQ(replies.size(), 1u);
  EXPECT_EQ(replies[0].size(), 1u);
  EXPECT_EQ(replies[0].bytes()->Get(0), image.back());
}

TEST(SceneRequest, WaitsForTheLink) {
  Controller controller;
  controller.Connect();
  ASSERT_EQ(Upload(ImageOf(2), &controller), wire::AckCode::kAccepted);
  controller.Put(wire::SceneRequest(0));
  controller.app->OnTick();
  controller.link.full = true;
  controller.app->DrainTelemetry();
  controller.link.full = false;
  controller.app->DrainTelemetry();
  controller.app->DrainTelemetry();
  EXPECT_EQ(controller.TakeAll<wire::SceneReply>().size(), 1u) << "once";
}

}  // namespace
}  // namespace tactus::servo
