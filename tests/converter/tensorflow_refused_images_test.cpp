// TensorFlow's operators on images: boxes, colours, sizes, windows; operands that do not fit.

#include "tests/converter/tensorflow_operator.h"
#include "tests/refusal.h"

namespace micrort::testing::tensorflow_refused_images {
namespace {

constexpr auto kUnsupported = StatusCode::kUnsupported;

// Boxes, scores, how many at most, overlap, least score.
TfOperator Suppression(const std::string& op, int32_t most) {
  TfOperator result(op);
  return result.X({3, 4}).X({3}).Integer(most).Float(0.5f).Float(0);
}

Status Combined(const std::vector<int64_t>& boxes, const std::vector<int64_t>& scores, int32_t a_class = 2,
                int32_t most = 2) {
  return TfOperator("CombinedNonMaxSuppression")
      .X(boxes)
      .X(scores)
      .Integer(a_class)
      .Integer(most)
      .Float(0.5f)
      .Float(0)
      .Import();
}

TfOperator Crops(const std::vector<int32_t>& size) {
  TfOperator result("CropAndResize");
  return result.X({1, 4, 4, 1}).X({2, 4}).X({2}, "DT_INT32").Integers(size);
}

const Refusal kBoxes[] = {
    {"PaddedToNegativeLengths",
     MICRORT_STATUS(Suppression("NonMaxSuppressionV4", -1).True("pad_to_max_output_size").Import()),
     "-1 boxes"},
    {"NegativeSigma", MICRORT_STATUS(Suppression("NonMaxSuppressionV5", 2).Float(-1).Import()),
     "soft_nms_sigma: expected one number, 0 or above"},
    {"OpenNumberOfBoxes", MICRORT_STATUS(Combined({1, -1, 1, 4}, {1, 3, 2})),
     "a number of boxes or classes that is not fixed", kUnsupported},
    {"OpenNumberOfClasses", MICRORT_STATUS(Combined({1, 3, 1, 4}, {1, 3, -1})),
     "a number of boxes or classes that is not fixed", kUnsupported},
    {"BoxesOfSomeClasses", MICRORT_STATUS(Combined({1, 3, 2, 4}, {1, 3, 4})), "2 boxes for 4 classes"},
    {"NoneOfAll", MICRORT_STATUS(Combined({1, 3, 2, 4}, {1, 3, 2}, 2, 0)), "2 boxes for 2 classes"},
    {"TooManyOfAll", MICRORT_STATUS(Combined({1, 3, 2, 4}, {1, 3, 2}, 2, (1 << 20) + 1)),
     "2 boxes for 2 classes"},
    {"NoBoxes", MICRORT_STATUS(Combined({1, 0, 2, 4}, {1, 0, 2})), "2 boxes for 2 classes"},
    {"NoneOfAClass", MICRORT_STATUS(Combined({1, 3, 2, 4}, {1, 3, 2}, 0)), "0 boxes of a class"},
    {"TooManyOfAllClasses", MICRORT_STATUS(Combined({1, 1 << 16, 1, 4}, {1, 1, 1 << 16})),
     "boxes of all classes"},
    {"CubicCrops", MICRORT_STATUS(Crops({2, 2}).With("method", "s: 'bicubic'").Import()), "method bicubic",
     kUnsupported},
    {"CropsOfOneSize", MICRORT_STATUS(Crops({2}).Import()), "the size of crops"},
    {"EmptyCrops", MICRORT_STATUS(Crops({0, 2}).Import()), "the size of crops"},
    {"HugeCrops", MICRORT_STATUS(Crops({2, 4097}).Import()), "the size of crops"},
};
MICRORT_EXPECT_REFUSALS(TensorflowRefusedBoxes, kBoxes);

TfOperator Resized(const std::vector<int32_t>& sizes) {
  TfOperator result("ResizeBilinear");
  return result.X({1, 2, 2, 1}).Integers(sizes);
}

TfOperator Pooled(const std::vector<int64_t>& window, const std::vector<int64_t>& strides,
                  const std::string& padding = "VALID") {
  TfOperator result("MaxPool");
  return result.X({1, 4, 4, 2})
      .List("ksize", window)
      .List("strides", strides)
      .With("padding", "s: '" + padding + "'");
}

Status PaddedBy(const std::vector<int64_t>& pads) {
  return Pooled({1, 2, 2, 1}, {1, 1, 1, 1}, "EXPLICIT").List("explicit_paddings", pads).Import();
}

Status PlacesIn(const std::vector<int64_t>& image) {
  return TfOperator("MaxPoolWithArgmax")
      .X(image)
      .List("ksize", {1, 2, 2, 1})
      .List("strides", {1, 2, 2, 1})
      .With("padding", "s: 'VALID'")
      .Import();
}

const Refusal kImages[] = {
    {"TwoColours", MICRORT_STATUS(TfOperator("RGBToHSV").X({2, 2}).Import()), "expected three channels"},
    {"ColoursOfAScalar", MICRORT_STATUS(TfOperator("RGBToHSV").X({}).Import()), "expected three channels"},
    {"ColoursOfDoubles", MICRORT_STATUS(TfOperator("RGBToHSV").X({2, 3}, "DT_DOUBLE").Import()),
     "of type float64", kUnsupported},
    {"ContrastOfARow", MICRORT_STATUS(TfOperator("AdjustContrastv2").X({2, 3}).Float(2).Import()),
     "images of 2 dimensions"},
    {"ContrastOfDoubles",
     MICRORT_STATUS(TfOperator("AdjustContrastv2").X({2, 2, 3}, "DT_DOUBLE").Float(2).Import()),
     "of type float64", kUnsupported},
    {"ResizeBetweenTwoRules",
     MICRORT_STATUS(Resized({4, 4}).True("half_pixel_centers").True("align_corners").Import()),
     "half_pixel_centers and align_corners at once"},
    {"ResizeToThreeSizes", MICRORT_STATUS(Resized({1, 4, 4}).Import()), "3 sizes"},
    {"PlacesInAnOpenSize", MICRORT_STATUS(PlacesIn({1, -1, 4, 2})), "an image whose size is not fixed",
     kUnsupported},
    {"PlacesInTooManyImages", MICRORT_STATUS(PlacesIn({(1 << 24) + 1, 2, 2, 1})),
     "more than 16777216 images or channels", kUnsupported},
    {"PlacesInTooManyChannels", MICRORT_STATUS(PlacesIn({1, 2, 2, (1 << 24) + 1})),
     "more than 16777216 images or channels", kUnsupported},
    {"WindowOfTwoNumbers", MICRORT_STATUS(Pooled({2, 2}, {1, 1, 1, 1}).Import()),
     "ksize: expected 4 numbers, found 2"},
    {"StridesOverTheBatch", MICRORT_STATUS(Pooled({1, 2, 2, 1}, {2, 1, 1, 1}).Import()),
     "strides over the batch or the channels", kUnsupported},
    {"WindowOverTheChannels", MICRORT_STATUS(Pooled({1, 2, 2, 2}, {1, 1, 1, 1}).Import()),
     "ksize over the batch or the channels", kUnsupported},
    {"NoStride", MICRORT_STATUS(Pooled({1, 2, 2, 1}, {1, 0, 1, 1}).Import()), "strides has 0"},
    {"HugeWindow", MICRORT_STATUS(Pooled({1, 2, (1 << 24) + 1, 1}, {1, 1, 1, 1}).Import()),
     "ksize has 16777217"},
    {"OtherPadding", MICRORT_STATUS(Pooled({1, 2, 2, 1}, {1, 1, 1, 1}, "FULL").Import()), "padding 'FULL'"},
    {"PadsOfTwoDimensions", MICRORT_STATUS(PaddedBy({1, 1, 1, 1})),
     "explicit_paddings: expected 8 numbers, found 4"},
    {"PadsOfTheBatch", MICRORT_STATUS(PaddedBy({1, 0, 1, 1, 1, 1, 0, 0})),
     "explicit_paddings has 1 at dimension 0"},
    {"NegativePads", MICRORT_STATUS(PaddedBy({0, 0, 1, -1, 1, 1, 0, 0})),
     "explicit_paddings has -1 at dimension 1"},
    {"PatchesOfManyPixels",
     MICRORT_STATUS(TfOperator("ExtractImagePatches")
                        .X({1, 64, 64, 1})
                        .List("ksizes", {1, 64, 64, 1})
                        .With("padding", "s: 'VALID'")
                        .Import()),
     "a window of 4096", kUnsupported},
};
MICRORT_EXPECT_REFUSALS(TensorflowRefusedImages, kImages);

}  // namespace
}  // namespace micrort::testing::tensorflow_refused_images
