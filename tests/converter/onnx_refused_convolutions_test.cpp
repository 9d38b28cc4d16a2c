// Convolutions, and Col2Im, which undoes their windows: weights, windows and images that are refused.

#include <limits>

#include "tests/converter/onnx_refusals.h"

namespace micrort::testing::onnx_refused_convolutions {
namespace {

constexpr auto kUnsupported = StatusCode::kUnsupported;
constexpr int kInt32 = ::onnx::TensorProto::INT32;
constexpr int kInt64 = ::onnx::TensorProto::INT64;

OneNode Causal(const std::vector<int64_t>& weights) {
  OneNode node("CausalConvWithState", 27);
  node.X({"1", "3", "8"}).Weights(weights);
  return node;
}

OneNode Transposed(const std::vector<std::string>& x = {"1", "2", "5", "5"}) {
  OneNode node("ConvTranspose");
  node.X(x).Weights({2, 3, 3, 3});
  return node;
}

OneNode Deformed(const std::vector<std::string>& offset) {
  OneNode node("DeformConv", 19);
  node.X({"1", "2", "5", "5"}).Weights({3, 2, 2, 2}).X(offset);
  return node;
}

// Columns of blocks of two by two, and where they go.
OneNode ColumnsTo(const std::vector<int64_t>& image, const std::vector<int64_t>& block = {2, 2}) {
  OneNode node("Col2Im", 18);
  node.X({"1", "4", "4"}).Integers(image).Integers(block);
  return node;
}

OneNode ColumnsToComputed(const std::vector<std::string>& columns, int type) {
  OneNode node("Col2Im", 18);
  node.X(columns).X({"2"}, type).Integers({2, 2});
  return node;
}

const Refusal kConvolutions[] = {
    {"ConvOfOtherChannels",
     MICRORT_STATUS(OneNode("Conv").X({"1", "3", "5", "5"}).Weights({4, 2, 3, 3}).Refused()),
     "weights for 2 channels a group, the input has 3"},
    {"WeightsOfUnknownSize",
     MICRORT_STATUS(OneNode("Conv").X({"1", "3", "5", "5"}).X({"4", "3", "K", "3"}).Refused()),
     "weights whose shape is not fixed", kUnsupported},
    {"FusedConvWithAnotherActivation",
     [] {
       OneNode node("com.microsoft.FusedConv");
       return node.X({"1", "3", "5", "5"}).Weights({4, 3, 3, 3}).String("activation", "Softsign").Refused();
     },
     "activation 'Softsign'", kUnsupported},
    {"CausalConvWithAnotherActivation",
     MICRORT_STATUS(Causal({3, 1, 2}).String("activation", "relu").Refused()), "activation 'relu'"},
    {"CausalConvAcrossChannels", MICRORT_STATUS(Causal({3, 3, 2}).Refused()),
     "expected an input [N, C, L] and weights [C, 1, K]"},
    {"OutputPaddingOfAnotherRank", MICRORT_STATUS(Transposed().Ints("output_padding", {0, 0, 0}).Refused()),
     "output_padding: expected 2 entries, found 3"},
    {"NegativeOutputPadding",
     MICRORT_STATUS(Transposed().Ints("strides", {2, 2}).Ints("output_padding", {0, -1}).Refused()),
     "output_padding is negative"},
    {"UnknownAutoPad", MICRORT_STATUS(Transposed().String("auto_pad", "SAME").Refused()), "auto_pad 'SAME'"},
    {"OutputShapeOfAnotherRank", MICRORT_STATUS(Transposed().Ints("output_shape", {1, 3, 7, 7}).Refused()),
     "output_shape: expected 2 entries, found 4"},
    {"OutputShapeOf64Bits",
     MICRORT_STATUS(Transposed().Ints("output_shape", {std::numeric_limits<int64_t>::min(), 7}).Refused()),
     "output_shape: -9223372036854775808 does not fit 32 bits"},
    {"VolumeOfManyTaps",
     MICRORT_STATUS(OneNode("Conv").X({"1", "2", "D", "5", "5"}).X({"2", "2", "4097", "3", "3"}).Refused()),
     "more than 4096 taps before the last two dimensions", kUnsupported},
    {"TransposedVolumeOfLargeStrides",
     [] {
       OneNode node("ConvTranspose");
       return node.X({"1", "2", "5", "5", "5"})
           .Weights({2, 1, 1, 3, 3})
           .Ints("strides", {4097, 1, 1})
           .Refused();
     },
     "more than 4096 taps or strides before the last two dimensions", kUnsupported},
    {"OffsetsForManyTaps",
     MICRORT_STATUS(OneNode("DeformConv", 19)
                        .X({"1", "2", "5", "5"})
                        .X({"3", "2", "65536", "65536"})
                        .X({"1", "0", "4", "4"})
                        .Refused()),
     "1 offset groups, 4294967296 taps and 2 channels do not fit 0 offsets"},
    {"TooManyOffsets", MICRORT_STATUS(Deformed({"1", "16385", "4", "4"}).Refused()),
     "16385 offsets: expected up to 16384", kUnsupported},
    {"OffsetOfThreeDimensions", MICRORT_STATUS(Deformed({"1", "8", "16"}).Refused()),
     "input of 4 and offset of 3 dimensions: expected 4", kUnsupported},
    {"OffsetsForAnotherKernel", MICRORT_STATUS(Deformed({"1", "9", "4", "4"}).Refused()),
     "1 offset groups, 4 taps and 2 channels do not fit 9 offsets"},
};

const Refusal kColumns[] = {
    {"BlocksOfSevenDimensions",
     MICRORT_STATUS(ColumnsTo({1, 1, 1, 1, 1, 1, 1}, {1, 1, 1, 1, 1, 1, 1}).Refused()),
     "blocks of 7 dimensions, at most 6 are possible", kUnsupported},
    {"LargeBlocksOfAnUnknownImage",
     MICRORT_STATUS(
         OneNode("Col2Im", 18).X({"1", "C", "4"}).X({"2"}, kInt64).Integers({1024, 1025}).Refused()),
     "blocks of 1049600 elements, at most 1048576 are possible", kUnsupported},
    {"StridesOfAnotherRank", MICRORT_STATUS(ColumnsTo({3, 3}).Ints("strides", {1, 1, 1}).Refused()),
     "dilations, pads or strides do not fit blocks of 2 dimensions"},
    {"ImageOfAnotherRank", MICRORT_STATUS(ColumnsTo({3, 3, 3}).Refused()),
     "image_shape has 3 dimensions, the blocks have 2"},
    {"ColumnsOfPartsOfABlock", MICRORT_STATUS(ColumnsToComputed({"1", "6", "4"}, kInt64).Refused()),
     "expected [N, C * 4, columns]"},
    {"ImageOfInt32", MICRORT_STATUS(ColumnsToComputed({"1", "4", "4"}, kInt32).Refused()),
     "image_shape: expected 2 int64, one for each dimension of the block"},
    {"TooManyElements", MICRORT_STATUS(ColumnsTo({1 << 14, 1 << 13}).Refused()),
     "more than 16777216 elements", kUnsupported},
};

MICRORT_EXPECT_REFUSALS(OnnxRefusedConvolutions, kConvolutions);
MICRORT_EXPECT_REFUSALS(OnnxRefusedColumns, kColumns);

}  // namespace
}  // namespace micrort::testing::onnx_refused_convolutions
