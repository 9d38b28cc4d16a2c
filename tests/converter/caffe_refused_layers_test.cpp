// Caffe layers whose bottoms, tops, parameters or weights do not fit each other.

#include "tests/converter/caffe_net.h"
#include "tests/refusal.h"

namespace micrort::testing::caffe_refused_layers {
namespace {

using Shape = std::vector<int64_t>;
constexpr auto kUnsupported = StatusCode::kUnsupported;

// A layer with bottoms `a`, `b` ... of these shapes; tops after `y` stand in `rest`.
Status Layer(const std::string& type, const std::vector<Shape>& bottoms, const std::string& rest,
             const frontend::ImportOptions& options = {}) {
  std::string text;
  std::vector<std::string> names;
  for (const Shape& shape : bottoms) {
    names.emplace_back(1, static_cast<char>('a' + names.size()));
    text += InputText(names.back(), shape);
  }
  return ImportNet(text + LayerText(type, names, rest), options).status;
}

Status OfImage(const std::string& type, const std::string& rest) { return Layer(type, {{1, 4, 5, 5}}, rest); }

Status OfScalar(const std::string& type, const std::string& rest) { return Layer(type, {{}}, rest); }

// Of one prior box.
Status Detection(int64_t locations, int64_t classes, const std::string& parameters) {
  return Layer("DetectionOutput", {{1, locations}, {1, classes}, {1, 2, 4}},
               "detection_output_param { num_classes: " + std::to_string(classes) + " " + parameters + " }");
}

// Of one pixel.
Status PriorBoxes(const std::string& parameters) {
  return Layer("PriorBox", {{1, 1, 1, 1}, {1, 3, 8, 8}}, "prior_box_param { " + parameters + " }");
}

std::string Repeated(const std::string& text, int count) {
  std::string all;
  for (int i = 0; i < count; ++i) all += text;
  return all;
}

std::string OfTwo(const Floats& values) { return BlobText({2}, values); }

const Refusal kLayers[] = {
    {"ChannelsThatAreNotFixed",
     [] {
       frontend::ImportOptions options;
       options.input_shapes = {{"a", {1, ir::kDynamic, 4, 4}}};
       return Layer("PReLU", {{1, 2, 4, 4}}, "", options);
     },
     "dimension 1 of bottom 'a' must be fixed", kUnsupported},
    {"BlobsOfALayerWithoutAny", MICRORT_STATUS(OfImage("ReLU", OfTwo({1, 2}))),
     "it has 1 blobs of weights: expected 0"},
    {"ABiasThatTheLayerDoesNotHave",
     MICRORT_STATUS(Layer(
         "InnerProduct", {{1, 2}},
         "inner_product_param { num_output: 1 bias_term: false } " + OfTwo({1, 2}) + BlobText({1}, {1}))),
     "it has 2 blobs of weights: expected 1"},
    {"ShiftsThatAScaleDoesNotHave", MICRORT_STATUS(Layer("Scale", {{1, 2}}, OfTwo({1, 2}) + OfTwo({1, 2}))),
     "it has 2 blobs of weights: expected 1"},
    {"BatchNormOfFourBlobs",
     MICRORT_STATUS(
         Layer("BatchNorm", {{1, 2}}, OfTwo({1, 2}) + OfTwo({1, 2}) + BlobText({1}, {1}) + OfTwo({1, 2}))),
     "it has 4 blobs of weights: expected 3"},
    {"BatchNormWithoutItsShifts",
     MICRORT_STATUS(Layer("BatchNorm", {{1, 2}},
                          "batch_norm_param { scale_bias: true } " + OfTwo({1, 2}) + OfTwo({1, 2}) +
                              BlobText({1}, {1}) + OfTwo({1, 2}))),
     "expected at least 5 blobs of weights, found 4"},
    {"AClipWithoutAnEnd", MICRORT_STATUS(OfImage("Clip", "clip_param { min: 1 }")),
     "clip_param needs min and max"},
    {"SlopesWithoutChannels", MICRORT_STATUS(Layer("PReLU", {{3}}, BlobText({1}, {1}))),
     "expected a bottom with channels"},
    {"APowerOfANegativeBase", MICRORT_STATUS(OfImage("Exp", "exp_param { base: -2 }")),
     "base -2: expected -1, for e, or a number above 0"},
    {"ALogarithmOfBase1", MICRORT_STATUS(OfImage("Log", "log_param { base: 1 }")), "a logarithm of base 1"},
    {"ASumOfOtherShapes", MICRORT_STATUS(Layer("Eltwise", {{1, 3}, {1, 1}}, "")),
     "the bottoms differ in shape"},
    {"FactorsWithoutChannels", MICRORT_STATUS(Layer("Axpy", {{3}, {1, 3, 4, 4}, {1, 3, 4, 4}}, "")),
     "expected a first bottom with channels"},
    {"DataWithoutAShape", MICRORT_STATUS(Layer("DummyData", {}, "dummy_data_param { num: 1 channels: 1 }")),
     "no shape is given for top 0"},
    {"DataWithoutAFiller",
     MICRORT_STATUS(Layer("DummyData", {},
                          "top: 'z' top: 'v' dummy_data_param { shape { dim: 1 } data_filler { value: 1 } "
                          "data_filler { value: 2 } }")),
     "no data_filler is given for top 2"},
    {"DataOfManyLargeTops",
     MICRORT_STATUS(
         Layer("DummyData", {}, "top: 'z' dummy_data_param { shape { dim: 4 } shape { dim: 16777213 } }")),
     "elements of all tops: found 16777217, expected 1 to 16777216"},
    {"DataOfTooManyDimensions",
     MICRORT_STATUS(Layer("DummyData", {}, "dummy_data_param { shape { " + Repeated("dim: 1 ", 9) + "} }")),
     "dimensions: found 9, expected 0 to 8"},
    {"AConvolutionOfRows", MICRORT_STATUS(Layer("Convolution", {{1, 2, 3}}, "")),
     "a bottom of 3 dimensions; images have 4", kUnsupported},
    {"ChannelsElsewhere", MICRORT_STATUS(OfImage("Convolution", "convolution_param { axis: 2 }")),
     "channels along axis 2; expected 1", kUnsupported},
    {"FewerTopsThanImages", MICRORT_STATUS(Layer("Convolution", {{1, 1, 2, 2}, {1, 1, 2, 2}}, "")),
     "1 tops for 2 bottoms"},
    {"MoreLocationsThanPriors", MICRORT_STATUS(Detection(8, 2, "")), "bottom 'a' has 8 elements, expected 4"},
    {"NothingToDetect", MICRORT_STATUS(Detection(4, 1, "")), "no class but the background"},
    {"OverlapsThatShrink", MICRORT_STATUS(Detection(4, 2, "nms_param { nms_threshold: 0.75 eta: 0.5 }")),
     "an overlap that shrinks as boxes are found (eta 0.5)", kUnsupported},
    {"NothingIsKept", MICRORT_STATUS(Detection(4, 2, "keep_top_k: 0")), "a keep_top_k of 0"},
    {"TooManyAreKept",
     MICRORT_STATUS(Layer("DetectionOutput", {{1, 1 << 24}, {1, 1 << 23}, {1, 2, 1 << 24}},
                          "detection_output_param { num_classes: 2 keep_top_k: 2396746 }")),
     "boxes that are kept: found 2396746, expected 1 to 2396745"},
    {"TooManyShapesOfBoxes", MICRORT_STATUS(PriorBoxes("min_size: 1 " + Repeated("aspect_ratio: 2 ", 1025))),
     "entries of aspect_ratio: found 1025, expected 0 to 1024"},
    {"TooManyBoxesOfAPixel",
     [] {
       std::string ratios;
       for (int i = 2; i < 1026; ++i) ratios += "aspect_ratio: " + std::to_string(i) + " ";
       return PriorBoxes(Repeated("min_size: 1 ", 1024) + ratios);
     },
     "boxes of a pixel: found 2098176, expected 1 to 1048576"},
    {"NeighboursThatHaveNoMiddle", MICRORT_STATUS(OfImage("LRN", "lrn_param { local_size: 2 }")),
     "local_size 2 is even"},
    {"PositionsOfAverages",
     MICRORT_STATUS(OfImage("Pooling", "top: 'z' pooling_param { pool: AVE kernel_size: 2 }")),
     "a second top; only maxima in windows have one", kUnsupported},
    {"APyramidWithWindowsOfPadding", MICRORT_STATUS(OfImage("SPP", "spp_param { pyramid_height: 3 }")),
     "pyramid_height 3 is too much for an image of 5"},
    {"ALastStateThatIsNotExposed",
     MICRORT_STATUS(Layer("LSTM", {{2, 1, 4}, {2, 1}}, "top: 'z' recurrent_param { num_output: 3 }")),
     "2 bottoms and 2 tops: expected 2 and 1"},
    {"OtherStepsThanTheInput",
     MICRORT_STATUS(Layer("RNN", {{2, 1, 4}, {3, 1}}, "recurrent_param { num_output: 3 }")),
     "the bottoms differ in steps or sequences"},
    {"AStateOfAnotherSize",
     MICRORT_STATUS(Layer("RNN", {{2, 1, 4}, {2, 1}, {1, 1, 5}},
                          "top: 'z' recurrent_param { num_output: 3 expose_hidden: true }")),
     "an initial state of 5 elements: expected 3"},
    {"TheLargestOfAScalar", MICRORT_STATUS(OfScalar("ArgMax", "")), "expected a bottom with dimensions"},
    {"UnpoolingByHalves",
     MICRORT_STATUS(Layer("Upsample", {{1, 1, 2, 2}, {1, 1, 2, 2}}, "upsample_param { scale: 1.5 }")),
     "a scale of 1.5; expected a whole number", kUnsupported},
    {"PositionsOfOthers", MICRORT_STATUS(Layer("Upsample", {{1, 1, 2, 2}, {1, 1, 1, 2}}, "")),
     "the bottoms differ in shape"},
    {"NoScale", MICRORT_STATUS(OfImage("Upsample", "")), "expected an integral scale", kUnsupported},
    {"AScaleThatShrinks", MICRORT_STATUS(OfImage("Upsample", "upsample_param { scale: 0.5 }")),
     "a scale of 0.5; expected a whole number from 1 to 1024", kUnsupported},
    {"RegionsOfFourNumbers",
     MICRORT_STATUS(
         Layer("ROIPooling", {{1, 1, 4, 4}, {2, 4}}, "roi_pooling_param { pooled_h: 2 pooled_w: 2 }")),
     "expected regions of 5 numbers each"},
    {"FactorsOfMoreAxes", MICRORT_STATUS(Layer("Scale", {{2, 3}, {3, 4, 5}}, "")),
     "3 axes of the second bottom, from axis 1 of 2"},
    {"ANegativeVariance",
     MICRORT_STATUS(Layer("BatchNorm", {{1, 2}}, OfTwo({0, 0}) + OfTwo({1, -1}) + BlobText({1}, {1}))),
     "channel 1 has a variance of -1"},
    {"StatisticsOfAScalar",
     MICRORT_STATUS(OfScalar("BatchNorm", "batch_norm_param { use_global_stats: false }")),
     "expected a bottom with dimensions"},
    {"StatisticsWithoutVariances",
     MICRORT_STATUS(Layer("BN", {{1, 2}}, OfTwo({1, 1}) + OfTwo({0, 0}) + OfTwo({0, 0}))),
     "3 blobs: expected 4, with statistics, or 2 with bn_mode INFERENCE", kUnsupported},
    {"ATopForTheSelector", MICRORT_STATUS(Layer("Filter", {{2, 3}, {2}}, "top: 'z'")),
     "2 tops for 1 bottoms and a selector"},
    {"MoreItemsThanTheSelector", MICRORT_STATUS(Layer("Filter", {{3, 3}, {2}}, "")),
     "bottom 'a' has another number of items than the selector"},
    {"AxesFromBehindTheirEnd", MICRORT_STATUS(OfImage("Flatten", "flatten_param { axis: 2 end_axis: 1 }")),
     "axis 2 is behind end_axis 1"},
    {"MoreAxesThanThereAre",
     MICRORT_STATUS(OfImage("Reshape", "reshape_param { num_axes: 9 shape { dim: -1 } }")),
     "9 axes from axis 0 of 4"},
    {"ACopyOfNoDimension",
     MICRORT_STATUS(Layer("Reshape", {{3}}, "reshape_param { shape { dim: -1 dim: 0 } }")),
     "dim 1 copies nothing"},
    {"TwoOpenDimensions", MICRORT_STATUS(OfImage("Reshape", "reshape_param { shape { dim: -1 dim: -1 } }")),
     "more than one dim is -1"},
    {"AnAxisTwice", MICRORT_STATUS(OfImage("Permute", "permute_param { order: 0 order: 2 order: 2 }")),
     "axis 2 stands twice in the order"},
    {"NoGroup", MICRORT_STATUS(OfImage("ShuffleChannel", "")), "group is missing"},
    {"ThreeGroupsOfFourChannels",
     MICRORT_STATUS(OfImage("ShuffleChannel", "shuffle_channel_param { group: 3 }")),
     "3 groups of 4 channels"},
    {"AStrideThatDoesNotDivide", MICRORT_STATUS(OfImage("Reorg", "reorg_param { stride: 2 }")),
     "a stride of 2 does not divide 4 channels of 5x5"},
    {"AnImageThatGrowsOver32Bits",
     MICRORT_STATUS(Layer("Reorg", {{1, 1 << 20, 1 << 22, 1}}, "reorg_param { stride: 1024 reverse: true }")),
     "a dimension: 4294967296 does not fit 32 bits"},
    {"ChannelsThatGrowOver32Bits",
     MICRORT_STATUS(Layer("Reorg", {{1, 1 << 20, 1024, 1024}}, "reorg_param { stride: 1024 }")),
     "a dimension: 1099511627776 does not fit 32 bits"},
    {"AsManyPointsAsTops",
     MICRORT_STATUS(OfImage("Slice", "top: 'z' slice_param { slice_point: 1 slice_point: 2 }")),
     "2 slice points for 2 tops"},
    {"MoreOffsetsThanAxes",
     MICRORT_STATUS(
         Layer("Crop", {{1, 1, 4, 4}, {1, 1, 2, 2}}, "crop_param { axis: 2 offset: 1 offset: 1 offset: 1 }")),
     "3 offsets for 2 axes"},
    {"AKernelTwice",
     MICRORT_STATUS(OfImage("Convolution", "convolution_param { kernel_size: 3 kernel_h: 3 }")),
     "the kernel is given twice"},
    {"AKernelOfThreeDimensions",
     MICRORT_STATUS(
         OfImage("Convolution", "convolution_param { kernel_size: 3 kernel_size: 3 kernel_size: 3 }")),
     "a kernel of 3 dimensions", kUnsupported},
    {"ASumOfOne", MICRORT_STATUS(OfImage("Eltwise", "")), "expected at least 2 bottoms, found 1"},
    {"ATopThatIsNotComputed", MICRORT_STATUS(OfImage("ReLU", "top: 'z'")), "top 1 is not supported",
     kUnsupported},
    {"WeightsOfNegativeSizes", MICRORT_STATUS(Layer("PReLU", {{1, 2}}, BlobText({-1, -2}, {1, 1}))),
     "weights of shape -1x-2"},
};

MICRORT_EXPECT_REFUSALS(CaffeRefusedLayers, kLayers);

}  // namespace
}  // namespace micrort::testing::caffe_refused_layers
