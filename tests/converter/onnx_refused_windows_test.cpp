// ONNX operators on images and signals: windows, regions and grids that do not fit, sampling that is not
// known.

#include "tests/converter/onnx_refusals.h"

namespace micrort::testing::onnx_refused_windows {
namespace {

constexpr auto kUnsupported = StatusCode::kUnsupported;
const std::vector<std::string> kImage = {"1", "1", "4", "4"};

OneNode Pool() {
  OneNode node("MaxPool");
  node.X(kImage);
  return node;
}

OneNode Unpool(const std::vector<std::string>& dims) {
  OneNode node("MaxUnpool");
  node.X(dims).X(dims, ::onnx::TensorProto::INT64);
  return node;
}

OneNode Grid(const std::vector<std::string>& grid = {"1", "4", "4", "2"}) {
  OneNode node("GridSample", 20);
  node.X(kImage).X(grid);
  return node;
}

// Regions of interest of an image.
OneNode Regions(const std::vector<std::string>& image = kImage) {
  OneNode node("RoiAlign", 16);
  node.X(image).X({"1", "4"}).Integers({0});
  return node;
}

OneNode RoiPool(const std::vector<int64_t>& size, const std::vector<std::string>& regions = {"1", "5"}) {
  OneNode node("MaxRoiPool");
  node.X(kImage).X(regions).Ints("pooled_shape", size);
  return node;
}

OneNode Resized() {
  OneNode node("Resize", 18);
  node.X(kImage);
  return node;
}

OneNode Mel(const std::vector<int64_t>& filters) {
  OneNode node("MelWeightMatrix", 17);
  node.Integers(filters);
  for (const int64_t v : {16, 8000}) node.Integers({}, {v});
  for (int i = 0; i < 2; ++i) node.Weights({});
  return node;
}

const Refusal kWindows[] = {
    {"NoKernel", MICRORT_STATUS(Pool().Refused()), "kernel_shape is missing"},
    {"StridesOfAVolume",
     MICRORT_STATUS(Pool().Ints("kernel_shape", {2, 2}).Ints("strides", {1, 1, 1}).Refused()),
     "strides: expected 2 entries, found 3"},
    {"NoStride", MICRORT_STATUS(Pool().Ints("kernel_shape", {2, 2}).Ints("strides", {0, 1}).Refused()),
     "strides: 0 is outside [1, 16777216]"},
    {"HugeDilation",
     MICRORT_STATUS(Pool().Ints("kernel_shape", {2, 2}).Ints("dilations", {1, 16777217}).Refused()),
     "dilations: 16777217 is outside [1, 16777216]"},
    {"NormOfNoPower",
     MICRORT_STATUS(OneNode("LpPool").X(kImage).Ints("kernel_shape", {2, 2}).Int("p", 0).Refused()),
     "p = 0: expected at least 1"},
    {"HugePadding",
     MICRORT_STATUS(Pool()
                        .Ints("kernel_shape", {1 << 24, 1})
                        .Ints("dilations", {1 << 24, 1})
                        .String("auto_pad", "SAME_UPPER")
                        .Refused()),
     "padding: 140737479966720 does not fit 32 bits"},
    {"MaximaOfHugeWindows",
     [] {
       OneNode node("MaxPool");
       node.X({"1", "1", "1", "1", "1"}).Output("i").Ints("kernel_shape", {1 << 24, 1 << 24, 1 << 24});
       node.Ints("strides", {1 << 24, 1 << 24, 1 << 24}).Ints("pads", std::vector<int64_t>(6, 1 << 23));
       return node.Refused();
     },
     "indices of maxima need images of a fixed size, and not a large one", kUnsupported},
    {"MaximaOfNothing",
     [] {
       OneNode node("MaxPool");
       node.X({"1", "1", "0", "4"}).Output("i").Ints("kernel_shape", {2, 2}).Ints("pads", {1, 1, 1, 1});
       return node.Int("storage_order", 1).Refused();
     },
     "indices of maxima of images without elements"},
    {"UnpoolWithoutAKernel", MICRORT_STATUS(Unpool(kImage).Refused()),
     "kernel_shape, strides or pads do not fit 4 dimensions"},
    {"UnpoolWithAHugeStride",
     MICRORT_STATUS(Unpool(kImage).Ints("kernel_shape", {2, 2}).Ints("strides", {INT64_MAX, 1}).Refused()),
     "kernel_shape, strides or pads: 9223372036854775807 is outside [0, 16777216]"},
    {"UnpoolOfUnknownSize",
     MICRORT_STATUS(Unpool({"1", "1", "H", "4"}).Ints("kernel_shape", {2, 2}).Refused()),
     "needs an image of fixed size; give it with --input-shape", kUnsupported},
    {"UnknownGridMode", MICRORT_STATUS(Grid().String("mode", "area").Refused()),
     "(GridSample, opset 20): mode 'area'"},
    {"UnknownGridPadding", MICRORT_STATUS(Grid().String("padding_mode", "wrap").Refused()),
     "padding_mode 'wrap'"},
    {"GridOfAVolume", MICRORT_STATUS(Grid({"1", "4", "4", "4", "3"}).Refused()),
     "input of 4 dimensions, grid of 5"},
    {"RegionsOfASequence", MICRORT_STATUS(Regions({"1", "1", "4"}).Refused()),
     "(RoiAlign, opset 16): input of 3 dimensions: expected 4"},
    {"UnknownRegionMode", MICRORT_STATUS(Regions().String("mode", "min").Refused()),
     "mode 'min', coordinate_transformation_mode 'half_pixel'"},
    {"UnknownRegionCoordinates",
     MICRORT_STATUS(Regions().String("coordinate_transformation_mode", "asymmetric").Refused()),
     "mode 'avg', coordinate_transformation_mode 'asymmetric'"},
    {"RoiPoolOfNoSize", MICRORT_STATUS(RoiPool({}).Refused()),
     "pooled_shape: expected two sizes from 1 to 4096"},
    {"RoiPoolOfAHugeSize", MICRORT_STATUS(RoiPool({1, 4097}).Refused()),
     "pooled_shape: expected two sizes from 1 to 4096"},
    {"RegionsOfFourNumbers", MICRORT_STATUS(RoiPool({2, 2}, {"1", "4"}).Refused()),
     "expected an image and regions [R,5]"},
    {"UnknownInterpolation",
     MICRORT_STATUS(Resized().Absent(2).Integers({1, 1, 8, 8}).String("mode", "area").Refused()),
     "mode = 'area'", kUnsupported},
    {"ResizeOfAnAxisTwice",
     MICRORT_STATUS(Resized().Absent(2).Integers({8, 8}).Ints("axes", {2, 2}).Refused()),
     "axis 2 is listed twice"},
    {"CropOfNoRegion",
     MICRORT_STATUS(Resized()
                        .Absent(2)
                        .Integers({1, 1, 8, 8})
                        .String("coordinate_transformation_mode", "tf_crop_and_resize")
                        .Refused()),
     "tf_crop_and_resize needs a roi"},
    {"ResizeToNothing", MICRORT_STATUS(Resized().Refused()), "there are neither scales nor sizes"},
    {"MelOfAnUnknownType", MICRORT_STATUS(Mel({8}).Int("output_datatype", 8).Refused()),
     "(MelWeightMatrix, opset 17): output_datatype STRING", kUnsupported},
    {"MelOfTwoNumbersOfFilters", MICRORT_STATUS(Mel({8, 8}).Refused()), "input 0 is not one number"},
    {"WindowOfAnUnknownType",
     MICRORT_STATUS(OneNode("HannWindow", 17).Integers({}, {8}).Int("output_datatype", 8).Refused()),
     "(HannWindow, opset 17): output_datatype STRING", kUnsupported},
    {"WindowOfTwoSizes", MICRORT_STATUS(OneNode("HannWindow", 17).Integers({8, 8}).Refused()),
     "the size is not one number"},
};

MICRORT_EXPECT_REFUSALS(OnnxRefusedWindows, kWindows);

}  // namespace
}  // namespace micrort::testing::onnx_refused_windows
