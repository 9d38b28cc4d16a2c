// GatherND, GatherElements, ScatterND and ScatterElements.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "micrort/op_resolver.h"
#include "tests/runtime/op_tester.h"

namespace micrort {
namespace {

using schema::ScatterReduction;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::OpTester;

OpTester GatherND(int batch_dims) {
  schema::GatherNDOptionsT options;
  options.batch_dims = batch_dims;
  return OpTester(ops::GatherND(), options);
}

OpTester GatherElements(int axis) {
  schema::GatherElementsOptionsT options;
  options.axis = axis;
  return OpTester(ops::GatherElements(), options);
}

OpTester ScatterND(ScatterReduction reduction) {
  schema::ScatterNDOptionsT options;
  options.reduction = reduction;
  return OpTester(ops::ScatterND(), options);
}

OpTester ScatterElements(int axis, ScatterReduction reduction) {
  schema::ScatterElementsOptionsT options;
  options.axis = axis;
  options.reduction = reduction;
  return OpTester(ops::ScatterElements(), options);
}

TEST(GatherND, PicksElementsAndSlices) {
  OpTester elements = GatherND(0);
  elements.Input<int8_t>(Shape::Of(2, 2), {0, 1, 2, 3}).Input<int64_t>(Shape::Of(2, 2), {0, 0, -1, 1});
  ASSERT_TRUE(elements.Run().ok());
  EXPECT_THAT(elements.Output<int8_t>(), ElementsAre(0, 3));

  OpTester slices = GatherND(0);
  slices.Input<float>(Shape::Of(3, 2), {0, 1, 2, 3, 4, 5}).Input<int32_t>(Shape::Of(2, 1, 1), {2, 0});
  ASSERT_TRUE(slices.Run().ok());
  EXPECT_EQ(slices.OutputShape(), Shape::Of(2, 1, 2));
  EXPECT_THAT(slices.Output<float>(), ElementsAre(4, 5, 0, 1));
}

TEST(GatherND, BatchDimensionsPickInTheirOwnPart) {
  OpTester op = GatherND(1);
  op.Input<int32_t>(Shape::Of(2, 2, 2), {0, 1, 2, 3, 4, 5, 6, 7}).Input<int64_t>(Shape::Of(2, 1), {1, 0});
  ASSERT_TRUE(op.Run().ok());
  EXPECT_EQ(op.OutputShape(), Shape::Of(2, 2));
  EXPECT_THAT(op.Output<int32_t>(), ElementsAre(2, 3, 4, 5));
}

TEST(GatherND, TuplesWithoutIndicesPickEverything) {
  OpTester op = GatherND(0);
  op.Input<float>(Shape::Of(2), {1, 2}).Input<int64_t>(Shape::Of(2, 0), {});
  ASSERT_TRUE(op.Run().ok());
  EXPECT_THAT(op.Output<float>(), ElementsAre(1, 2, 1, 2));
}

TEST(GatherND, RefusesWhatDoesNotFit) {
  OpTester index = GatherND(0);
  index.Input<float>(Shape::Of(2, 2), {0, 1, 2, 3}).Input<int64_t>(Shape::Of(1, 2), {0, 2});
  const Status status = index.Run();
  EXPECT_EQ(status.code(), StatusCode::kOutOfRange);
  EXPECT_THAT(status.message(), HasSubstr("index 2 (element 1 of 'input') is outside axis 1"));

  OpTester length = GatherND(1);
  length.Input<float>(Shape::Of(2, 2), {0, 1, 2, 3}).Input<int64_t>(Shape::Of(2, 2), {0, 0, 0, 0});
  EXPECT_EQ(length.Run().code(), StatusCode::kInvalidModel);
  OpTester batch = GatherND(1);
  batch.Input<float>(Shape::Of(2, 2), {0, 1, 2, 3}).Input<int64_t>(Shape::Of(3, 1), {0, 0, 0});
  EXPECT_EQ(batch.Run().code(), StatusCode::kInvalidModel);
  OpTester rank = GatherND(2);
  rank.Input<float>(Shape::Of(2), {0, 1}).Input<int64_t>(Shape::Of(2, 2), {0, 0, 0, 0});
  EXPECT_EQ(rank.Run().code(), StatusCode::kInvalidModel);
  OpTester negative = GatherND(-1);
  negative.Input<float>(Shape::Of(2), {0, 1}).Input<int64_t>(Shape::Of(1, 1), {0});
  EXPECT_EQ(negative.Run().code(), StatusCode::kInvalidModel);
  OpTester type = GatherND(0);
  type.Input<float>(Shape::Of(2), {0, 1}).Input<float>(Shape::Of(1, 1), {0});
  EXPECT_EQ(type.Run().code(), StatusCode::kInvalidModel);
}

template <typename T>
void ExpectGatherElements() {
  OpTester op = GatherElements(0);
  op.Input<T>(Shape::Of(3, 3), {1, 2, 3, 4, 5, 6, 7, 8, 9});
  op.Input<int64_t>(Shape::Of(2, 3), {-2, 2, 0, 2, 0, 0});
  ASSERT_TRUE(op.Run().ok());
  EXPECT_EQ(op.OutputShape(), Shape::Of(2, 3));
  EXPECT_THAT(op.Output<T>(), ElementsAre(4, 8, 3, 7, 2, 3));
}

TEST(GatherElements, ElementsOfEverySize) {
  ExpectGatherElements<int8_t>();
  ExpectGatherElements<int16_t>();
  ExpectGatherElements<float>();
  ExpectGatherElements<double>();
}

TEST(GatherElements, IndicesMayCoverAPart) {
  OpTester op = GatherElements(-1);
  op.Input<float>(Shape::Of(2, 3, 2), {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
  op.Input<int32_t>(Shape::Of(2, 2, 3), {0, 1, 0, 1, 1, 0, -1, 0, 0, 1, 0, 1});
  ASSERT_TRUE(op.Run().ok());
  EXPECT_THAT(op.Output<float>(), ElementsAre(0, 1, 0, 3, 3, 2, 7, 6, 6, 9, 8, 9));
}

TEST(GatherElements, RefusesWhatDoesNotFit) {
  OpTester index = GatherElements(0);
  index.Input<float>(Shape::Of(2), {0, 1}).Input<int64_t>(Shape::Of(1), {-3});
  EXPECT_EQ(index.Run().code(), StatusCode::kOutOfRange);
  OpTester larger = GatherElements(0);
  larger.Input<float>(Shape::Of(2, 1), {0, 1}).Input<int64_t>(Shape::Of(2, 2), {0, 0, 0, 0});
  EXPECT_EQ(larger.Run().code(), StatusCode::kInvalidModel);
  OpTester rank = GatherElements(0);
  rank.Input<float>(Shape::Of(2, 1), {0, 1}).Input<int64_t>(Shape::Of(2), {0, 0});
  EXPECT_EQ(rank.Run().code(), StatusCode::kInvalidModel);
  OpTester scalar = GatherElements(0);
  scalar.Input<float>(Shape::Of(), {0}).Input<int64_t>(Shape::Of(), {0});
  EXPECT_EQ(scalar.Run().code(), StatusCode::kInvalidModel);
}

std::vector<float> ScatterRows(ScatterReduction reduction) {
  OpTester op = ScatterND(reduction);
  op.Input<float>(Shape::Of(3, 2), {1, 2, 3, 4, 5, 6}).Input<int64_t>(Shape::Of(3, 1), {0, 2, 0});
  op.Input<float>(Shape::Of(3, 2), {2, 1, 8, 5, 3, -1});
  EXPECT_TRUE(op.Run().ok());
  return op.Output<float>();
}

TEST(ScatterND, ReductionsOfRepeatedIndices) {
  EXPECT_THAT(ScatterRows(ScatterReduction::None), ElementsAre(3, -1, 3, 4, 8, 5));
  EXPECT_THAT(ScatterRows(ScatterReduction::Add), ElementsAre(6, 2, 3, 4, 13, 11));
  EXPECT_THAT(ScatterRows(ScatterReduction::Mul), ElementsAre(6, -2, 3, 4, 40, 30));
  EXPECT_THAT(ScatterRows(ScatterReduction::Max), ElementsAre(3, 2, 3, 4, 8, 6));
  EXPECT_THAT(ScatterRows(ScatterReduction::Min), ElementsAre(1, -1, 3, 4, 5, 5));
}

TEST(ScatterND, RefusesWhatDoesNotFit) {
  OpTester updates = ScatterND(ScatterReduction::None);
  updates.Input<float>(Shape::Of(2), {0, 1}).Input<int64_t>(Shape::Of(1, 1), {0});
  updates.Input<float>(Shape::Of(2), {0, 1});
  EXPECT_EQ(updates.Run().code(), StatusCode::kInvalidModel);
  OpTester index = ScatterND(ScatterReduction::Add);
  index.Input<float>(Shape::Of(2), {0, 1}).Input<int64_t>(Shape::Of(1, 1), {2});
  index.Input<float>(Shape::Of(1), {1});
  EXPECT_EQ(index.Run().code(), StatusCode::kOutOfRange);
  OpTester reduction = ScatterND(static_cast<ScatterReduction>(9));
  reduction.Input<float>(Shape::Of(2), {0, 1}).Input<int64_t>(Shape::Of(1, 1), {1});
  reduction.Input<float>(Shape::Of(1), {1});
  EXPECT_EQ(reduction.Run().code(), StatusCode::kInvalidModel);
  OpTester type = ScatterND(ScatterReduction::Add);
  type.Input<uint8_t>(Shape::Of(2), {0, 1}).InputType(DType::kBool).Input<int64_t>(Shape::Of(1, 1), {1});
  type.Input<uint8_t>(Shape::Of(1), {1}).InputType(DType::kBool);
  EXPECT_EQ(type.Run().code(), StatusCode::kUnsupported);
}

template <typename T>
void ExpectScatterElements() {
  OpTester op = ScatterElements(1, ScatterReduction::Add);
  op.Input<T>(Shape::Of(1, 5), {1, 2, 3, 4, 5}).template Input<int64_t>(Shape::Of(1, 3), {1, -2, 1});
  op.Input<T>(Shape::Of(1, 3), {11, 21, 3});
  ASSERT_TRUE(op.Run().ok());
  EXPECT_THAT(op.Output<T>(), ElementsAre(1, 16, 3, 25, 5));
}

TEST(ScatterElements, AddsInEveryType) {
  ExpectScatterElements<float>();
  ExpectScatterElements<double>();
  ExpectScatterElements<int8_t>();
  ExpectScatterElements<uint8_t>();
  ExpectScatterElements<int16_t>();
  ExpectScatterElements<uint16_t>();
  ExpectScatterElements<int32_t>();
  ExpectScatterElements<uint32_t>();
  ExpectScatterElements<int64_t>();
  ExpectScatterElements<uint64_t>();
}

TEST(ScatterElements, IntegersWrapAndHalvesRound) {
  OpTester bytes = ScatterElements(0, ScatterReduction::Mul);
  bytes.Input<int8_t>(Shape::Of(1), {100}).Input<int64_t>(Shape::Of(1), {0}).Input<int8_t>(Shape::Of(1), {3});
  ASSERT_TRUE(bytes.Run().ok());
  EXPECT_THAT(bytes.Output<int8_t>(), ElementsAre(44));
  OpTester halves = ScatterElements(0, ScatterReduction::Add);
  halves.Input<uint16_t>(Shape::Of(1), {0x3c00}).InputType(DType::kFloat16);
  halves.Input<int64_t>(Shape::Of(1), {0}).Input<uint16_t>(Shape::Of(1), {0x4000}).InputType(DType::kFloat16);
  ASSERT_TRUE(halves.Run().ok());
  EXPECT_EQ(halves.OutputDType(), DType::kFloat16);
}

TEST(ScatterElements, DataItselfMayBeTheUpdate) {
  OpTester op = ScatterElements(0, ScatterReduction::None);
  op.Input<float>(Shape::Of(2, 2), {1, 2, 3, 4}).Input<int32_t>(Shape::Of(2, 2), {1, 0, 0, 1});
  op.Input<float>(Shape::Of(2, 2), {1, 2, 3, 4});
  ASSERT_TRUE(op.Run().ok());
  EXPECT_THAT(op.Output<float>(), ElementsAre(3, 2, 1, 4));
}

}  // namespace
}  // namespace micrort
