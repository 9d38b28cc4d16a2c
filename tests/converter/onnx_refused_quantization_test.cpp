// ONNX operators on quantized numbers: scales, zero points and packed weights that do not fit.

#include "tests/converter/onnx_refusals.h"

namespace micrort::testing::onnx_refused_quantization {
namespace {

constexpr auto kUnsupported = StatusCode::kUnsupported;
constexpr auto kUInt8 = ::onnx::TensorProto::UINT8;

OneNode Dequantize(const std::vector<int64_t>& scales, const std::vector<std::string>& x = {"2", "2"}) {
  OneNode node("DequantizeLinear", 21);
  node.X(x, kUInt8).Weights(scales);
  return node;
}

OneNode Quantize() {
  OneNode node("QuantizeLinear", 21);
  node.X({"2"}).Weights({});
  return node;
}

// Eight rows and one column of four bits.
OneNode Packed(int64_t bytes = 4, int64_t scales = 1, int64_t depth = 8, int64_t bits = 4) {
  OneNode node("com.microsoft.MatMulNBits");
  node.X({"1", "8"}).Narrow(kUInt8, {bytes}, std::vector<int32_t>(static_cast<size_t>(bytes), 0));
  node.Weights({scales}).Int("K", depth).Int("N", 1).Int("bits", bits).Int("block_size", 8);
  return node;
}

OneNode Product(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  OneNode node("MatMulInteger");
  node.X(a, kUInt8).X(b, kUInt8);
  return node;
}

// Scale and zero point of the result, then tensors with theirs.
OneNode Concat(int parts) {
  OneNode node("com.microsoft.QLinearConcat");
  node.Weights({}).Narrow(kUInt8, {}, {0}).Int("axis", 0);
  for (int i = 0; i < parts; ++i) node.X({"2"}, kUInt8).Weights({}).Narrow(kUInt8, {}, {0});
  return node;
}

const Refusal kQuantization[] = {
    {"OneZeroPointOfTwoScales", MICRORT_STATUS(Dequantize({2}).Narrow(kUInt8, {1}, {0}).Refused()),
     "2 scales, 1 zero points"},
    {"NegativeBlock", MICRORT_STATUS(Dequantize({2}).Int("block_size", -1).Refused()), "block_size -1"},
    {"ScalesOfAnotherAxis", MICRORT_STATUS(Dequantize({3}).Refused()), "3 scales for 2 slices"},
    {"BlocksOfUnknownSize", MICRORT_STATUS(Dequantize({2, 1}, {"2", "N"}).Int("block_size", 2).Refused()),
     "quantization in blocks along a dimension that is not fixed", kUnsupported},
    {"BlocksOfAHugeDimension",
     MICRORT_STATUS(Dequantize({2, 1}, {"2", "16777217"}).Int("block_size", 1 << 25).Refused()),
     "quantization in blocks along a dimension of size 16777217", kUnsupported},
    {"BlocksOfTooManyScales", MICRORT_STATUS(Dequantize({2, 3}, {"2", "4"}).Int("block_size", 2).Refused()),
     "expected 2 blocks along axis 1, found 3"},
    {"OneBlockOfAnySize",
     MICRORT_STATUS(Dequantize({1, 3}, {"2", "2"}).Int("axis", 0).Int("block_size", INT64_MAX).Refused()),
     "scales or zero points of blocks differ from the tensor in another dimension than 0"},
    {"BlocksOfOneRowOfThree",
     [] {
       OneNode node("DequantizeLinear", 21);
       node.Narrow(kUInt8, {3, 2}, {1, 2, 3, 4, 5, 6}).Weights({1, 2}).Int("axis", 1).Int("block_size", 1);
       return node.Refused();
     },
     "scales or zero points of blocks differ from the tensor in another dimension than 1"},
    {"BlocksWithAVectorOfZeroPoints",
     MICRORT_STATUS(Dequantize({2, 2}).Narrow(kUInt8, {4}, {0, 0, 0, 0}).Int("block_size", 1).Refused()),
     "scales or zero points of blocks differ from the tensor in another dimension than 1"},
    {"BlocksOfAHugeConstantWithoutElements",
     [] {
       OneNode node("DequantizeLinear", 21);
       node.Narrow(kUInt8, {1 << 30, 0}, {}).Weights({1 << 10, 0}).Int("axis", 0).Int("block_size", 1 << 20);
       return node.Refused();
     },
     "quantization in blocks along a dimension of size 1073741824", kUnsupported},
    {"DequantizedToAnUnknownType", MICRORT_STATUS(Dequantize({}).Int("output_dtype", 8).Refused()),
     "output_dtype STRING", kUnsupported},
    {"QuantizedToInt32", MICRORT_STATUS(Quantize().Narrow(::onnx::TensorProto::INT32, {}, {0}).Refused()),
     "quantizing to int32", kUnsupported},
    {"ZeroPointsOfUnknownNumber",
     MICRORT_STATUS(Product({"2", "3"}, {"3", "4"}).Absent().X({"N"}, kUInt8).Refused()),
     "zero points of a number that is not fixed", kUnsupported},
    {"HugeZeroPoint",
     MICRORT_STATUS(Product({"2", "1"}, {"1", "16777217"}).Absent().X({"16777217"}, kUInt8).Refused()),
     "more than 16777216 elements with a zero point that is not one constant number", kUnsupported},
    {"ProductOfUnknownDepth", MICRORT_STATUS(Product({"2", "K"}, {"K", "4"}).X({}, kUInt8).Refused()),
     "a depth that is not fixed", kUnsupported},
    {"ProductOfHugeDepth",
     MICRORT_STATUS(Product({"0", "16777217"}, {"16777217", "1"}).X({}, kUInt8).Refused()),
     "more than 16777216 elements with a zero point that is not one constant number", kUnsupported},
    {"PackedInThreeBits", MICRORT_STATUS(Packed(4, 1, 8, 3).Refused()), "weights of 3 bits", kUnsupported},
    {"PackedOfNoDepth", MICRORT_STATUS(Packed(4, 1, 0).Refused()),
     "K, N or block_size is not given or out of range"},
    {"PackedByTheModel",
     [] {
       OneNode node("com.microsoft.MatMulNBits");
       node.X({"1", "8"})
           .X({"1", "1", "4"}, kUInt8)
           .Weights({1})
           .Int("K", 8)
           .Int("N", 1)
           .Int("block_size", 8);
       return node.Refused();
     },
     "weights that are not a constant of bytes", kUnsupported},
    {"PackedInTooFewBytes", MICRORT_STATUS(Packed(3).Refused()),
     "the weights have 3 bytes, which is not what K, N and block_size say"},
    {"PackedWithTwoScales", MICRORT_STATUS(Packed(4, 2).Refused()), "expected a scale for each block"},
    {"PackedWithScalesOfTheModel",
     [] {
       OneNode node("com.microsoft.MatMulNBits");
       node.X({"1", "8"}).Narrow(kUInt8, {4}, {0, 0, 0, 0}).X({"1"});
       return node.Int("K", 8).Int("N", 1).Int("block_size", 8).Refused();
     },
     "input 2 ('x2') must be a constant of floats", kUnsupported},
    {"PackedWithTwoZeroPoints", MICRORT_STATUS(Packed().Weights({2}).Refused()),
     "expected a constant zero point for each block"},
    {"PackedWithTwoBytesOfZeroPoints", MICRORT_STATUS(Packed().Narrow(kUInt8, {2}, {0, 0}).Refused()),
     "expected a constant zero point for each block"},
    {"PackedWithZeroPointsOfTheModel", MICRORT_STATUS(Packed().X({"1"}, kUInt8).Refused()),
     "expected a constant zero point for each block"},
    {"PackedWithFewGroups", MICRORT_STATUS(Packed().Absent().Integers({0, 0}).Refused()),
     "g_idx is too short"},
    {"PackedWithAGroupOutside",
     MICRORT_STATUS(Packed().Absent().Integers({0, 0, 0, 0, 0, 0, 0, 1}).Refused()), "g_idx is out of range"},
    {"ConcatOfAPartWithoutAScale", MICRORT_STATUS(Concat(1).X({"2"}, kUInt8).Refused()),
     "expected 2 inputs and 3 for each part, found 6"},
    {"ConcatOfAnAbsentPart", MICRORT_STATUS(Concat(1).Absent().Weights({}).Narrow(kUInt8, {}, {0}).Refused()),
     "input 5 is required, but absent"},
    {"ConcatOfAnAbsentScale",
     MICRORT_STATUS(Concat(1).X({"2"}, kUInt8).Absent().Narrow(kUInt8, {}, {0}).Refused()),
     "input 6 is required, but absent"},
};

MICRORT_EXPECT_REFUSALS(OnnxRefusedQuantization, kQuantization);

TEST(OnnxQuantization, IsNotRefusedWhereItFits) {
  // A number, whose zero point the model only knows to be a vector.
  EXPECT_EQ(Dequantize({}, {}).X({"N"}, kUInt8).Refused().code(), StatusCode::kOk);
  // Too many pixels for a constant.
  OneNode conv("ConvInteger");
  conv.X({"0", "1", "8193", "8192"}, kUInt8).Narrow(kUInt8, {1, 1, 1, 1}, {1}).X({}, kUInt8);
  EXPECT_EQ(conv.Refused().code(), StatusCode::kOk);
  EXPECT_EQ(Packed().Narrow(kUInt8, {1}, {8}).Refused().code(), StatusCode::kOk);
  EXPECT_EQ(Concat(2).Refused().code(), StatusCode::kOk);
  // The last zero point is 0.
  EXPECT_EQ(Concat(1).X({"2"}, kUInt8).Weights({}).Refused().code(), StatusCode::kOk);
}

}  // namespace
}  // namespace micrort::testing::onnx_refused_quantization
