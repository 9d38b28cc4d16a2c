// TFLite operators on images, boxes, landmarks and windows, of sizes that do not fit or are too large.

#include <limits>

#include "tests/converter/tflite_refusals.h"

namespace micrort::testing::tflite_refused_images {
namespace {

constexpr auto kUnsupported = StatusCode::kUnsupported;

Status Detection(std::vector<int32_t> boxes, std::vector<int32_t> scores, int classes_of_each = 1) {
  const auto fill = [&](flexbuffers::Builder& o) {
    o.Int("max_detections", 2);
    o.Int("num_classes", 2);
    o.Int("max_classes_per_detection", classes_of_each);
    for (const char* name : {"y_scale", "x_scale", "h_scale", "w_scale"}) o.Float(name, 1);
  };
  OneOp op("TFLite_Detection_PostProcess");
  op.In(std::move(boxes)).In(std::move(scores)).Zeros({3, 4}).Outs(4).Custom(FlexMap(fill));
  return op.Import();
}

OneOp Suppression(const std::string& name, int32_t most) {
  OneOp op(name);
  op.In({3, 4}).In({3}).Scalar(most).Numbers({}, {0.5f}).Numbers({}, {0});
  return op;
}

const Refusal kBoxes[] = {
    {"SeveralClassesADetection", MICRORT_STATUS(Detection({1, 3, 4}, {1, 3, 2}, 2)),
     "more than one class a detection", kUnsupported},
    {"ScoresOfFewerClasses", MICRORT_STATUS(Detection({1, 3, 4}, {1, 3, 1})),
     "1 scores for 2 classes, or several pictures", kUnsupported},
    {"ScoresOfOpenClasses", MICRORT_STATUS(Detection({1, 3, 4}, {1, 3, -1})),
     "-1 scores for 2 classes, or several pictures", kUnsupported},
    {"SeveralPictures", MICRORT_STATUS(Detection({2, 3, 4}, {2, 3, 2})),
     "2 scores for 2 classes, or several pictures", kUnsupported},
    {"NegativeNumberOfBoxes", MICRORT_STATUS(Suppression("NON_MAX_SUPPRESSION_V4", -1).Outs(2).Import()),
     "at most -1 boxes"},
    {"NegativeSigma",
     MICRORT_STATUS(Suppression("NON_MAX_SUPPRESSION_V5", 2).Numbers({}, {-0.5f}).Outs(3).Import()),
     "sigma: expected one number, 0 or above"},
    {"SeveralSigmas",
     MICRORT_STATUS(Suppression("NON_MAX_SUPPRESSION_V5", 2).Numbers({2}, {0, 0}).Outs(3).Import()),
     "sigma: expected one number, 0 or above"},
};
MICRORT_EXPECT_REFUSALS(TfliteRefusedBoxes, kBoxes);

std::vector<uint8_t> OutputSize() { return FlexInts({{"output_height", 4}, {"output_width", 4}}); }

Status Transform(std::vector<int32_t> image, std::vector<int32_t> matrix) {
  OneOp op("TransformTensorBilinear");
  return op.In(std::move(image)).In(std::move(matrix)).Version(2).Custom(OutputSize()).Import();
}

Status TransformPoints(std::vector<int32_t> points) {
  return OneOp("TransformLandmarks").In(std::move(points)).In({1, 4, 4}).Version(2).Import();
}

const Refusal kLandmarks[] = {
    {"SeveralImages", MICRORT_STATUS(Transform({2, 4, 4, 1}, {1, 4, 4})), "input 0: several images",
     kUnsupported},
    {"SeveralMatrices", MICRORT_STATUS(Transform({1, 4, 4, 1}, {2, 4, 4})), "input 1: several images",
     kUnsupported},
    {"OpenImages", MICRORT_STATUS(Transform({-1, 4, 4, 1}, {1, 4, 4})), "input 0: several images",
     kUnsupported},
    {"OpenHeight", MICRORT_STATUS(Transform({1, -1, 4, 1}, {1, 4, 4})), "an image whose size is not fixed",
     kUnsupported},
    {"OpenWidth", MICRORT_STATUS(Transform({1, 4, -1, 1}, {1, 4, 4})), "an image whose size is not fixed",
     kUnsupported},
    {"OpenNumberOfLandmarks",
     MICRORT_STATUS(
         OneOp("Landmarks2TransformMatrix").In({1, -1, 3}).Version(2).Custom(OutputSize()).Import()),
     "a number of landmarks that is not fixed", kUnsupported},
    {"LandmarksOnALine", MICRORT_STATUS(TransformPoints({1, 5, 1})), "landmarks of 1 numbers"},
    {"LandmarksOfFourNumbers", MICRORT_STATUS(TransformPoints({1, 5, 4})), "landmarks of 4 numbers"},
};
MICRORT_EXPECT_REFUSALS(TfliteRefusedLandmarks, kLandmarks);

// The custom options of these operators are a structure of integers.
std::vector<uint8_t> Plain(const std::vector<int32_t>& numbers) {
  std::vector<uint8_t> bytes(numbers.size() * sizeof(int32_t));
  std::memcpy(bytes.data(), numbers.data(), bytes.size());
  return bytes;
}
constexpr int32_t kSame = 1, kValid = 2;

Status TransposeConv(std::vector<int32_t> x, std::vector<int32_t> weights, int32_t padding) {
  OneOp op("Convolution2DTransposeBias");
  op.In(std::move(x)).In(std::move(weights)).Zeros({1}).Custom(Plain({padding, 2, 2}));
  return op.Import();
}

Status Unpool(std::vector<int32_t> x) {
  OneOp op("MaxUnpooling2D");
  return op.In(x).In(x).Custom(Plain({kSame, 2, 2, 2, 2, 0})).Import();
}

const Refusal kImages[] = {
    {"TransposedOpenImage", MICRORT_STATUS(TransposeConv({1, -1, 4, 1}, {1, 2, 2, 1}, kSame)),
     "an image whose size is not fixed", kUnsupported},
    {"TransposedOpenWeights", MICRORT_STATUS(TransposeConv({1, 4, 4, 1}, {-1, 2, 2, 1}, kValid)),
     "weights whose shape is not fixed", kUnsupported},
    {"SamePaddingOfMaximaOfOpenImages",
     MICRORT_STATUS(
         OneOp("MaxPoolingWithArgmax2D").In({1, 4, -1, 1}).Custom(Plain({kSame, 2, 2, 2, 2, 0})).Import()),
     "padding SAME with stride 2 over a size that is not fixed", kUnsupported},
    {"MaximaOfOpenImages", MICRORT_STATUS(Unpool({1, 4, -1, 1})), "an image whose size is not fixed",
     kUnsupported},
    {"ManyMaxima", MICRORT_STATUS(Unpool({1, 1 << 15, 1 << 15, 1})), "an image of more than 16777216 maxima",
     kUnsupported},
    {"ManyMaximaOfNoRows", MICRORT_STATUS(Unpool({1, 0, 1 << 30, 1})),
     "an image of more than 16777216 maxima", kUnsupported},
    {"NoMaximaOfManyChannels", MICRORT_STATUS(Unpool({1, 0, 4, 1 << 30})),
     "an image of more than 16777216 maxima", kUnsupported},
    {"TallImageOfNoMaxima",
     [] {
       OneOp op("MaxUnpooling2D");
       op.In({1, 1 << 24, 0, 1}).In({1, 1 << 24, 0, 1}).Custom(Plain({kSame, 1, 1, 1 << 12, 1 << 12, 0}));
       return op.Import();
     },
     "height of the output: 68719476736 does not fit 32 bits"},
    {"MaximaOfOpenChannels", MICRORT_STATUS(Unpool({1, 4, 4, -1})), "an image whose size is not fixed",
     kUnsupported},
};
MICRORT_EXPECT_REFUSALS(TfliteRefusedImages, kImages);

using Longs = std::vector<int64_t>;
constexpr int64_t kHuge = std::numeric_limits<int64_t>::max();

OneOp& Read(OneOp& op, const Longs& numbers) {
  const auto count = static_cast<int32_t>(numbers.size());
  op.op().inputs.push_back(op.builder().Constant("numbers", {count}, fb::TensorType::Int64, numbers));
  return op;
}

Status Dilate(std::vector<int32_t> x, const Longs& dilations) {
  OneOp op("DILATE");
  return Read(op.In(std::move(x)), dilations).Zeros({}).Import();
}

Status ReduceWindow(std::vector<int32_t> x, const Longs& size, const Longs& stride, const Longs& dilation) {
  fb::ReduceWindowOptionsT o;
  o.reduce_function = fb::ReduceWindowFunction::Add;
  OneOp op("REDUCE_WINDOW");
  Read(Read(Read(op.In(std::move(x)).Zeros({}), size), stride), dilation);
  return op.With2(o).Import();
}

Status PaddedWindow(const Longs& padding) {
  OneOp op("STABLEHLO_REDUCE_WINDOW");
  op.In({8}).Zeros({});
  TfliteBuilder& b = op.builder();
  fb::StablehloReduceWindowOptionsT o;
  o.window_dimensions = {2};
  o.padding = padding;
  o.body_subgraph_index = b.AddSubgraph();
  const int x = b.Input("x", {}), y = b.Input("y", {}), sum = b.Tensor("sum");
  b.Op("STABLEHLO_ADD", {x, y}, {sum});
  b.Output(sum);
  b.BackToMain();
  return op.With2(o).Import();
}

const Refusal kWindows[] = {
    {"DilationsOfAnotherRank", MICRORT_STATUS(Dilate({4}, {2, 2})),
     "2 dilations of a shape of 1 dimensions; expected as many, and a fixed shape", kUnsupported},
    {"DilatedOpenShape", MICRORT_STATUS(Dilate({-1}, {2})),
     "1 dilations of a shape of 1 dimensions; expected as many, and a fixed shape", kUnsupported},
    {"NoDilation", MICRORT_STATUS(Dilate({4}, {0})), "dilation 0"},
    {"LargeDilation", MICRORT_STATUS(Dilate({4}, {1 << 29})), "dilation 536870912"},
    {"OpenShape", MICRORT_STATUS(ReduceWindow({-1}, {2}, {1}, {1})), "windows over a shape that is not fixed",
     kUnsupported},
    {"WindowOfAnotherRank", MICRORT_STATUS(ReduceWindow({8}, {2, 2}, {1}, {1})),
     "windows of 2 dimensions over 1"},
    {"StrideOfAnotherRank", MICRORT_STATUS(ReduceWindow({8}, {2}, {1, 1}, {1})),
     "windows of 1 dimensions over 1"},
    {"EmptyWindow", MICRORT_STATUS(ReduceWindow({8}, {0}, {1}, {1})),
     "dimension 0: a window of 0, stride 1, dilation 1"},
    {"NoStride", MICRORT_STATUS(ReduceWindow({8}, {2}, {0}, {1})),
     "dimension 0: a window of 2, stride 0, dilation 1"},
    {"HugeStride", MICRORT_STATUS(ReduceWindow({8}, {2}, {kHuge}, {1})),
     "dimension 0: a window of 2, stride 9223372036854775807, dilation 1"},
    {"HugeDilation", MICRORT_STATUS(ReduceWindow({8}, {2}, {1}, {kHuge})),
     "dimension 0: a window of 2, stride 1, dilation 9223372036854775807"},
    {"LargePads", MICRORT_STATUS(PaddedWindow({1 << 29, 0})), "dimension 0 is padded by 536870912 and 0"},
    {"PadsThatCutOffALot", MICRORT_STATUS(PaddedWindow({0, -(1 << 29)})),
     "dimension 0 is padded by 0 and -536870912"},
    {"PadsWhoseSumIsTooLarge", MICRORT_STATUS(PaddedWindow({kHuge, kHuge})),
     "dimension 0 is padded by 9223372036854775807 and 9223372036854775807"},
    {"ManyWindows", MICRORT_STATUS(ReduceWindow({1 << 20}, {1 << 10}, {1}, {1})),
     "dimension 0: windows of more than 16777216 elements", kUnsupported},
    {"ManyWindowsOfTwoDimensions", MICRORT_STATUS(ReduceWindow({1 << 15, 1 << 15}, {2, 2}, {1, 1}, {1, 1})),
     "windows of more than 268435456 elements", kUnsupported},
};
MICRORT_EXPECT_REFUSALS(TfliteRefusedWindows, kWindows);

}  // namespace
}  // namespace micrort::testing::tflite_refused_images
