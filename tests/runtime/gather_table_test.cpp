// Gather from int8, int4 and half data: the rows that are read become floats.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "kernels/base/half.h"
#include "micrort/model.h"
#include "micrort/op_resolver.h"
#include "tests/runtime/model_builder.h"
#include "tests/runtime/op_tester.h"
#include "tests/status_matchers.h"

namespace micrort::testing::gather_table {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

OpTester TableTester(int axis = 0) {
  schema::GatherOptionsT options;
  options.axis = axis;
  OpTester op(ops::Gather(), options);
  op.OutputType(DType::kFloat32);
  return op;
}

TEST(GatherTable, ScalesOfRowsOfInt8) {
  OpTester op = TableTester();
  op.Constant<int8_t>(Shape::Of(3, 2), {1, -2, 3, 4, -127, 127})
      .QuantizedAlong(0, {0.5f, 2.0f, 1.0f})
      .Input<int64_t>(Shape::Of(2, 2), {2, 0, -2, -3});
  ASSERT_THAT(op.Run(), IsOk());
  EXPECT_EQ(op.OutputShape(), Shape::Of(2, 2, 2));
  EXPECT_THAT(op.Output<float>(), ElementsAre(-127, 127, 0.5f, -1, 6, 8, 0.5f, -1));
}

TEST(GatherTable, OneScaleAndAZeroPoint) {
  OpTester op = TableTester();
  op.Constant<int8_t>(Shape::Of(2, 1, 2), {1, -2, 3, 4}).Quantized(0.5f, 1).Input<int32_t>(Shape(), {1});
  ASSERT_THAT(op.Run(), IsOk());
  EXPECT_EQ(op.OutputShape(), Shape::Of(1, 2));
  EXPECT_THAT(op.Output<float>(), ElementsAre(1, 1.5f));
}

TEST(GatherTable, ScalesOfColumnsOfInt8) {
  OpTester op = TableTester();
  op.Constant<int8_t>(Shape::Of(2, 3), {1, -2, 3, 4, 5, 6})
      .QuantizedAlong(1, {0.5f, 2.0f, 1.0f})
      .Input<int32_t>(Shape::Of(1), {1});
  ASSERT_THAT(op.Run(), IsOk());
  EXPECT_THAT(op.Output<float>(), ElementsAre(2, 10, 6));
}

// Every row against what its bits say, in rows that are longer than what kernels take at once, by many tasks.
void ExpectInt4(size_t depth, size_t group, CpuFeatures features) {
  constexpr size_t kRows = 37;
  std::mt19937 random(7);
  const size_t groups = (depth + group - 1) / group;
  std::vector<uint8_t> bytes(kRows * depth / 2);
  for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random() & 255u);
  std::vector<float> scales(kRows * groups);
  for (float& scale : scales) scale = 0.01f * static_cast<float>(1 + random() % 9);
  std::vector<int64_t> indices(100);
  for (int64_t& index : indices) index = static_cast<int64_t>(random() % (2 * kRows)) - int64_t{kRows};
  OpTester op = TableTester();
  op.Features(features)
      .Constant<uint8_t>(Shape::Of(kRows, depth / 2), bytes)
      .InputType(DType::kInt4)
      .QuantizedInGroups(0, scales, static_cast<int32_t>(group))
      .Input<int64_t>(Shape::Of(indices.size()), indices);
  ASSERT_THAT(op.Run(), IsOk());
  EXPECT_EQ(op.OutputShape(), Shape::Of(indices.size(), depth));
  std::vector<float> expected;
  for (const int64_t index : indices) {
    const auto row = static_cast<size_t>(index < 0 ? index + int64_t{kRows} : index);
    for (size_t k = 0; k < depth; ++k) {
      const uint8_t byte = bytes[(row * depth + k) / 2];
      const int half = k % 2 == 0 ? byte & 15 : byte >> 4;
      expected.push_back(static_cast<float>(half < 8 ? half : half - 16) * scales[row * groups + k / group]);
    }
  }
  EXPECT_EQ(op.Output<float>(), expected);
}

TEST(GatherTable, GroupsOfInt4) {
  for (const CpuFeatures features : {CpuFeatures{0}, ~CpuFeatures{0}}) {
    ExpectInt4(96, 32, features);
    ExpectInt4(70, 32, features);  // a last group of six
    ExpectInt4(2, 32, features);   // one of two
    ExpectInt4(14, 3, features);   // groups that end inside a byte
    ExpectInt4(300, 128, features);
    ExpectInt4(4096, 64, features);
  }
}

TEST(GatherTable, OneScaleARowOfInt4AndItsTypeIsKnownBeforeTheOutputs) {
  schema::GatherOptionsT options;
  OpTester op(ops::Gather(), options);
  op.Constant<uint8_t>(Shape::Of(2, 1), {0x71, 0x8f})
      .InputType(DType::kInt4)
      .QuantizedAlong(0, {1.0f, 0.5f})
      .Input<int64_t>(Shape::Of(2), {1, 0});
  ASSERT_THAT(op.Run(), IsOk());
  EXPECT_THAT(op.Output<float>(), ElementsAre(-0.5f, -4, 1, 7));
}

TEST(GatherTable, Halves) {
  for (const CpuFeatures features : {CpuFeatures{0}, ~CpuFeatures{0}}) {
    std::vector<uint16_t> halves(3 * 19);
    for (size_t i = 0; i < halves.size(); ++i) halves[i] = FloatToHalf(static_cast<float>(i) / 8);
    OpTester op = TableTester();
    op.Features(features)
        .Constant<uint16_t>(Shape::Of(3, 19), halves)
        .InputType(DType::kFloat16)
        .Input<int64_t>(Shape::Of(2), {2, 1});
    ASSERT_THAT(op.Run(), IsOk());
    std::vector<float> expected;
    for (const size_t row : {2, 1}) {
      for (size_t k = 0; k < 19; ++k) expected.push_back(static_cast<float>(row * 19 + k) / 8);
    }
    EXPECT_EQ(op.Output<float>(), expected);
  }
}

TEST(GatherTable, HalvesAndInt8StayWhatTheyAreWhereTheOutputIs) {
  OpTester op(ops::Gather(), schema::GatherOptionsT());
  op.Constant<int8_t>(Shape::Of(2, 1), {1, 2}).QuantizedAlong(0, {1, 2}).Input<int64_t>(Shape::Of(1), {1});
  ASSERT_THAT(op.Run(), IsOk());
  EXPECT_THAT(op.Output<int8_t>(), ElementsAre(2));
}

TEST(GatherTable, EmptyRowsAndNoIndices) {
  OpTester rows = TableTester();
  rows.Constant<int8_t>(Shape::Of(2, 0), {}).QuantizedAlong(0, {1, 2}).Input<int64_t>(Shape::Of(1), {1});
  EXPECT_THAT(rows.Run(), IsOk());
  OpTester none = TableTester();
  none.Constant<int8_t>(Shape::Of(2, 1), {1, 2}).QuantizedAlong(0, {1, 2}).Input<int64_t>(Shape::Of(0), {});
  EXPECT_THAT(none.Run(), IsOk());
  EXPECT_EQ(none.OutputShape(), Shape::Of(0, 1));
}

TEST(GatherTable, ChecksIndicesAsItRuns) {
  OpTester op = TableTester();
  op.Constant<int8_t>(Shape::Of(2, 1), {1, 2})
      .QuantizedAlong(0, {1, 2})
      .Input<int64_t>(Shape::Of(2), {1, -3});
  EXPECT_THAT(op.Run(), IsError(StatusCode::kOutOfRange, HasSubstr("-3")));
}

TEST(GatherTable, RefusesScalesThatAreNotOnesOfItsRows) {
  const auto run = [](int axis, const std::vector<float>& scales) {
    OpTester op = TableTester();
    op.Constant<int8_t>(Shape::Of(2, 1, 3), {1, 2, 3, 4, 5, 6})
        .QuantizedAlong(axis, scales)
        .Input<int64_t>(Shape::Of(1), {1});
    return op.Run();
  };
  EXPECT_THAT(run(0, {1, 1, 1}), IsError(StatusCode::kInvalidModel, HasSubstr("found 3 along axis 0")));
  EXPECT_THAT(run(2, {1, 1, 1}), IsError(StatusCode::kInvalidModel, HasSubstr("found 3 along axis 2")));
  EXPECT_THAT(run(-1, {}), IsError(StatusCode::kInvalidModel, HasSubstr("found 0")));
  EXPECT_THAT(run(0, {1, 0}), IsError(StatusCode::kInvalidModel, HasSubstr("must be finite and positive")));
}

TEST(GatherTable, RefusesOtherAxesAndListsOfInt4) {
  OpTester axis = TableTester(1);
  axis.Constant<int8_t>(Shape::Of(2, 2), {1, 2, 3, 4}).Quantized(1, 0).Input<int64_t>(Shape::Of(1), {1});
  EXPECT_THAT(axis.Run(), IsError(StatusCode::kUnsupported, HasSubstr("axis 1")));
  OpTester list = TableTester();
  list.Constant<uint8_t>(Shape::Of(2), {1, 2})
      .InputType(DType::kInt4)
      .Quantized(1, 0)
      .Input<int64_t>(Shape::Of(1), {1});
  EXPECT_THAT(list.Run(), IsError(StatusCode::kUnsupported, HasSubstr("int4")));
  OpTester bytes = TableTester();
  bytes.Constant<uint8_t>(Shape::Of(2, 1), {1, 2}).Quantized(1, 0).Input<int64_t>(Shape::Of(1), {1});
  EXPECT_THAT(bytes.Run(), IsError(StatusCode::kInvalidModel, HasSubstr("uint8")));
}

// A table of 5 rows of 8 elements in groups of 4.
ModelBuilder TableModel() {
  ModelBuilder b;
  const int x = b.Input("x", DType::kInt64, {3});
  const int w = b.Constant<uint8_t>("w", {5, 4}, std::vector<uint8_t>(20, 0x21));
  b.tensor(w).dtype = schema::DType::Int4;
  b.tensor(w).quantization = std::make_unique<schema::QuantizationT>();
  b.tensor(w).quantization->scales.assign(10, 1.0f);
  b.tensor(w).quantization->axis = 0;
  b.tensor(w).quantization->group = 4;
  const int y = b.Tensor("y", DType::kFloat32, {3, 8});
  b.Node(schema::GatherOptionsT(), {w, x}, {y}, "table");
  b.Output(y);
  return b;
}

Status LoadTable(const ModelBuilder& b) {
  const ModelFile file = b.Finish();
  auto model = Model::FromBuffer(file.data(), file.size());
  return model.ok() ? Interpreter::Create(*model).status() : model.status();
}

TEST(GatherTable, FilesWithScalesOfAnotherShapeAreRefused) {
  EXPECT_THAT(LoadTable(TableModel()), IsOk());
  ModelBuilder few = TableModel();
  few.tensor(1).quantization->scales.pop_back();
  EXPECT_THAT(LoadTable(few), IsError(StatusCode::kInvalidModel, HasSubstr("expected 10 scales, found 9")));
  ModelBuilder columns = TableModel();
  columns.tensor(1).quantization->axis = 1;
  columns.tensor(1).quantization->group = 0;
  columns.tensor(1).quantization->scales.resize(4);
  EXPECT_THAT(LoadTable(columns), IsError(StatusCode::kInvalidModel, HasSubstr("expected one scale")));
  ModelBuilder indices = TableModel();
  indices.graph().operators[0]->inputs = {0, 1};
  EXPECT_THAT(LoadTable(indices), IsError(StatusCode::kInvalidModel, HasSubstr("int4")));
  ModelBuilder width = TableModel();
  width.tensor(2).shape = {3, 4};
  EXPECT_THAT(LoadTable(width), IsError(StatusCode::kInvalidModel, HasSubstr("expected shape 3x8")));
}

}  // namespace
}  // namespace micrort::testing::gather_table
