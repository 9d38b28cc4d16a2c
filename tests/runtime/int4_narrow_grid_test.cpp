// Scales of int4 as halves and zero points as int4: the same results as from floats and int32.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "kernels/base/half.h"
#include "kernels/base/int4.h"
#include "micrort/model.h"
#include "micrort/op_resolver.h"
#include "tests/runtime/model_builder.h"
#include "tests/runtime/op_tester.h"
#include "tests/status_matchers.h"
#include "tests/support/random.h"

namespace micrort::testing::int4_narrow_grid {
namespace {

using ::testing::HasSubstr;

enum class ZeroPoints { kNone, kTurned, kAny };

struct Weights {
  std::vector<uint8_t> bytes;
  std::vector<float> scales;
  std::vector<int32_t> zero_points;

  Weights(int64_t channels, int64_t depth, int64_t group, ZeroPoints which)
      : bytes(static_cast<size_t>(channels * depth / 2)),
        scales(static_cast<size_t>(channels * ((depth + group - 1) / group))),
        zero_points(scales.size()) {
    Random random(11);
    random.Fill(bytes, 0, 255);
    random.Fill(scales, 0.001, 0.1);
    for (float& scale : scales) scale = HalfToFloat(FloatToHalf(scale));
    if (which == ZeroPoints::kAny) random.Fill(zero_points, -8, 7);
    if (which == ZeroPoints::kTurned) random.Fill(zero_points, kTurnedInt4, 0);
  }
};

template <typename Options>
void ExpectSame(const OpRegistration& registration, const Options& options, const Shape& x,
                const Shape& weights, int32_t group, ZeroPoints which) {
  const int64_t depth = 2 * weights.product(1, weights.rank);
  const Weights w(weights[0], depth, group, which);
  std::vector<float> floats(static_cast<size_t>(x.elements()));
  Random(3).Fill(floats, -1, 1);
  for (const CpuFeatures features : {CpuFeatures{0}, ~CpuFeatures{0}}) {
    std::vector<float> expected;
    for (const bool narrow : {false, true}) {
      OpTester op(registration, options);
      op.Features(features).template Input<float>(x, floats).template Constant<uint8_t>(weights, w.bytes);
      op.InputType(DType::kInt4).QuantizedInGroups(0, w.scales, group, w.zero_points);
      if (narrow) op.WithNarrowGrid();
      ASSERT_THAT(op.Run(), IsOk());
      if (narrow) {
        EXPECT_EQ(op.template Output<float>(), expected);
      } else {
        expected = op.template Output<float>();
      }
    }
  }
}

TEST(Int4NarrowGrid, Products) {
  for (const auto compute : {schema::WeightCompute::Float, schema::WeightCompute::GroupedInt8}) {
    for (const ZeroPoints which : {ZeroPoints::kNone, ZeroPoints::kTurned, ZeroPoints::kAny}) {
      for (const int64_t rows : {1, 5, 70}) {
        schema::MatMulOptionsT options;
        options.transpose_b = true;
        options.compute = compute;
        ExpectSame(ops::MatMul(), options, Shape::Of(rows, 160), Shape::Of(21, 80), 32, which);
        ExpectSame(ops::MatMul(), options, Shape::Of(rows, 150), Shape::Of(7, 75), 64, which);
      }
    }
  }
}

TEST(Int4NarrowGrid, ProductsOfWidenedWeights) {
  schema::MatMulOptionsT options;
  options.transpose_b = true;
  options.compute = schema::WeightCompute::DynamicInt8;
  ExpectSame(ops::MatMul(), options, Shape::Of(4, 160), Shape::Of(21, 80), 32, ZeroPoints::kNone);
}

TEST(Int4NarrowGrid, Convolutions) {
  for (const ZeroPoints which : {ZeroPoints::kNone, ZeroPoints::kAny}) {
    schema::Conv2DOptionsT options;
    ExpectSame(ops::Conv2D(), options, Shape::Of(1, 6, 5, 32), Shape::Of(8, 3, 3, 16), 32, which);
    schema::ConvTranspose2DOptionsT transposed;
    ExpectSame(ops::ConvTranspose2D(), transposed, Shape::Of(1, 4, 5, 8), Shape::Of(6, 3, 3, 4), 32, which);
  }
  schema::Conv2DOptionsT dynamic;
  dynamic.compute = schema::WeightCompute::DynamicInt8;
  ExpectSame(ops::Conv2D(), dynamic, Shape::Of(1, 6, 5, 32), Shape::Of(8, 3, 3, 16), 32, ZeroPoints::kNone);
}

TEST(Int4NarrowGrid, Tables) {
  for (const ZeroPoints which : {ZeroPoints::kNone, ZeroPoints::kAny}) {
    const Weights w(9, 70, 32, which);
    std::vector<float> expected;
    for (const bool narrow : {false, true}) {
      OpTester op(ops::Gather(), schema::GatherOptionsT());
      op.OutputType(DType::kFloat32).Constant<uint8_t>(Shape::Of(9, 35), w.bytes).InputType(DType::kInt4);
      op.QuantizedInGroups(0, w.scales, 32, w.zero_points);
      if (narrow) op.WithNarrowGrid();
      op.Input<int64_t>(Shape::Of(3), {8, 0, -4});
      ASSERT_THAT(op.Run(), IsOk());
      if (narrow) {
        EXPECT_EQ(op.Output<float>(), expected);
      } else {
        expected = op.Output<float>();
      }
    }
  }
}

// y = x * w transposed, with w of [3, 8] in groups of 4.
ModelBuilder Product() {
  ModelBuilder b;
  const int x = b.Input("x", DType::kFloat32, {1, 8});
  const int w = b.Constant<uint8_t>("w", {3, 4}, std::vector<uint8_t>(12, 0x32));
  const int y = b.Tensor("y", DType::kFloat32, {1, 3});
  b.tensor(w).dtype = schema::DType::Int4;
  b.tensor(w).quantization = std::make_unique<schema::QuantizationT>();
  b.tensor(w).quantization->half_scales = std::vector<uint16_t>(6, FloatToHalf(0.5f));
  b.tensor(w).quantization->int4_zero_points = {0x10, 0xf2, 0x70};  // 0, 1, 2, -1, 0, 7
  b.tensor(w).quantization->axis = 0;
  b.tensor(w).quantization->group = 4;
  schema::MatMulOptionsT options;
  options.transpose_b = true;
  b.Node(std::move(options), {x, w}, {y}, "product");
  b.Output(y);
  return b;
}

TEST(Int4NarrowGrid, FilesAreRead) {
  const ModelFile file = Product().Finish();
  auto model = Model::FromBuffer(file.data(), file.size());
  ASSERT_THAT(model, IsOk());
  auto interpreter = Interpreter::Create(*model);
  ASSERT_THAT(interpreter, IsOk());
  std::fill_n(interpreter->input(0).as<float>(), 8, 1.0f);
  ASSERT_THAT(interpreter->Run(), IsOk());
  // Weights 2, 3, 2, 3 in each group, less its zero point.
  const float* y = interpreter->output(0).as<float>();
  EXPECT_EQ(std::vector<float>(y, y + 3),
            (std::vector<float>{10 * 0.5f + 6 * 0.5f, 2 * 0.5f + 14 * 0.5f, 10 * 0.5f + -18 * 0.5f}));
}

class ScalesOfWeights final : public OpObserver {
 public:
  void AfterOp(const OpInfo& op) override { counts.push_back(op.inputs[1].quantization.count); }
  std::vector<size_t> counts;
};

// A view has floats or none: who looks at a step reads no scale from nowhere.
TEST(Int4NarrowGrid, AnObserverSeesNoScalesThatAreHalves) {
  ModelBuilder b = Product();
  schema::TensorT& w = b.tensor(1);
  w.shape = {1, 4};
  w.quantization->half_scales.resize(1);
  w.quantization->int4_zero_points.clear();
  w.quantization->group = 8;
  b.tensor(2).shape = {1, 1};
  b.model.buffers[w.buffer]->data.resize(4);
  const ModelFile file = b.Finish();
  auto model = Model::FromBuffer(file.data(), file.size());
  ASSERT_THAT(model, IsOk());
  ScalesOfWeights seen;
  InterpreterOptions options;
  options.observer = &seen;
  auto interpreter = Interpreter::Create(*model, options);
  ASSERT_THAT(interpreter, IsOk());
  std::fill_n(interpreter->input(0).as<float>(), 8, 1.0f);
  ASSERT_THAT(interpreter->Run(), IsOk());
  EXPECT_EQ(seen.counts, std::vector<size_t>{0});
}

template <typename Change>
void ExpectRefused(const char* message, const Change& change) {
  ModelBuilder b = Product();
  change(&b.tensor(1));
  const ModelFile file = b.Finish();
  EXPECT_THAT(Model::FromBuffer(file.data(), file.size()).status(),
              IsError(StatusCode::kInvalidModel, HasSubstr(message)));
}

TEST(Int4NarrowGrid, FilesAreChecked) {
  for (const uint16_t bits : {0x0000, 0x8001, 0x7c00, 0x7e00, 0xbc00}) {
    ExpectRefused("scale 5: expected a finite half above 0",
                  [&](schema::TensorT* w) { w->quantization->half_scales[5] = bits; });
  }
  ExpectRefused("5 scales are halves: expected none, or 6 of int4",
                [](schema::TensorT* w) { w->quantization->half_scales.pop_back(); });
  ExpectRefused("6 scales are halves: expected none, or 6 of int4 and no others",
                [](schema::TensorT* w) { w->quantization->scales.resize(6, 1.0f); });
  ExpectRefused("3 scales are halves", [](schema::TensorT* w) {
    w->quantization->half_scales.resize(3);
    w->quantization->scales.resize(3, 1.0f);
  });
  ExpectRefused("2 bytes of int4 zero points: expected none, or 3",
                [](schema::TensorT* w) { w->quantization->int4_zero_points.pop_back(); });
  ExpectRefused("3 bytes of int4 zero points",
                [](schema::TensorT* w) { w->quantization->zero_points.resize(6); });
  ExpectRefused("int4 with an axis", [](schema::TensorT* w) { w->dtype = schema::DType::Int8; });
}

// A list without elements is there all the same.
TEST(Int4NarrowGrid, EmptyListsAreRefused) {
  const auto empty = [](const void* list) {
    const uint32_t none = 0;
    std::memcpy(const_cast<void*>(list), &none, sizeof none);
  };
  for (const bool halves : {false, true}) {
    ModelBuilder b = Product();
    schema::QuantizationT& q = *b.tensor(1).quantization;
    q.scales.resize(6, 1.0f);
    if (!halves) q.half_scales.clear();
    const ModelFile file = b.Finish();
    const schema::Tensor& w = *schema::GetModel(file.data())->subgraphs()->Get(0)->tensors()->Get(1);
    empty(halves ? static_cast<const void*>(w.quantization()->half_scales())
                 : w.quantization()->int4_zero_points());
    EXPECT_THAT(
        Model::FromBuffer(file.data(), file.size()).status(),
        IsError(StatusCode::kInvalidModel, HasSubstr(halves ? "0 scales are halves" : "0 bytes of int4")));
  }
}

// Other types have floats.
TEST(Int4NarrowGrid, OfInt4Alone) {
  ExpectRefused("3 scales are halves", [](schema::TensorT* w) {
    w->dtype = schema::DType::Int8;
    w->quantization->group = 0;
    w->quantization->half_scales.resize(3);
    w->quantization->int4_zero_points.clear();
  });
  ExpectRefused("2 bytes of int4 zero points", [](schema::TensorT* w) {
    w->dtype = schema::DType::Int8;
    w->quantization->group = 0;
    w->quantization->half_scales.clear();
    w->quantization->scales.resize(3, 1.0f);
    w->quantization->int4_zero_points.resize(2);
  });
}

}  // namespace
}  // namespace micrort::testing::int4_narrow_grid
