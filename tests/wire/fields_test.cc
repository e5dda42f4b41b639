#include "tactus/wire/fields.h"

#include <gtest/gtest.h>

#include "tactus/haptic/config.h"

namespace tactus::wire {
namespace {

TEST(FieldOffset,
     FindsAFieldByItsPathOrName) {  // Source: offsets of docs/wire.md, which document_test compares with the schema.
  EXPECT_EQ(FieldOffset<Config>("tool.mass_kg"), 0);
  EXPECT_EQ(FieldOffset<Config>("tool.inertia_kgm2"), 8);
  EXPECT_EQ(FieldOffset<Config>("limits_max_force_N"), 352);
  EXPECT_EQ(FieldOffset<Command>("force_N"), 16);
}

TEST(FieldOffset, IsNoFieldForAnotherName) {
  EXPECT_EQ(FieldOffset<Config>("tool.mass_k"), kNoField);
  EXPECT_EQ(FieldOffset<Config>("tool.mass_kgs"), kNoField);
  EXPECT_EQ(FieldOffset<Config>(""), kNoField);
}

TEST(FieldName, IsTheReverseOfFieldOffset) {
  EXPECT_STREQ(FieldName<Config>(352), "limits_max_force_N");
  EXPECT_STREQ(FieldName<Ack>(10), "field");
  EXPECT_EQ(FieldName<Config>(1), nullptr);
  EXPECT_EQ(FieldName<Config>(sizeof(Config)), nullptr);
  EXPECT_EQ(FieldName<Config>(kNoField), nullptr);
}

}  // namespace
}  // namespace tactus::wire
