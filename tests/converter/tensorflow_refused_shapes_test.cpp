// TensorFlow's operators that change shapes, borders and types, and its slices: operands that do not fit.

#include "tests/converter/tensorflow_operator.h"
#include "tests/refusal.h"

namespace micrort::testing::tensorflow_refused_shapes {
namespace {

constexpr auto kUnsupported = StatusCode::kUnsupported;

TfOperator Padded(const std::string& op, const std::vector<int64_t>& shape, const std::vector<int32_t>& pads,
                  const std::string& mode = "") {
  TfOperator result(op);
  result.X(shape).Integers(pads);
  return mode.empty() ? result : result.With("mode", "s: '" + mode + "'");
}

const Refusal kShapes[] = {
    {"ReshapeToNegativeSizes", MICRORT_STATUS(TfOperator("Reshape").X({4}).Integers({-2}).Import()),
     "dimension -2"},
    {"SqueezeOfOpenSizes", MICRORT_STATUS(TfOperator("Squeeze").X({-1, 1}).Import()),
     "which dimensions are 1 is not fixed", kUnsupported},
    {"SqueezeOfLargerSizes",
     MICRORT_STATUS(TfOperator("Squeeze").X({2, 1}).List("squeeze_dims", {0}).Import()),
     "dimension 0 is 2, not 1"},
    {"TransposeTwiceByOne", MICRORT_STATUS(TfOperator("Transpose").X({2, 2}).Integers({0, 0}).Import()),
     "dimension 0 twice"},
    {"TransposeOfSome", MICRORT_STATUS(TfOperator("Transpose").X({2, 2}).Integers({0}).Import()),
     "1 of 2 dimensions"},
    {"PadsOfAnotherRank", MICRORT_STATUS(Padded("Pad", {2, 2}, {1, 1}).Import()), "expected 4 pads, found 2"},
    {"SymmetricPadsOfAnotherRank", MICRORT_STATUS(Padded("MirrorPad", {2, 2}, {1, 1}, "SYMMETRIC").Import()),
     "expected 4 pads, found 2"},
    {"SymmetricPadsBelowZero", MICRORT_STATUS(Padded("MirrorPad", {2}, {-1, 1}, "SYMMETRIC").Import()),
     "padding -1 and 1 of 2"},
    {"SymmetricPadsBeyondAll", MICRORT_STATUS(Padded("MirrorPad", {2}, {3, 0}, "SYMMETRIC").Import()),
     "padding 3 and 0 of 2 in dimension 0"},
    {"PadsOfAnotherMode", MICRORT_STATUS(Padded("MirrorPad", {2}, {1, 1}, "CIRCULAR").Import()),
     "mode CIRCULAR", kUnsupported},
    {"CastToNoType", MICRORT_STATUS(TfOperator("Cast").X({2}).Import()), "attribute DstT is missing"},
    {"BitsAsNoType", MICRORT_STATUS(TfOperator("Bitcast").X({2}).Import()), "attribute type is missing"},
    {"BitsOfAnotherSize",
     MICRORT_STATUS(TfOperator("Bitcast").X({2}).With("type", "type: DT_INT64").Import()),
     "the bits of float32 as int64", kUnsupported},
    {"BitsAsTruths",
     MICRORT_STATUS(TfOperator("Bitcast").X({2}, "DT_UINT8").With("type", "type: DT_BOOL").Import()),
     "the bits of uint8 as bool", kUnsupported},
};
MICRORT_EXPECT_REFUSALS(TensorflowRefusedShapes, kShapes);

const Refusal kSlices[] = {
    {"MoreThanThereAreDimensions",
     MICRORT_STATUS(
         TfOperator("StridedSlice").X({2}).Integers({0, 0}).Integers({1, 1}).Integers({1, 1}).Import()),
     "2 slices of a tensor with 1 dimensions"},
    {"ByNoStride",
     MICRORT_STATUS(TfOperator("StridedSlice").X({2}).Integers({0}).Integers({1}).Integers({0}).Import()),
     "(StridedSlice): stride 0"},
    {"ComputedOnesOfMoreDimensions",
     MICRORT_STATUS(
         TfOperator("StridedSlice").X({2}).X({2}, "DT_INT32").Integers({1, 1}).Integers({1, 1}).Import()),
     "2 slices of a tensor with 1 dimensions"},
    {"ComputedOnesByNoStride",
     MICRORT_STATUS(
         TfOperator("StridedSlice").X({2}).X({1}, "DT_INT32").Integers({1}).Integers({0}).Import()),
     "(StridedSlice): stride 0"},
};
MICRORT_EXPECT_REFUSALS(TensorflowRefusedSlices, kSlices);

}  // namespace
}  // namespace micrort::testing::tensorflow_refused_shapes
