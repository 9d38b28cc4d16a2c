// Windows of TFLite's layers, and its convolutions of volumes, that do not fit.

#include <limits>

#include "tests/converter/tflite_refusals.h"

namespace micrort::testing::tflite_refused_volumes {
namespace {

using Dims = std::vector<int32_t>;

constexpr auto kUnsupported = StatusCode::kUnsupported;
constexpr auto kValid = fb::Padding::Valid;
constexpr auto kSame = fb::Padding::Same;

Status PoolOf(const Dims& shape, fb::Padding padding) {
  fb::Pool2DOptionsT o;
  o.padding = padding;
  o.filter_height = o.filter_width = o.stride_h = o.stride_w = 2;
  return OneOp("MAX_POOL_2D").In(shape).With(o).Import();
}

fb::Conv3DOptionsT Plain(fb::Padding padding) {
  fb::Conv3DOptionsT o;
  o.padding = padding;
  o.stride_d = o.stride_h = o.stride_w = 1;
  o.dilation_d_factor = o.dilation_h_factor = o.dilation_w_factor = 1;
  return o;
}

// With windows of depth x 1 x 1.
Status ConvOf(const Dims& shape, int depth) {
  OneOp op("CONV_3D");
  return op.In(shape).Zeros({depth, 1, 1, 1, 1}).With(Plain(kValid)).Import();
}

Status TransposedConvTo(const Dims& wanted, const Dims& shape) {
  OneOp op("CONV_3D_TRANSPOSE");
  return op.Ints(wanted).Zeros({2, 1, 1, 1, 1}).In(shape).With(Plain(kSame)).Import();
}

Status TransposedConvWithStride(int32_t depth, int32_t stride, int64_t wanted) {
  OneOp op("CONV_3D_TRANSPOSE");
  const std::vector<int64_t> shape = {1, wanted, 2, 2, 1};
  op.op().inputs.push_back(op.builder().Constant("shape", {5}, fb::TensorType::Int64, shape));
  fb::Conv3DOptionsT o = Plain(kValid);
  o.stride_d = stride;
  return op.Zeros({1, 1, 1, 1, 1}).In({1, depth, 2, 2, 1}).With(o).Import();
}

const Refusal kVolumes[] = {
    {"OutputThatIsTooDeep",
     MICRORT_STATUS(TransposedConvWithStride(0, 2, std::numeric_limits<int64_t>::max())),
     "size of the output: 9223372036854775807 does not fit 32 bits"},
    {"DepthWithTooManyZeros",
     MICRORT_STATUS(TransposedConvWithStride(1 << 4, 1 << 28, std::numeric_limits<int32_t>::max())),
     "depth with zeros between planes: 4294967296 does not fit 32 bits"},
    {"PaddingThatDoesNotExist", MICRORT_STATUS(PoolOf({1, 4, 4, 1}, static_cast<fb::Padding>(7))),
     "(MAX_POOL_2D): padding 7"},
    {"OpenImageOfATransposedConvolution", MICRORT_STATUS(TransposedConvTo({1, 2, 2, 2, 1}, {1, 1, -1, 2, 1})),
     "an image whose size is not fixed", kUnsupported},
    {"OpenDepth", MICRORT_STATUS(ConvOf({1, -1, 2, 2, 1}, 1)),
     "weights, a depth or channels that are not fixed", kUnsupported},
    {"WindowOfTooManyPlanes", MICRORT_STATUS(ConvOf({1, 300, 2, 2, 1}, 257)),
     "a window of more than 256 planes", kUnsupported},
    {"WindowDeeperThanTheVolume", MICRORT_STATUS(ConvOf({1, 2, 2, 2, 1}, 3)),
     "a window that is deeper than the volume"},
    {"OutputOfFourDimensions", MICRORT_STATUS(TransposedConvTo({1, 2, 2, 2}, {1, 2, 2, 2, 1})),
     "the shape of the output: expected 5 dimensions, found 4"},
    {"OutputWithoutDepth", MICRORT_STATUS(TransposedConvTo({1, 0, 2, 2, 1}, {1, 2, 2, 2, 1})),
     "the shape of the output: expected 5 dimensions"},
};

MICRORT_EXPECT_REFUSALS(TfliteRefusedVolumes, kVolumes);

}  // namespace
}  // namespace micrort::testing::tflite_refused_volumes
