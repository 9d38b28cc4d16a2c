// Operators that move, order and convert elements: operands that do not fit, and sizes that are too large.

#include "micrort/op_resolver.h"
#include "tests/refusal.h"
#include "tests/runtime/op_tester.h"

namespace micrort::testing::refused_operators {
namespace {

constexpr int64_t kHuge = int64_t{1} << 40;
constexpr auto kUnsupported = StatusCode::kUnsupported;

Shape RankEight() { return Shape::Of(1, 1, 1, 1, 1, 1, 1, 1); }

template <typename OptionsT>
Status WithTarget(const OpRegistration& registration, OptionsT options, const std::vector<int64_t>& target,
                  const Shape& x = Shape::Of(2, 3)) {
  OpTester op(registration, std::move(options));
  return op.Input<float>(x, {}).Known(target).Infer();
}

OpTester TransformOf(const Shape& x) {
  OpTester op(ops::Fourier(), schema::FourierOptionsT());
  op.Input<float>(x, {});
  return op;
}

OpTester ResizeTo(const Shape& x, schema::ResizeOptionsT options = {}) {
  OpTester op(ops::Resize(), std::move(options));
  op.Input<float>(x, {});
  return op;
}

const Refusal kOperators[] = {
    {"OptionsOfAnother",
     MICRORT_STATUS(
         OpTester(ops::Transpose(), schema::ReshapeOptionsT()).Input<float>(Shape::Of(1), {}).Infer()),
     "expected TransposeOptions, found ReshapeOptions"},
    {"TooManyInputs",
     MICRORT_STATUS(OpTester(ops::NonZero(), schema::NonZeroOptionsT()).Input<float>(Shape::Of(1), {}).Input<float>(Shape::Of(1), {}).Infer()),
     "expected 1 to 1 inputs, found 2"},
    {"NoElementType",
     MICRORT_STATUS(OpTester(ops::Reshape(), schema::ReshapeOptionsT()).Input<float>(Shape::Of(1), {}).InputType(DType::kUnknown).Known({1}).Infer()),
     "element type is not set", StatusCode::kInternal},
    {"UnknownBinary",
     [] {
       schema::BinaryOptionsT o;
       o.kind = static_cast<schema::BinaryKind>(23);
       OpTester op(ops::Binary(), std::move(o));
       return op.Input<float>(Shape::Of(1), {}).Input<float>(Shape::Of(1), {}).Infer();
     },
     "binary kind 23 does not exist"},
    {"ConcatOfOtherScales",
     MICRORT_STATUS(OpTester(ops::Concat(), schema::ConcatOptionsT()).Input<uint8_t>(Shape::Of(2), {}).Quantized(1, 0).Input<uint8_t>(Shape::Of(2), {}).Quantized(2, 0).OutputType(DType::kUInt8).OutputQuantized(1, 0).Infer()),
     "input 1: cannot requantize uint8", kUnsupported},
    {"LongConcat",
     [] {
       const Shape half = Shape::Of(int64_t{1} << 62);
       OpTester op(ops::Concat(), schema::ConcatOptionsT());
       return op.Input<int8_t>(half, {}).Input<int8_t>(half, {}).Infer();
     },
     "axis 0 of the output is too large"},
    {"DequantizeFloats",
     MICRORT_STATUS(OpTester(ops::Dequantize(), schema::DequantizeOptionsT()).Input<float>(Shape::Of(1), {}).Quantized(1, 0).Infer()),
     "expected int8, uint8 or int32, found float32", kUnsupported},
    {"DequantizeAlongAnotherAxis",
     MICRORT_STATUS(OpTester(ops::Dequantize(), schema::DequantizeOptionsT()).Input<int8_t>(Shape::Of(2, 3), {}).QuantizedAlong(0, {1, 1, 1}).Infer()),
     "found 3"},
    {"TransformWithoutALength", MICRORT_STATUS(TransformOf(Shape::Of(4, 1)).Absent().Known({}).Infer()),
     "input 2 has no element"},
    {"FramesOfEightDimensions", MICRORT_STATUS(TransformOf(RankEight()).Absent().Absent().Known({1}).Infer()),
     "frames of 8 dimensions", kUnsupported},
    {"TransformOfIntegers",
     MICRORT_STATUS(
         OpTester(ops::Fourier(), schema::FourierOptionsT()).Input<int32_t>(Shape::Of(4, 1), {}).Infer()),
     "expected float32, found int32", kUnsupported},
    {"GatherMakesNineDimensions",
     MICRORT_STATUS(OpTester(ops::Gather(), schema::GatherOptionsT()).Input<float>(RankEight(), {}).Input<int64_t>(Shape::Of(1, 1), {}).Infer()),
     "make more than 8 dimensions", kUnsupported},
    {"GatherNDMakesNineDimensions",
     MICRORT_STATUS(OpTester(ops::GatherND(), schema::GatherNDOptionsT()).Input<float>(RankEight(), {}).Input<int64_t>(Shape::Of(1, 1, 1), {}).Infer()),
     "the output has more than 8 dimensions", kUnsupported},
    {"ScatterNDOfNineDimensions",
     MICRORT_STATUS(OpTester(ops::ScatterND(), schema::ScatterNDOptionsT()).Input<float>(RankEight(), {}).Input<int64_t>(Shape::Of(1, 1, 1), {}).Input<float>(RankEight(), {}).Infer()),
     "the updates have more than 8 dimensions", kUnsupported},
    {"FloatAsK",
     MICRORT_STATUS(OpTester(ops::TopK(), schema::TopKOptionsT()).AddOutput().Input<float>(Shape::Of(4), {}).Known<float>(Shape::Of(1), {1}).Infer()),
     "expected one int32 or int64, found float32"},
    {"TwoKs",
     MICRORT_STATUS(OpTester(ops::TopK(), schema::TopKOptionsT()).AddOutput().Input<float>(Shape::Of(4), {}).Known({1, 2}).Infer()),
     "found int64 of shape 2"},
    {"TopOfALongAxis",
     MICRORT_STATUS(OpTester(ops::TopK(), schema::TopKOptionsT()).AddOutput() .Input<float>(Shape::Of(kHuge), {}) .Known(Shape(), std::vector<int64_t>{1}) .Infer()),
     "an axis of 1099511627776 elements", kUnsupported},
    {"UniqueOfALongAxis",
     MICRORT_STATUS(OpTester(ops::Unique(), schema::UniqueOptionsT()).AddOutput().AddOutput().AddOutput().Input<float>(Shape::Of(kHuge), {}).Infer()),
     "an axis of 1099511627776 elements", kUnsupported},
    {"NineRepeats",
     MICRORT_STATUS(WithTarget(ops::Tile(), schema::TileOptionsT(), std::vector<int64_t>(9, 1))),
     "expected at most 8 elements, found 9"},
    {"RepeatsTooOften",
     MICRORT_STATUS(WithTarget(ops::Tile(), schema::TileOptionsT(), {1, int64_t{1} << 62})),
     "dimension 1: 3 times 4611686018427387904 is too large"},
    {"FloatsAsShape",
     MICRORT_STATUS(OpTester(ops::Reshape(), schema::ReshapeOptionsT()).Input<float>(Shape::Of(2), {}).Known<float>(Shape::Of(1), {2}).Infer()),
     "expected int32 or int64, found float32"},
    {"TwoDimensionsInferred", MICRORT_STATUS(WithTarget(ops::Reshape(), schema::ReshapeOptionsT(), {-1, -1})),
     "dimensions 0 and 1 are both -1"},
    {"NegativeDimension", MICRORT_STATUS(WithTarget(ops::Reshape(), schema::ReshapeOptionsT(), {-2, 1})),
     "dimension 0 of the target shape is -2"},
    {"ShapeOfNineDimensionsThatARunDecides",
     MICRORT_STATUS(OpTester(ops::Reshape(), schema::ReshapeOptionsT()).Input<float>(Shape::Of(2), {}).Input<int64_t>(Shape::Of(9), {}).Infer()),
     "of shape 9: expected at most 8 dimensions", kUnsupported},
    {"RandomOfNineDimensions",
     MICRORT_STATUS(
         OpTester(ops::Random(), schema::RandomOptionsT()).Input<int64_t>(Shape::Of(9), {}).Infer()),
     "a shape of 9 dimensions", kUnsupported},
    {"UnknownRandom",
     [] {
       schema::RandomOptionsT o;
       o.kind = static_cast<schema::RandomKind>(2);
       OpTester op(ops::Random(), std::move(o));
       return op.Known({2}).Infer();
     },
     "random kind 2 does not exist"},
    {"MoreAxesThanDimensions",
     MICRORT_STATUS(OpTester(ops::Reduce(), schema::ReduceOptionsT()).Input<float>(Shape::Of(2, 3), {}).Input<int64_t>(Shape::Of(3), {}).Infer()),
     "3 axes of an input of shape 2x3"},
    {"ChoiceOfOtherScales",
     MICRORT_STATUS(OpTester(ops::Select(), schema::SelectOptionsT()).Input<uint8_t>(Shape::Of(1), {}) .InputType(DType::kBool) .Input<int8_t>(Shape::Of(1), {}) .Quantized(1, 0).Input<int8_t>(Shape::Of(1), {}).Quantized(2, 0).Infer()),
     "the inputs to choose from are quantized differently"},
    {"ChoiceOfOtherShapes",
     MICRORT_STATUS(OpTester(ops::Select(), schema::SelectOptionsT()).Input<uint8_t>(Shape::Of(2), {}).InputType(DType::kBool).Input<int8_t>(Shape::Of(3), {}).Input<int8_t>(Shape::Of(3), {}).Infer()),
     "cannot broadcast 2, 3 and 3"},
    {"NeitherScalesNorSizes", MICRORT_STATUS(ResizeTo(Shape::Of(2, 2)).Infer()),
     "there are neither scales nor sizes"},
    {"IntegersAsScales",
     MICRORT_STATUS(ResizeTo(Shape::Of(2)).Absent().Known<int32_t>(Shape::Of(1), {2}).Infer()),
     "expected at most 8 float32, found int32"},
    {"RegionWithoutAnEnd",
     [] {
       schema::ResizeOptionsT o;
       o.coordinates = schema::CoordinateMode::TfCropAndResize;
       o.sizes = {2};
       return ResizeTo(Shape::Of(2), std::move(o))
           .Known<float>(Shape::Of(2), {0, std::numeric_limits<float>::infinity()})
           .Infer();
     },
     "the roi is not finite"},
    {"LargeBlocks",
     [] {
       schema::ResizeOptionsT o;
       o.mode = schema::ResizeMode::Linear;
       o.scales = {0.5f, 0.5f, 1, 1};
       OpTester op(ops::Resize(), std::move(o));
       op.Input<int8_t>(Shape::Of(2, 2, 1 << 30, 1 << 30), {}).Quantized(1, 0).OutputType(DType::kInt8);
       return op.OutputQuantized(1, 0).Infer();
     },
     "it needs more scratch than there are addresses", kUnsupported, true},
    {"MuchSmaller",
     [] {
       schema::ResizeOptionsT o;
       o.mode = schema::ResizeMode::Linear;
       o.antialias = true;
       o.scales = {1e-9f};
       return ResizeTo(Shape::Of(INT32_MAX), std::move(o)).Infer();
     },
     "too many elements make one", kUnsupported},
};

MICRORT_EXPECT_REFUSALS(RefusedOperator, kOperators);

// An operator is not to write more than it has promised.
TEST(BoundedResult, BeyondItsBoundIsADefect) {
  Tensor y;
  y.name = "y";
  y.shape = Shape::Of(2, 3);
  Tensor* const outputs[] = {&y};
  RunContext context = {};
  context.outputs = {outputs, 1};
  EXPECT_TRUE(context.SetOutputShape(0, Shape::Of(1, 3)).ok());
  EXPECT_EQ(context.SetOutputShape(0, Shape::Of(1, 4)).code(), StatusCode::kInternal);
  EXPECT_EQ(context.SetOutputShape(0, Shape::Of(1)).code(), StatusCode::kInternal);
}

}  // namespace
}  // namespace micrort::testing::refused_operators
