// Layers of operands that do not belong together, or are too large for this machine.

#include "micrort/op_resolver.h"
#include "runtime/model/packed_cache.h"
#include "runtime/ops/layer_operands.h"
#include "tests/refusal.h"
#include "tests/runtime/op_tester.h"

namespace micrort::testing::refused_layers {
namespace {

constexpr int64_t kHuge = int64_t{1} << 40;
constexpr auto kUnsupported = StatusCode::kUnsupported;

Status Attend(const Shape& q, const Shape& kv) {
  OpTester op(ops::Attention(), schema::AttentionOptionsT());
  return op.Input<float>(q, {}).Input<float>(kv, {}).Input<float>(kv, {}).Infer();
}

template <typename Weight>
Status Multiply(const Shape& x, const Shape& w, schema::MatMulOptionsT options = {}) {
  OpTester op(ops::MatMul(), std::move(options));
  return op.Input<float>(x, {}).Input<Weight>(w, {}).Infer();
}

schema::MatMulOptionsT PReluOf(schema::ActivationKind kind) {
  schema::MatMulOptionsT o;
  o.activation = schema::Activation(kind, 0, 0);
  return o;
}

// Of a product of two columns.
Status MultiplyBySlopes(bool has_slopes, const Shape& shape, const std::vector<float>& slopes,
                        schema::ActivationKind kind = schema::ActivationKind::PRelu) {
  OpTester op(ops::MatMul(), PReluOf(kind));
  op.Input<float>(Shape::Of(1, 1), {1}).Constant<float>(Shape::Of(1, 2), {1, 1}).Absent().Absent();
  if (has_slopes) op.Constant<float>(shape, slopes);
  return op.Infer();
}

schema::RecurrentOptionsT Rnn() {
  schema::RecurrentOptionsT o;
  o.activations.push_back(std::make_unique<schema::RecurrentActivationT>());
  return o;
}

// x [3,1,H], weights [H,H] of an Rnn.
OpTester RnnOf(int64_t hidden, schema::RecurrentOptionsT options = Rnn()) {
  OpTester op(ops::Recurrent(), std::move(options));
  op.AddOutput().Input<float>(Shape::Of(3, 1, hidden), {});
  return op;
}

Status AveragePool(int64_t side, schema::PoolKind kind) {
  schema::Pool2DOptionsT o;
  o.kind = kind;
  o.kernel_h = o.kernel_w = static_cast<int32_t>(side);
  OpTester op(ops::Pool2D(), o);
  op.Input<int8_t>(Shape::Of(1, side, side, 1), {}).Quantized(1, 0);
  return op.OutputType(DType::kInt8).OutputQuantized(1, 0).Infer();
}

const Refusal kLayers[] = {
    {"UnknownActivation",
     [] {
       schema::MatMulOptionsT o;
       o.activation = schema::Activation(static_cast<schema::ActivationKind>(9), 0, 0);
       return Multiply<float>(Shape::Of(1, 1), Shape::Of(1, 1), std::move(o));
     },
     "unknown activation 9"},
    {"SumWithSlopes",
     [] {
       schema::BinaryOptionsT o;
       o.activation = schema::Activation(schema::ActivationKind::PRelu, 0, 0);
       OpTester op(ops::Binary(), std::move(o));
       return op.Input<float>(Shape::Of(1), {1}).Input<float>(Shape::Of(1), {1}).Infer();
     },
     "unknown activation 8"},
    {"PReluWithoutSlopes", [] { return MultiplyBySlopes(false, Shape::Of(2), {}); },
     "PRelu and no other activation has slopes, found activation 8 without slopes"},
    {"SlopesWithoutPRelu",
     [] { return MultiplyBySlopes(true, Shape::Of(2), {1, 2}, schema::ActivationKind::None); },
     "PRelu and no other activation has slopes, found activation 0 with slopes"},
    {"FewSlopes", [] { return MultiplyBySlopes(true, Shape::Of(1), {1}); },
     "expected constant float32 of 2 elements, found float32 of shape 1"},
    {"ManySlopes", [] { return MultiplyBySlopes(true, Shape::Of(3), {1, 2, 3}); },
     "expected constant float32 of 2 elements, found float32 of shape 3"},
    {"SlopesOfSeveralDimensions", [] { return MultiplyBySlopes(true, Shape::Of(1, 2), {1, 2}); },
     "expected constant float32 of 2 elements, found float32 of shape 1x2"},
    {"ComputedSlopes",
     MICRORT_STATUS(OpTester(ops::MatMul(), PReluOf(schema::ActivationKind::PRelu)).Input<float>(Shape::Of(1, 1), {1}).Constant<float>(Shape::Of(1, 2), {1, 1}).Absent().Absent().Input<float>(Shape::Of(2), {1, 1}).Infer()),
     "expected constant float32 of 2 elements, found computed float32 of shape 2"},
    {"SlopesThatAreNotFiniteOfInt8",
     MICRORT_STATUS(OpTester(ops::MatMul(), PReluOf(schema::ActivationKind::PRelu)).Input<int8_t>(Shape::Of(1, 1), {1}).Quantized(1, 0).Constant<int8_t>(Shape::Of(1, 2), {1, 1}).Quantized(1, 0).Absent().Absent().Constant<float>(Shape::Of(2), {1, INFINITY}).OutputType(DType::kInt8).OutputQuantized(1, 0).Infer()),
     "are not finite"},
    {"SlopesOfTfliteRounding",
     MICRORT_STATUS(OpTester(ops::MatMul(), PReluOf(schema::ActivationKind::PRelu), schema::Rounding::Tflite).Input<int8_t>(Shape::Of(1, 1), {1}).Quantized(1, 0).Constant<int8_t>(Shape::Of(1, 2), {1, 1}).Quantized(1, 0).Absent().Absent().Constant<float>(Shape::Of(2), {1, 1}).OutputType(DType::kInt8).OutputQuantized(1, 0).Infer()),
     "no kernel for int8 input, int8 weights, int8 output with activation 8", kUnsupported},
    {"SlopesOfIntegerProducts",
     MICRORT_STATUS(OpTester(ops::MatMul(), schema::MatMulOptionsT()).Input<int32_t>(Shape::Of(1, 1), {1}).Input<int32_t>(Shape::Of(1, 2), {1, 1}).Absent().Absent().Constant<float>(Shape::Of(2), {1, 1}).Infer()),
     "a product of int32 with bias, residual or activation", kUnsupported},
    {"ResidualOfTransposedConvolution",
     [] {
       OpTester op(ops::ConvTranspose2D(), schema::ConvTranspose2DOptionsT());
       const Shape one = Shape::Of(1, 1, 1, 1);
       op.Input<float>(one, {1}).Constant<float>(one, {1}).Absent();
       return op.Input<float>(one, {1}).Infer();
     },
     "a transposed convolution takes no residual"},
    {"AttentionOfMatrices", MICRORT_STATUS(Attend(Shape::Of(2, 3, 4), Shape::Of(1, 2, 3, 4))),
     "input 0: expected 4 dimensions, found shape 2x3x4"},
    {"TooManyScores", MICRORT_STATUS(Attend(Shape::Of(1, kHuge, 1, 1), Shape::Of(1, kHuge, 1, 1))),
     "too many scores", kUnsupported, true},
    {"ManyKeys", MICRORT_STATUS(Attend(Shape::Of(1, 2, 1, 1), Shape::Of(1, int64_t{1} << 57, 1, 1))),
     "it needs more scratch than there are addresses", kUnsupported},
    {"WeightsOfIntegers", MICRORT_STATUS(Multiply<int32_t>(Shape::Of(1, 1), Shape::Of(1, 1))),
     "expected float32, float16, int8 or int4, found int32", kUnsupported},
    {"LayerOfIntegers",
     MICRORT_STATUS(OpTester(ops::Conv2D(), schema::Conv2DOptionsT()).Input<int32_t>(Shape::Of(1, 1, 1, 1), {1}).Input<float>(Shape::Of(1, 1, 1, 1), {1}).Infer()),
     "expected float32, float16, int8 or int16, found int32", kUnsupported},
    {"Int8OfFloatWeights",
     MICRORT_STATUS(OpTester(ops::MatMul(), schema::MatMulOptionsT()).Input<int8_t>(Shape::Of(1, 1), {1}).Quantized(1, 0).Input<float>(Shape::Of(1, 1), {1}).Infer()),
     "int8 input needs int8 weights, 'input' is float32"},
    {"SumsWithActivation",
     [] {
       schema::MatMulOptionsT o;
       o.activation = schema::Activation(schema::ActivationKind::Tanh, 0, 0);
       OpTester op(ops::MatMul(), std::move(o));
       op.Input<int8_t>(Shape::Of(1, 1), {1}).Input<int8_t>(Shape::Of(1, 1), {1});
       return op.OutputType(DType::kInt32).Infer();
     },
     "an int32 output takes neither residual nor activation"},
    {"LargeLayer", MICRORT_STATUS(Multiply<float>(Shape::Of(1, kHuge), Shape::Of(kHuge, kHuge / 64))),
     "the layer is too large", kUnsupported, true},
    {"ManyMatrices",
     MICRORT_STATUS(OpTester(ops::MatMul(), schema::MatMulOptionsT()).Input<float>(Shape::Of(1, 1, 1), {}).Constant<float>(Shape::Of(int64_t{1} << 59, 1, 1), {}).Infer()),
     "packed weights exceed the address space", StatusCode::kOutOfMemory, true},
    {"LargePackedWeights",
     MICRORT_STATUS(OpTester(ops::MatMul(), schema::MatMulOptionsT()).Input<float>(Shape::Of(1, kHuge), {}).Constant<float>(Shape::Of(kHuge, 1 << 20), {}).Infer()),
     "too large", kUnsupported},
    {"BatchesOfNothing",
     MICRORT_STATUS(Multiply<float>(Shape::Of(kHuge, kHuge, 0, 4), Shape::Of(1, 1, 4, 1))),
     "are too large"},
    {"LongInt8Average", MICRORT_STATUS(AveragePool(3000, schema::PoolKind::Average)),
     "an average of integers takes at most 8388608 elements", kUnsupported},
    {"SumOfInt8", MICRORT_STATUS(AveragePool(2, schema::PoolKind::Sum)), "sum pooling of int8", kUnsupported},
    {"UnknownRecurrent",
     [] {
       schema::RecurrentOptionsT o = Rnn();
       o.kind = static_cast<schema::RecurrentKind>(3);
       return RnnOf(2, std::move(o)).Input<float>(Shape::Of(2, 2), {}).Infer();
     },
     "recurrent kind 3 does not exist"},
    {"UnknownRecurrentActivation",
     [] {
       schema::RecurrentOptionsT o = Rnn();
       o.activations[0]->kind = static_cast<schema::UnaryKind>(44);
       return RnnOf(2, std::move(o)).Input<float>(Shape::Of(2, 2), {}).Infer();
     },
     "unary kind 44 does not exist"},
    {"RecurrentVector", MICRORT_STATUS(RnnOf(2).Input<float>(Shape::Of(2), {}).Infer()),
     "expected x [T,N,G*H] and weights [G*H,H], found 3x1x2 and 2"},
    {"RecurrentState",
     MICRORT_STATUS(RnnOf(2)
                        .Input<float>(Shape::Of(2, 2), {})
                        .Absent()
                        .Absent()
                        .Input<float>(Shape::Of(2, 2), {})
                        .Infer()),
     "input 4 ('input'): expected float32 of shape 1x2, found float32 of shape 2x2"},
    {"RecurrentLengths",
     MICRORT_STATUS(
         RnnOf(2).Input<float>(Shape::Of(2, 2), {}).Absent().Input<float>(Shape::Of(1), {}).Infer()),
     "input 3 ('input'): expected int32 of shape 1, found float32 of shape 1"},
    {"RecurrentIntegers", MICRORT_STATUS(RnnOf(2).Input<int32_t>(Shape::Of(2, 2), {}).Infer()),
     "expected float32, float16 or int8, found int32", kUnsupported},
    {"RecurrentScales",
     MICRORT_STATUS(RnnOf(2).Input<int8_t>(Shape::Of(2, 2), {}).QuantizedAlong(1, {1, 1}).Infer()),
     "expected one scale or one a row, and zero points 0"},
    {"RecurrentZeroPoint",
     MICRORT_STATUS(RnnOf(2).Input<int8_t>(Shape::Of(2, 2), {}).Quantized(1, 3).Infer()),
     "expected one scale or one a row, and zero points 0"},
    {"SuppressionOfIntegers",
     MICRORT_STATUS(OpTester(ops::NonMaxSuppression(), schema::NonMaxSuppressionOptionsT()).Input<int32_t>(Shape::Of(1, 2, 4), {}).Input<float>(Shape::Of(1, 1, 2), {}).Infer()),
     "expected boxes and scores of float32, found int32 and float32"},
    {"ManyBoxes",
     MICRORT_STATUS(OpTester(ops::NonMaxSuppression(), schema::NonMaxSuppressionOptionsT()).Input<float>(Shape::Of(1, kHuge, 4), {}).Input<float>(Shape::Of(1, 1, kHuge), {}).Infer()),
     "1099511627776 boxes", kUnsupported, true},
    {"RegionsOfIntegers",
     MICRORT_STATUS(OpTester(ops::RoiAlign(), schema::RoiAlignOptionsT()).Input<int32_t>(Shape::Of(1, 2, 2, 1), {}).Input<float>(Shape::Of(1, 4), {}).Input<int64_t>(Shape::Of(1), {}).Infer()),
     "expected float32, found int32 and float32", kUnsupported},
    {"RegionsOfFloatImages",
     MICRORT_STATUS(OpTester(ops::RoiAlign(), schema::RoiAlignOptionsT()).Input<float>(Shape::Of(1, 2, 2, 1), {}).Input<float>(Shape::Of(1, 4), {}).Input<float>(Shape::Of(1), {}).Infer()),
     "expected int32 or int64 batch indices, found float32"},
};

MICRORT_EXPECT_REFUSALS(RefusedLayer, kLayers);

TEST(LayerRefusals, MemoryThatIsMoreThanThereAreAddresses) {
  size_t bytes = 0;
  EXPECT_TRUE(CheckedSize(PTRDIFF_MAX, "scratch", &bytes).ok());
  EXPECT_EQ(bytes, size_t{PTRDIFF_MAX});
  const Status status = CheckedSize(uint64_t{PTRDIFF_MAX} + 1, "scratch", &bytes);
  EXPECT_EQ(status.code(), StatusCode::kOutOfMemory);
  EXPECT_THAT(status.message(), ::testing::HasSubstr("exceed the address space"));
}

TEST(LayerRefusals, PackedWeightsThatAreTogetherMoreThanThereAreAddresses) {
  const MappedFile no_file;
  PackedCache cache(no_file);
  const void* results[3] = {};
  PackRequest requests[3];
  for (int i = 0; i < 3; ++i) {
    requests[i].key.slot = i;
    requests[i].key.bytes = PTRDIFF_MAX;
    requests[i].result = &results[i];
  }
  size_t failed = 0;
  const Status status = cache.Acquire({requests, 3}, Sequential(), &failed);
  EXPECT_EQ(status.code(), StatusCode::kOutOfMemory);
  EXPECT_STREQ(status.message(), "packed weights are larger than an address space");
  EXPECT_EQ(failed, 3u);
}

}  // namespace
}  // namespace micrort::testing::refused_layers
