// The list of operators, and the row of each.

#include "runtime/ops/op_traits.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "micrort/op_resolver.h"
#include "runtime/model/operator_options.h"
#include "runtime/ops/op.h"

namespace micrort {
namespace {

using schema::OpCode;

TEST(Operators, ListHasEveryCodeOfTheSchemaInItsOrder) {
  std::vector<std::string> names;
#define MICRORT_NAME(name) names.push_back(#name);
  MICRORT_OPERATORS(MICRORT_NAME)
#undef MICRORT_NAME
  names.insert(names.begin() + static_cast<int>(OpCode::Custom), "Custom");
  std::vector<std::string> expected;
  for (const OpCode code : schema::EnumValuesOpCode()) expected.push_back(schema::EnumNameOpCode(code));
  EXPECT_EQ(names, expected);
}

TEST(Operators, EachIsRegisteredByItsCodeAndName) {
  for (const OpCode code : schema::EnumValuesOpCode()) {
    const OpRegistration* op = AllOps().Find(static_cast<int>(code));
    ASSERT_NE(op, nullptr) << schema::EnumNameOpCode(code);
    EXPECT_EQ(op->code, static_cast<int>(code));
    EXPECT_STREQ(op->name, schema::EnumNameOpCode(code));
  }
}

TEST(OpTraits, HaveARowForEveryCode) {
  EXPECT_EQ(traits_rows::kRows, static_cast<size_t>(OpCode::MAX) + 1);
  for (const OpCode code : schema::EnumValuesOpCode()) EXPECT_EQ(TraitsOf(code).code, code);
}

TEST(OpTraits, LayersHaveTheOperandsThatTheirPositionsSay) {
  for (const OpCode code : schema::EnumValuesOpCode()) {
    if (!IsLayer(code)) continue;
    const char* name = schema::EnumNameOpCode(code);
    EXPECT_EQ(OperandOf(code, kLayerX), Operand::kData) << name;
    EXPECT_EQ(OperandOf(code, kLayerWeights), Operand::kWeights) << name;
    EXPECT_EQ(OperandOf(code, kLayerBias), Operand::kBias) << name;
    EXPECT_EQ(OperandOf(code, kLayerSlopes), Operand::kSlopes) << name;
    EXPECT_TRUE(HasWeights(code)) << name;
  }
  EXPECT_EQ(OperandOf(OpCode::MatMul, kLayerResidual), Operand::kResidual);
  EXPECT_EQ(OperandOf(OpCode::ConvTranspose2D, kLayerResidual), Operand::kNone);
}

TEST(OpTraits, SayTheSameInDifferentColumns) {
  for (const OpCode code : schema::EnumValuesOpCode()) {
    const OpTraits& row = TraitsOf(code);
    const char* name = schema::EnumNameOpCode(code);
    const bool passes = row.int8 == Int8Role::kPassThrough || row.int8 == Int8Role::kConcat;
    // Integers can be moved as well as floats.
    if (row.moves_data == Holds::kAlways) {
      EXPECT_TRUE(passes && row.has_int8 == Holds::kAlways) << name;
    }
    EXPECT_EQ(row.channels == Channels::kNone, row.weights_rank == 0) << name;
    EXPECT_EQ(row.int8 == Int8Role::kNone, row.has_int8 == Holds::kNever) << name;
    if (row.int4) {
      EXPECT_TRUE(IsLayer(code)) << name;
    }
    // What keeps dimensions in any order has them in an operand.
    if (row.keeps_dimensions != Holds::kNever) {
      EXPECT_EQ(row.operands[0], Operand::kData) << name;
    }
  }
}

}  // namespace
}  // namespace micrort
