// Matrices, images, signals and sums whose shapes do not fit what ONNX's operators do with them.

#include <limits>

#include "tests/converter/onnx_refusals.h"

namespace micrort::testing::onnx_refused_shapes {
namespace {

constexpr auto kUnsupported = StatusCode::kUnsupported;
constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

Status Normalized(const std::vector<std::string>& x, const std::vector<std::string>& parameters) {
  return OneNode("BatchNormalization").X(x).Xs(4, parameters).Refused();
}

Status Einsum(const std::string& equation, const std::vector<std::vector<std::string>>& operands) {
  OneNode node("Einsum");
  for (const auto& dims : operands) node.X(dims);
  return node.String("equation", equation).Refused();
}

// Opset 6 still has it.
OneNode Crop(const std::vector<int64_t>& border, const std::vector<std::string>& x = {"1", "3", "8", "8"}) {
  OneNode node("Crop", 6);
  node.X(x).Ints("border", border);
  return node;
}

const Refusal kShapes[] = {
    {"ThetaOfTwoDimensions",
     MICRORT_STATUS(OneNode("AffineGrid", 20).X({"2", "3"}).Integers({1, 1, 4, 4}).Refused()),
     "expected theta [N,n,n+1] and a size of n + 2 numbers"},
    {"SizeOfManyDimensions",
     MICRORT_STATUS(
         OneNode("AffineGrid", 20).X({"1", "2", "3"}).X({"100000"}, ::onnx::TensorProto::INT64).Refused()),
     "expected theta [N,n,n+1] and a size of n + 2 numbers"},
    {"AbsentSummand", MICRORT_STATUS(OneNode("Sum").X({"2"}).Absent().X({"2"}).Refused()),
     "input 1 is absent"},
    {"NormalizedVector", MICRORT_STATUS(Normalized({"4"}, {"4"})), "input of 1 dimensions"},
    {"MatrixAsAParameter", MICRORT_STATUS(Normalized({"1", "4"}, {"1", "4"})),
     "input 1: expected 1 dimensions, found 2"},
    {"BroadcastAxisBehindTheLast",
     MICRORT_STATUS(OneNode("Add", 6).X({"2", "3"}).X({"3"}).Int("broadcast", 1).Int("axis", 2).Refused()),
     "broadcast axis 2 of 2 dimensions"},
    {"BroadcastAxisOf64Bits",
     MICRORT_STATUS(OneNode("Add", 6).X({"2", "3"}).X({"3"}).Int("broadcast", 1).Int("axis", kMax).Refused()),
     "broadcast axis 9223372036854775807 of 2 dimensions"},
    {"CropToAnotherRank",
     MICRORT_STATUS(OneNode("CenterCropPad", 18).X({"4", "4"}).Integers({2, 2, 2}).Refused()),
     "shape: expected 2 entries"},
    {"OddWidthToSplit",
     MICRORT_STATUS(OneNode("com.microsoft.BiasSplitGelu").X({"2", "5"}).X({"5"}).Refused()),
     "the last dimension has no fixed half", kUnsupported},
    {"GateOfAnotherShape", MICRORT_STATUS(OneNode("SwiGLU", 28).X({"2", "4"}).X({"1", "4"}).Refused()),
     "gate and value have different shapes"},
};

const Refusal kMatrices[] = {
    {"DeterminantOfAVector", MICRORT_STATUS(OneNode("Det").X({"4"}).Refused()), "input of 1 dimensions"},
    {"LargeDeterminant", MICRORT_STATUS(OneNode("Det").X({"65", "65"}).Refused()),
     "matrices must have a fixed size from 1 to 64", kUnsupported},
    {"TriangleOfAVector", MICRORT_STATUS(OneNode("Trilu", 14).X({"4"}).Refused()), "input of 1 dimensions"},
    {"LargeTriangle", MICRORT_STATUS(OneNode("Trilu", 14).X({"4096", "4097"}).Refused()),
     "the matrix has no fixed size, or more than 16777216 elements", kUnsupported},
    {"TallTriangleOfNoColumns", MICRORT_STATUS(OneNode("Trilu", 14).X({"16777217", "0"}).Refused()),
     "the matrix has no fixed size, or more than 16777216 elements", kUnsupported},
    {"TwoDiagonals", MICRORT_STATUS(OneNode("Trilu", 14).X({"4", "4"}).Integers({0, 1}).Refused()),
     "k has 2 elements"},
    {"ComputedTriangleOfAVector",
     MICRORT_STATUS(OneNode("Trilu", 14).X({"4"}).X({}, ::onnx::TensorProto::INT64).Refused()),
     "input of 1 dimensions"},
    {"EyeOfMatrices", MICRORT_STATUS(OneNode("EyeLike").X({"2", "4", "4"}).Refused()),
     "input of 3 dimensions"},
    {"EyeOfStrings",
     MICRORT_STATUS(OneNode("EyeLike").X({"4", "4"}).Int("dtype", ::onnx::TensorProto::STRING).Refused()),
     "dtype STRING", kUnsupported},
    {"EyeOfATypeOf33Bits",
     MICRORT_STATUS(OneNode("EyeLike").X({"4", "4"}).Int("dtype", (int64_t{1} << 32) + 1).Refused()),
     "dtype 4294967297", kUnsupported},
    {"AbsentOperand",
     MICRORT_STATUS(OneNode("Einsum").X({"2"}).Absent().X({"2"}).String("equation", "a,,a").Refused()),
     "(Einsum, opset 13): input 1 is absent"},
    {"LongEquation", MICRORT_STATUS(Einsum(std::string(4097, 'a'), {{"2"}})),
     "an equation of 4097 characters, at most 4096 are possible", kUnsupported},
    {"ProductsOfUnknownSizes", MICRORT_STATUS(Einsum("abc,cd->abd", {{"A", "B", "3"}, {"3", "4"}})),
     "several dimensions are not fixed", kUnsupported},
    {"DiagonalOfUnknownSize", MICRORT_STATUS(Einsum("ii->i", {{"N", "N"}})),
     "the diagonal of a matrix without a fixed size", kUnsupported},
};

const Refusal kImages[] = {
    {"ScaledMatrix", MICRORT_STATUS(OneNode("ImageScaler", 6).X({"8", "8"}).Refused()),
     "expected an image, found 2 dimensions"},
    {"TwoBorders", MICRORT_STATUS(Crop({1, 1}).Refused()),
     "expected an image, four borders and two sizes or none"},
    {"NegativeBorder", MICRORT_STATUS(Crop({-1, 0, 0, 0}).Refused()),
     "a border or size that is negative or too large"},
    {"BorderOf64Bits",
     MICRORT_STATUS(Crop({kMax, kMax, 0, 0}, {"1", "3", "H", "8"}).Ints("scale", {2, 2}).Refused()),
     "a border or size that is negative or too large"},
    {"BordersOfAnUnknownSize", MICRORT_STATUS(Crop({1, 1, 1, 1}, {"1", "3", "8", "W"}).Refused()),
     "borders of an image without fixed size", kUnsupported},
    {"BordersThatMeet", MICRORT_STATUS(Crop({4, 4, 4, 4}).Refused()),
     "nothing is left of the image, or more than there is"},
    {"SignalOfFourDimensions",
     MICRORT_STATUS(
         OneNode("STFT", 17).X({"1", "1", "8", "1"}).Integers({2}).Absent().Integers({4}).Refused()),
     "signal of 4 dimensions: expected [N,L,1 or 2]"},
    {"FramesOfNoLength", MICRORT_STATUS(OneNode("STFT", 17).X({"1", "8", "1"}).Integers({2}).Refused()),
     "there is neither a window nor a frame length"},
};

MICRORT_EXPECT_REFUSALS(OnnxRefusedShapes, kShapes);
MICRORT_EXPECT_REFUSALS(OnnxRefusedMatrices, kMatrices);
MICRORT_EXPECT_REFUSALS(OnnxRefusedImages, kImages);

}  // namespace
}  // namespace micrort::testing::onnx_refused_shapes
