// TensorFlow's functions of mathematics, transforms, losses, normalization and simulated quantization:
// operands that do not fit.

#include "tests/converter/tensorflow_operator.h"
#include "tests/refusal.h"

namespace micrort::testing::tensorflow_refused_functions {
namespace {

constexpr auto kUnsupported = StatusCode::kUnsupported;

const Refusal kFunctions[] = {
    {"ErfinvOfHalves", MICRORT_STATUS(TfOperator("Erfinv").X({2}, "DT_HALF").Import()), "of type float16",
     kUnsupported},
    {"BesselOfHalves", MICRORT_STATUS(TfOperator("BesselI0").X({2}, "DT_HALF").Import()), "of type float16",
     kUnsupported},
    {"ZetaOfHalves", MICRORT_STATUS(TfOperator("Zeta").X({2}).X({2}, "DT_HALF").Import()), "of type float16",
     kUnsupported},
    {"CrossOfTwoElements", MICRORT_STATUS(TfOperator("Cross").X({2}).X({2}).Import()),
     "expected three elements"},
    {"CrossOfScalars", MICRORT_STATUS(TfOperator("Cross").X({}).X({}).Import()), "expected three elements"},
    {"SelectByMatrices",
     MICRORT_STATUS(TfOperator("Select").X({2, 2}, "DT_BOOL").X({2, 2, 2}).X({2, 2, 2}).Import()),
     "a condition of 2 dimensions for tensors of 3"},
    {"LossOfOpenClasses",
     MICRORT_STATUS(TfOperator("SparseSoftmaxCrossEntropyWithLogits").X({2, -1}).X({2}, "DT_INT32").Import()),
     "a number of classes that is not fixed", kUnsupported},
    {"NeighboursOnNegativeSides",
     MICRORT_STATUS(TfOperator("LRN").X({1, 2, 2, 3}).With("depth_radius", "i: -1").Import()),
     "depth_radius -1"},
    {"TooManyNeighbours",
     MICRORT_STATUS(TfOperator("LRN").X({1, 2, 2, 3}).With("depth_radius", "i: 4097").Import()),
     "depth_radius 4097"},
    {"SoftmaxOfAScalar", MICRORT_STATUS(TfOperator("Softmax").X({}).Import()), "softmax of a scalar"},
};
MICRORT_EXPECT_REFUSALS(TensorflowRefusedFunctions, kFunctions);

const Refusal kTransforms[] = {
    {"OfTooFewDimensions",
     MICRORT_STATUS(TfOperator("Complex").X({4}).X({4}).Then("FFT2D").Then("Real").Import()),
     "of 1 dimensions"},
    {"RealOnesOfTooFewDimensions",
     MICRORT_STATUS(TfOperator("RFFT2D").X({4}).Integers({4, 4}).Then("Real").Import()), "of 1 dimensions"},
    {"RealOnesOfOneLength",
     MICRORT_STATUS(TfOperator("RFFT2D").X({4, 4}).Integers({4}).Then("Real").Import()),
     "expected 2 lengths, found 1"},
    {"RealOnesOfDoubles",
     MICRORT_STATUS(TfOperator("RFFT").X({4}, "DT_DOUBLE").Integers({4}).Then("Real").Import()),
     "of type float64", kUnsupported},
    {"InverseOnesOfTooFewDimensions",
     MICRORT_STATUS(TfOperator("Complex").X({4}).X({4}).Then("IRFFT2D").Integers({4, 4}).Import()),
     "of 1 dimensions"},
};
MICRORT_EXPECT_REFUSALS(TensorflowRefusedTransforms, kTransforms);

TfOperator InRange(float low, float high) {
  TfOperator result("FakeQuantWithMinMaxVars");
  return result.X({2}).Float(low).Float(high);
}

const Refusal kQuantization[] = {
    {"RangeWithoutZero", MICRORT_STATUS(InRange(1, 2).Import()), "the range [1, 2]"},
    {"RangeUnderZero", MICRORT_STATUS(InRange(-2, -1).Import()), "the range [-2, -1]"},
    {"EmptyRange", MICRORT_STATUS(InRange(0, 0).Import()), "the range [0, 0]"},
    {"RangeWithoutAStep", MICRORT_STATUS(InRange(0, 1e-45f).Import()), "the range [0, 1"},
    {"RangeOfAllNumbers", MICRORT_STATUS(InRange(-3e38f, 3e38f).Import()), "the range [-3e+38, 3e+38]"},
    {"RangeInFourBits", MICRORT_STATUS(InRange(-1, 1).With("num_bits", "i: 4").Import()), "num_bits 4",
     kUnsupported},
    {"SeveralRanges",
     MICRORT_STATUS(
         TfOperator("FakeQuantWithMinMaxVars").X({2}).Floats({2}, {-1, -1}).Floats({2}, {1, 1}).Import()),
     "ranges of several values"},
    {"RangesOfOtherChannels",
     MICRORT_STATUS(TfOperator("FakeQuantWithMinMaxVarsPerChannel")
                        .X({3})
                        .Floats({2}, {-1, -1})
                        .Floats({2}, {1, 1})
                        .Import()),
     "2 and 2 ends of ranges"},
    {"RangesWithoutAnEnd",
     MICRORT_STATUS(TfOperator("FakeQuantWithMinMaxVarsPerChannel")
                        .X({2})
                        .Floats({2}, {-1, -1})
                        .Floats({1}, {1})
                        .Import()),
     "2 and 1 ends of ranges"},
    {"StepsOfTooManyBits",
     MICRORT_STATUS(
         TfOperator("QuantizeAndDequantizeV2").X({2}).Float(-1).Float(1).With("num_bits", "i: 25").Import()),
     "num_bits 25", kUnsupported},
    {"StepsOfNoBits",
     MICRORT_STATUS(TfOperator("QuantizeAndDequantizeV3").X({2}).Float(-1).Float(1).Integer(0).Import()),
     "num_bits 0", kUnsupported},
};
MICRORT_EXPECT_REFUSALS(TensorflowRefusedQuantization, kQuantization);

}  // namespace
}  // namespace micrort::testing::tensorflow_refused_functions
