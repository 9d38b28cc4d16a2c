// TensorFlow's convolutions of images and volumes, and what is fused into them: operands that do not fit.

#include "tests/converter/tensorflow_operator.h"
#include "tests/refusal.h"

namespace micrort::testing::tensorflow_refused_convolutions {
namespace {

constexpr auto kUnsupported = StatusCode::kUnsupported;

TfOperator Convolution(const std::string& op, const std::vector<int64_t>& x,
                       const std::vector<int64_t>& weights) {
  TfOperator result(op);
  return result.X(x).X(weights).With("padding", "s: 'VALID'");
}

TfOperator Fused(const std::string& ops) {
  return Convolution("_FusedConv2D", {1, 4, 4, 2}, {3, 3, 2, 1})
      .X({1})
      .With("fused_ops", "list { " + ops + "}");
}

// To an image of this height, which is a number of 64 bits.
Status TransposedTo(const std::string& height) {
  const std::string sizes = TfNode("sizes", "Const", {},
                                   {"value { tensor { dtype: DT_INT64 tensor_shape { dim { size: 4 } } "
                                    "int64_val: [1, " +
                                    height + ", 4, 2] } }"});
  return ImportTf(sizes + TfInput("w", {3, 3, 2, 1}) + TfInput("x", {1, 2, 2, 1}) +
                  TfNode("y", "Conv2DBackpropInput", {"sizes", "w", "x"}, {"padding { s: 'VALID' }"}) +
                  "versions { producer: 1395 }\n")
      .status;
}

const Refusal kConvolutions[] = {
    {"OpenWeights", MICRORT_STATUS(Convolution("Conv2D", {1, 4, 4, 2}, {-1, 3, 2, 1}).Import()),
     "the weights' shape is not fixed", kUnsupported},
    {"OpenChannels", MICRORT_STATUS(Convolution("Conv2D", {1, 4, 4, -1}, {3, 3, 2, 1}).Import()),
     "the number of channels is not fixed", kUnsupported},
    {"WeightsForOtherChannels", MICRORT_STATUS(Convolution("Conv2D", {1, 4, 4, 3}, {3, 3, 2, 1}).Import()),
     "3 channels, and weights for 2"},
    {"WeightsForNoChannels", MICRORT_STATUS(Convolution("Conv2D", {1, 4, 4, 3}, {3, 3, 0, 1}).Import()),
     "3 channels, and weights for 0"},
    {"EmptyKernel", MICRORT_STATUS(Convolution("Conv2D", {1, 4, 4, 2}, {0, 3, 2, 1}).Import()),
     "a window of 0, stride 1, dilation 1"},
    {"HugeSpan",
     MICRORT_STATUS(
         Convolution("Conv2D", {1, 4, 4, 2}, {3, 3, 2, 1}).List("dilations", {1, 1, 1 << 24, 1}).Import()),
     "a window of 3, stride 1, dilation 16777216"},
    {"FiltersForOtherChannels",
     MICRORT_STATUS(Convolution("DepthwiseConv2dNative", {1, 4, 4, 3}, {3, 3, 2, 1}).Import()),
     "3 channels, and filters for 2"},
    {"FusedActivationAlone", MICRORT_STATUS(Fused("s: 'Relu' ").Import()),
     "fused_ops other than BiasAdd or FusedBatchNorm and an activation", kUnsupported},
    {"FusedOtherActivation", MICRORT_STATUS(Fused("s: 'BiasAdd' s: 'Cosh' ").Import()),
     "fused_ops has 'Cosh'", kUnsupported},
    {"TransposedWithExplicitPads",
     MICRORT_STATUS(TfOperator("Conv2DBackpropInput")
                        .Integers({1, 4, 4, 2})
                        .X({3, 3, 2, 1})
                        .X({1, 2, 2, 1})
                        .With("padding", "s: 'EXPLICIT'")
                        .Import()),
     "padding 'EXPLICIT'", kUnsupported},
    {"TransposedToAHugeSize", MICRORT_STATUS(TransposedTo("4294967296")),
     "size of the output: 4294967296 does not fit 32 bits"},
    {"TransposedToTheLeastSize", MICRORT_STATUS(TransposedTo("-9223372036854775808")),
     "size of the output: -9223372036854775808 does not fit 32 bits"},
};
MICRORT_EXPECT_REFUSALS(TensorflowRefusedConvolutions, kConvolutions);

TfOperator Volume(const std::vector<int64_t>& x, const std::vector<int64_t>& weights) {
  return Convolution("Conv3D", x, weights);
}

Status StridesOf(const std::vector<int64_t>& strides) {
  return Volume({1, 4, 4, 4, 2}, {2, 2, 2, 2, 1}).List("strides", strides).Import();
}

TfOperator TransposedVolume(const std::vector<int32_t>& shape) {
  TfOperator result("Conv3DBackpropInputV2");
  return result.Integers(shape).X({2, 2, 2, 2, 1}).X({1, 3, 3, 3, 1}).With("padding", "s: 'VALID'");
}

constexpr char kFiveNumbers[] = "strides: expected 5 numbers, those of batch and channels 1";

const Refusal kVolumes[] = {
    {"StridesOfImages", MICRORT_STATUS(StridesOf({1, 1, 1, 1})), kFiveNumbers},
    {"StridesOverTheBatch", MICRORT_STATUS(StridesOf({2, 1, 1, 1, 1})), kFiveNumbers},
    {"StridesOverTheChannels", MICRORT_STATUS(StridesOf({1, 1, 1, 1, 2})), kFiveNumbers},
    {"OtherPadding",
     MICRORT_STATUS(TfOperator("MaxPool3D")
                        .X({1, 4, 4, 4, 2})
                        .List("ksize", {1, 2, 2, 2, 1})
                        .With("padding", "s: 'EXPLICIT'")
                        .Import()),
     "padding 'EXPLICIT'", kUnsupported},
    {"OpenChannels", MICRORT_STATUS(Volume({1, 4, 4, 4, -1}, {2, 2, 2, 2, 1}).Import()),
     "-1 channels, and weights for 2", kUnsupported},
    {"WeightsForOtherChannels", MICRORT_STATUS(Volume({1, 4, 4, 4, 3}, {2, 2, 2, 2, 1}).Import()),
     "3 channels, and weights for 2", kUnsupported},
    {"WeightsForNoChannels", MICRORT_STATUS(Volume({1, 4, 4, 4, 3}, {2, 2, 2, 0, 1}).Import()),
     "3 channels, and weights for 0", kUnsupported},
    {"TransposedToAnImage", MICRORT_STATUS(TransposedVolume({1, 4, 4, 2}).Import()),
     "a shape of 4 dimensions"},
    {"TransposedWithDilations",
     MICRORT_STATUS(TransposedVolume({1, 4, 4, 4, 2}).List("dilations", {1, 2, 1, 1, 1}).Import()),
     "(Conv3DBackpropInputV2): dilations", kUnsupported},
};
MICRORT_EXPECT_REFUSALS(TensorflowRefusedVolumes, kVolumes);

}  // namespace
}  // namespace micrort::testing::tensorflow_refused_convolutions
