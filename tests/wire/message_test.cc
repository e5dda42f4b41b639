#include "tactus/wire/message.h"

#include <gtest/gtest.h>

#include <string>

#include "schema_tables.h"
#include "tactus/contact/contact_solution.h"
#include "tactus/core/frames.h"
#include "tactus/haptic/telemetry.h"
#include "tactus/solve/rung.h"

namespace tactus::wire {
namespace {

const Schema& TheSchema() {
  static const Schema schema(TACTUS_WIRE_SCHEMA);
  return schema;
}

TEST(Schema, HasNoPadding) {  // Or a client that packs field after field would be wrong.
  for (const std::string& name : TheSchema().names()) {
    const reflection::Object* object = TheSchema().Struct(name);
    if (object == nullptr) continue;
    for (const reflection::Field* field : *object->fields())
      EXPECT_EQ(field->padding(), 0) << name << "." << field->name()->str();
  }
}

TEST(Schema, HasTheSizesOfTheStructs) {
  for (int type = 0; type < 256; ++type) {
    const std::size_t size = PayloadSize(static_cast<MessageType>(type));
    if (size == 0) continue;
    const std::string name = std::string(EnumNameMessageType(static_cast<MessageType>(type))).substr(1);  // without the k
    ASSERT_NE(TheSchema().Struct(name), nullptr) << name;
    EXPECT_EQ(static_cast<std::size_t>(TheSchema().Struct(name)->bytesize()), size) << name;
  }
}

TEST(PayloadSize, KnowsTheTypesOfTheSchemaAndNoOther) {
  int known = 0;
  for (int type = 0; type < 256; ++type) known += PayloadSize(static_cast<MessageType>(type)) > 0 ? 1 : 0;
  EXPECT_EQ(known, 33);
}

TEST(Message, StartsAsZeros) {  // What is not set says nothing about the memory it stood in.
  Telemetry message;
  for (std::size_t i = 0; i < sizeof(message); ++i) ASSERT_EQ(reinterpret_cast<const unsigned char*>(&message)[i], 0) << i;
}

/// "kSampleNotFinite" -> "sample not finite".
std::string Words(const std::string& name, char space) {
  std::string words;
  for (std::size_t i = 1; i < name.size(); ++i) {
    const bool capital = name[i] >= 'A' && name[i] <= 'Z';
    if (capital && i > 1) words += space;
    words += capital ? static_cast<char>(name[i] - 'A' + 'a') : name[i];
  }
  return words;
}

TEST(Schema, NumbersSolveStatusAndRungAsTheLibraryDoes) {
  for (const SolveStatus value : EnumValuesSolveStatus()) {
    EXPECT_EQ(Words(EnumNameSolveStatus(value), '_'), Name(static_cast<tactus::SolveStatus>(value)));
  }
  EXPECT_EQ(std::size(EnumValuesRung()), static_cast<std::size_t>(kRungCount));
  for (const Rung value : EnumValuesRung())
    EXPECT_EQ(Words(EnumNameRung(value), '_'), Name(static_cast<tactus::Rung>(value)));
}

TEST(Schema, NumbersModesAndFaultsAsTheLibraryDoes) {
  for (const Mode value : EnumValuesMode())
    EXPECT_EQ(Words(EnumNameMode(value), ' '), Name(static_cast<tactus::Mode>(value)));
  EXPECT_STREQ(Name(static_cast<tactus::Mode>(std::size(EnumValuesMode()))), "unknown");
  static_assert(static_cast<int>(FaultCode::kNone) == static_cast<int>(tactus::Fault::kNone));
  static_assert(static_cast<int>(FaultCode::kSampleNotFinite) == static_cast<int>(tactus::Fault::kSampleNotFinite));
  static_assert(static_cast<int>(FaultCode::kSampleRotation) == static_cast<int>(tactus::Fault::kSampleRotation));
  static_assert(static_cast<int>(FaultCode::kSampleStale) == static_cast<int>(tactus::Fault::kSampleStale));
  static_assert(static_cast<int>(FaultCode::kReserved4) == static_cast<int>(tactus::Fault::kReserved4));
  static_assert(static_cast<int>(FaultCode::kHandleJump) == static_cast<int>(tactus::Fault::kHandleJump));
  static_assert(static_cast<int>(FaultCode::kHandleSpeed) == static_cast<int>(tactus::Fault::kHandleSpeed));
  static_assert(static_cast<int>(FaultCode::kHandleOutside) == static_cast<int>(tactus::Fault::kHandleOutside));
  static_assert(static_cast<int>(FaultCode::kSolverInvalid) == static_cast<int>(tactus::Fault::kSolverInvalid));
  static_assert(static_cast<int>(FaultCode::kForceNotFinite) == static_cast<int>(tactus::Fault::kForceNotFinite));
  static_assert(static_cast<int>(FaultCode::kExternal) == static_cast<int>(tactus::Fault::kExternal));
  EXPECT_STREQ(Name(static_cast<tactus::Fault>(std::size(EnumValuesFaultCode()))), "unknown");
}

TEST(Schema, HasTheStatusBitsOfTheLibrary) {
  EXPECT_EQ(std::size(EnumValuesStatusBit()), static_cast<std::size_t>(kStatusBitCount));
#define TACTUS_SAME_BIT(name) static_assert(static_cast<std::uint32_t>(StatusBit::name) == status_bit::name)
  TACTUS_SAME_BIT(kSampleNotFinite);
  TACTUS_SAME_BIT(kSampleRotation);
  TACTUS_SAME_BIT(kSampleStale);
  TACTUS_SAME_BIT(kSampleMissed);
  TACTUS_SAME_BIT(kReserved4);
  TACTUS_SAME_BIT(kHandleJump);
  TACTUS_SAME_BIT(kHandleSpeed);
  TACTUS_SAME_BIT(kHandleOutside);
  TACTUS_SAME_BIT(kContactsDropped);
  TACTUS_SAME_BIT(kSolverFallback);
  TACTUS_SAME_BIT(kSolverInvalid);
  TACTUS_SAME_BIT(kPassivityActive);
  TACTUS_SAME_BIT(kPassivityLimited);
  TACTUS_SAME_BIT(kSoftStart);
  TACTUS_SAME_BIT(kRateLimited);
  TACTUS_SAME_BIT(kForceClamped);
  TACTUS_SAME_BIT(kTorqueClamped);
  TACTUS_SAME_BIT(kForceNotFinite);
  TACTUS_SAME_BIT(kToolPlaced);
  TACTUS_SAME_BIT(kPlacedInside);
  TACTUS_SAME_BIT(kWorkSpent);
  TACTUS_SAME_BIT(kStreamStale);
  TACTUS_SAME_BIT(kStreamAway);
  TACTUS_SAME_BIT(kClutched);
  TACTUS_SAME_BIT(kOverlapsOpposed);
#undef TACTUS_SAME_BIT
}

}  // namespace
}  // namespace tactus::wire
