#include "tactus/wire/fields.h"

#include <gtest/gtest.h>

namespace tactus::wire {
namespace {

TEST(FieldOffset,
     FindsAFieldByItsName) {  // Source: offsets of docs/wire.md, which document_test compares with the schema.
  EXPECT_EQ(FieldOffset<Config>("tool_mass_kg"), 0);
  EXPECT_EQ(FieldOffset<Config>("tool_inertia_kgm2"), 8);
  EXPECT_EQ(FieldOffset<Config>("limits_max_force_N"), 352);
  EXPECT_EQ(FieldOffset<Command>("force_N"), 16);
}

TEST(FieldOffset, IsNoFieldForAnotherName) {
  EXPECT_EQ(FieldOffset<Config>("tool_mass_k"), kNoField);
  EXPECT_EQ(FieldOffset<Config>("tool_mass_kgs"), kNoField);
  EXPECT_EQ(FieldOffset<Config>(""), kNoField);
}

TEST(FieldFinder, FindsFieldsInAnyOrder) {
  FieldFinder<Config> finder;
  EXPECT_EQ(finder.Offset("limits_max_force_N"), 352);
  EXPECT_EQ(finder.Offset("limits_max_torque_Nm"), 360);
  EXPECT_EQ(finder.Offset("tool_mass_kg"), 0);
  EXPECT_EQ(finder.Offset("mass_kg"), kNoField);
  EXPECT_EQ(finder.Offset("tool_mass_kg"), 0);
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
