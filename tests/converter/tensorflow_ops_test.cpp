// Operators of TensorFlow against values worked out by hand from its documentation.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/converter/tensorflow_graph.h"

namespace micrort::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::FloatNear;
using ::testing::HasSubstr;
using ::testing::Pointwise;

const char kType[] = "T { type: DT_FLOAT }";

std::string One(const std::string& name, int32_t v) { return TfIntegers(name, {v}, true); }

// y = op(x, others), where x is a placeholder.
Floats RunOp(const std::string& op, const std::vector<int64_t>& shape, const Floats& x,
             const std::string& others, const std::vector<std::string>& inputs,
             const std::vector<std::string>& attributes = {}, const std::string& output = "op") {
  std::vector<std::string> all = inputs;
  if (inputs.empty()) all = {"x"};
  std::vector<std::string> with_type = attributes;
  with_type.push_back(kType);
  const std::string text = TfInput("x", shape) + others + TfNode("op", op, all, with_type) +
                           TfNode("y", "Cast", {output}, {"DstT { type: DT_FLOAT }"});
  frontend::ImportOptions options;
  options.outputs = {"y"};
  return ConvertAndRunTf(text, {{"x", x}}, options)["y"];
}

// As TensorFlow's kernel: the mean of what each pixel covers.
TEST(TensorflowOps, ResizeArea) {
  const auto resized = [](const std::vector<int64_t>& shape, const Floats& x,
                          const std::vector<int32_t>& size, const std::vector<std::string>& attributes = {}) {
    return RunOp("ResizeArea", shape, x, TfIntegers("size", size), {"x", "size"}, attributes);
  };
  EXPECT_THAT(resized({1, 2, 4, 1}, {1, 2, 3, 4, 5, 6, 7, 8}, {1, 2}), ElementsAre(3.5f, 5.5f));
  EXPECT_THAT(resized({1, 1, 3, 2}, {3, 30, 6, 60, 9, 90}, {1, 2}),
              Pointwise(FloatNear(1e-5f), {4.0f, 40.0f, 8.0f, 80.0f}));
  EXPECT_THAT(resized({2, 1, 2, 1}, {1, 2, 3, 4}, {2, 4}),
              ElementsAre(1, 1, 2, 2, 1, 1, 2, 2, 3, 3, 4, 4, 3, 3, 4, 4));
  // Beyond the last pixel is the last one again.
  EXPECT_THAT(resized({1, 1, 3, 1}, {1, 2, 3}, {1, 2}, {"align_corners { b: true }"}),
              ElementsAre(1.5f, 3.0f));
  EXPECT_THAT(resized({1, 1, 1, 1}, {5}, {1, 2}, {"align_corners { b: true }"}), ElementsAre(5, 5));
}

TEST(TensorflowMatrix, DiagonalsAreCutOutAndPlaced) {
  EXPECT_THAT(RunOp("MatrixDiag", {2}, {3, 4}, "", {}), ElementsAre(3, 0, 0, 4));
  const std::string v3 = One("k", 1) + One("any", -1) + TfFloats("pad", {}, {9});
  EXPECT_THAT(RunOp("MatrixDiagV3", {2}, {3, 4}, v3, {"x", "k", "any", "any", "pad"}),
              ElementsAre(9, 3, 9, 9, 9, 4, 9, 9, 9));
  EXPECT_THAT(RunOp("MatrixDiagPart", {2, 3}, {1, 2, 3, 4, 5, 6}, "", {}), ElementsAre(1, 5));
  EXPECT_THAT(RunOp("MatrixDiagPartV3", {2, 3}, {1, 2, 3, 4, 5, 6}, v3, {"x", "k", "pad"}),
              ElementsAre(2, 6));
  EXPECT_THAT(RunOp("MatrixSetDiag", {2, 3}, {1, 2, 3, 4, 5, 6}, TfFloats("d", {2}, {8, 9}), {"x", "d"}),
              ElementsAre(8, 2, 3, 4, 9, 6));
  EXPECT_THAT(RunOp("Diag", {2}, {3, 4}, "", {}), ElementsAre(3, 0, 0, 4));
  EXPECT_THAT(RunOp("DiagPart", {2, 2}, {1, 2, 3, 4}, "", {}), ElementsAre(1, 4));
}

TEST(TensorflowMatrix, BandsKeepSoManyDiagonals) {
  const std::string band = One("under", 0) + One("all", -1);
  EXPECT_THAT(RunOp("MatrixBandPart", {2, 2}, {1, 2, 3, 4}, band, {"x", "under", "all"}),
              ElementsAre(1, 2, 0, 4));
  EXPECT_THAT(RunOp("MatrixBandPart", {2, 2}, {1, 2, 3, 4}, band, {"x", "all", "under"}),
              ElementsAre(1, 0, 3, 4));
}

TEST(TensorflowMatrix, SeveralDiagonalsAreRowsWithPadding) {
  const std::string band =
      TfIntegers("k", {0, 1}) + TfFloats("pad", {}, {9}) + One("rows", 2) + One("columns", 3);
  EXPECT_THAT(RunOp("MatrixDiagPartV2", {3, 2}, {1, 2, 3, 4, 5, 6}, band, {"x", "k", "pad"}),
              ElementsAre(2, 9, 1, 4));
  EXPECT_THAT(RunOp("MatrixDiagV2", {2, 2}, {1, 2, 3, 4}, band, {"x", "k", "rows", "columns", "pad"}),
              ElementsAre(3, 1, 9, 9, 4, 2));
  const std::string text = TfInput("x", {2, 3}) + TfIntegers("k", {1, 0}) + TfFloats("pad", {}, {0}) +
                           TfNode("y", "MatrixDiagPartV3", {"x", "k", "pad"}, {kType});
  EXPECT_EQ(ImportTf(text).status.code(), StatusCode::kInvalidModel);
}

TEST(TensorflowMatrix, EinsumIsASumOfProducts) {
  EXPECT_THAT(RunOp("Einsum", {2, 2}, {1, 2, 3, 4}, TfFloats("b", {2}, {1, 10}), {"x", "b"},
                    {"equation { s: 'ij,j->i' }"}),
              ElementsAre(21, 43));
}

TEST(TensorflowVolume, ConvolutionsAndPooling) {
  const Floats cube = {1, 2, 3, 4, 5, 6, 7, 8};
  const std::string strides = "strides { list { i: 1 i: 1 i: 1 i: 1 i: 1 } }";
  const std::string weights = TfFloats("w", {2, 1, 1, 1, 1}, {1, 10});
  EXPECT_THAT(
      RunOp("Conv3D", {1, 2, 2, 2, 1}, cube, weights, {"x", "w"}, {strides, "padding { s: 'VALID' }"}),
      ElementsAre(51, 62, 73, 84));
  // SAME pads the larger half behind.
  EXPECT_THAT(RunOp("Conv3D", {1, 2, 2, 2, 1}, cube, weights, {"x", "w"}, {strides, "padding { s: 'SAME' }"}),
              ElementsAre(51, 62, 73, 84, 5, 6, 7, 8));
  const std::string window = "ksize { list { i: 1 i: 2 i: 1 i: 2 i: 1 } }";
  EXPECT_THAT(RunOp("MaxPool3D", {1, 2, 2, 2, 1}, cube, "", {}, {strides, window, "padding { s: 'VALID' }"}),
              ElementsAre(6, 8));
  EXPECT_THAT(RunOp("AvgPool3D", {1, 2, 2, 2, 1}, cube, "", {}, {strides, window, "padding { s: 'VALID' }"}),
              ElementsAre(3.5f, 5.5f));
}

TEST(TensorflowSegments, SortedOnesLeaveZerosWhereNoneIs) {
  const std::string ids = TfIntegers("ids", {0, 0, 2});
  EXPECT_THAT(RunOp("SegmentSum", {3}, {-1, -3, -5}, ids, {"x", "ids"}), ElementsAre(-4, 0, -5));
  EXPECT_THAT(RunOp("SegmentMean", {3}, {-1, -3, -5}, ids, {"x", "ids"}), ElementsAre(-2, 0, -5));
  EXPECT_THAT(RunOp("SegmentMax", {3}, {-1, -3, -5}, ids, {"x", "ids"}), ElementsAre(-1, 0, -5));
}

TEST(TensorflowSegments, IdsOutsideAreLeftOut) {
  const std::string others = TfIntegers("ids", {1, -1, 7}) + One("n", 2);
  EXPECT_THAT(RunOp("UnsortedSegmentSum", {3}, {1, 2, 4}, others, {"x", "ids", "n"}), ElementsAre(0, 1));
}

// Sorted or not, with a segment that is empty in the latter.
TEST(TensorflowSegments, StartAtTheLimitsOfTheirType) {
  const auto reduced = [](const std::string& op, const std::string& type, const Floats& x) {
    const std::string others = TfNode("typed", "Cast", {"x"}, {"DstT { type: " + type + " }"}) +
                               TfIntegers("ids", {0, 0, 1}) + TfIntegers("gaps", {0, 0, 2}) + One("n", 3);
    if (op[0] == 'S') return RunOp(op, {3}, x, others, {"typed", "ids"});
    return RunOp(op, {3}, x, others, {"typed", "gaps", "n"});
  };
  for (const char* type : {"DT_INT8", "DT_INT16", "DT_INT32", "DT_INT64", "DT_HALF", "DT_DOUBLE"}) {
    SCOPED_TRACE(type);
    EXPECT_THAT(reduced("SegmentMax", type, {-3, -5, -7}), ElementsAre(-3, -7));
    EXPECT_THAT(reduced("SegmentMin", type, {3, 5, 7}), ElementsAre(3, 7));
  }
  for (const char* type : {"DT_UINT8", "DT_UINT16", "DT_UINT32", "DT_UINT64"}) {
    SCOPED_TRACE(type);
    EXPECT_THAT(reduced("SegmentMax", type, {3, 5, 7}), ElementsAre(5, 7));
    EXPECT_THAT(reduced("UnsortedSegmentMax", type, {3, 5, 7}), ElementsAre(5, 0, 7));
    EXPECT_THAT(reduced("SegmentMin", type, {3, 5, 7}), ElementsAre(3, 7));
  }
  EXPECT_THAT(reduced("UnsortedSegmentMax", "DT_INT8", {3, 5, 7}), ElementsAre(5, -128, 7));
  EXPECT_THAT(reduced("UnsortedSegmentMin", "DT_UINT16", {3, 5, 7}), ElementsAre(3, 65535, 7));
  EXPECT_THAT(reduced("UnsortedSegmentMax", "DT_HALF", {3, 5, 7}), ElementsAre(5, -65504, 7));
}

TEST(TensorflowSegments, CountsAndSparseValues) {
  const std::string others = TfIntegers("a", {1, 1, 3, 9}) + One("n", 4);
  EXPECT_THAT(RunOp("Bincount", {4}, {1, 2, 4, 8}, others, {"a", "n", "x"}), ElementsAre(0, 3, 0, 4));
  const std::string sparse = TfIntegers("at", {2, 0}) + TfIntegers("shape", {3}) + TfFloats("none", {}, {-1});
  EXPECT_THAT(RunOp("SparseToDense", {2}, {5, 6}, sparse, {"at", "shape", "x", "none"}),
              ElementsAre(6, -1, 5));
}

TEST(TensorflowOrder, SequencesAreReversedAsFarAsTheyGo) {
  const std::string lengths = TfIntegers("lengths", {2, 3});
  EXPECT_THAT(RunOp("ReverseSequence", {2, 3}, {1, 2, 3, 4, 5, 6}, lengths, {"x", "lengths"},
                    {"seq_dim { i: 1 }", "batch_dim { i: 0 }"}),
              ElementsAre(2, 1, 3, 6, 5, 4));
}

TEST(TensorflowOrder, RollStitchAndPartition) {
  EXPECT_THAT(
      RunOp("Roll", {4}, {1, 2, 3, 4}, TfIntegers("by", {-5}) + TfIntegers("axis", {0}), {"x", "by", "axis"}),
      ElementsAre(2, 3, 4, 1));
  // Twice along one dimension: five places altogether.
  const std::string twice = TfIntegers("by", {2, -7}) + TfIntegers("axis", {0, 0});
  EXPECT_THAT(RunOp("Roll", {4}, {1, 2, 3, 4}, twice, {"x", "by", "axis"}), ElementsAre(2, 3, 4, 1));
  const std::string stitch = TfIntegers("a", {0, 2}) + TfIntegers("b", {1}) + TfFloats("other", {1}, {7});
  EXPECT_THAT(RunOp("DynamicStitch", {2}, {1, 2}, stitch, {"a", "b", "x", "other"}), ElementsAre(1, 7, 2));
  const std::string parts = TfIntegers("parts", {1, 0, 1});
  EXPECT_THAT(
      RunOp("DynamicPartition", {3}, {1, 2, 3}, parts, {"x", "parts"}, {"num_partitions { i: 2 }"}, "op:1"),
      ElementsAre(1, 3));
}

TEST(TensorflowOrder, UniqueOnesAsTheyAppear) {
  EXPECT_THAT(RunOp("UniqueWithCounts", {4}, {5, 3, 5, 4}, "", {}), ElementsAre(5, 3, 4));
  EXPECT_THAT(RunOp("UniqueWithCounts", {4}, {5, 3, 5, 4}, "", {}, {}, "op:1"), ElementsAre(0, 1, 0, 2));
  EXPECT_THAT(RunOp("UniqueWithCounts", {4}, {5, 3, 5, 4}, "", {}, {}, "op:2"), ElementsAre(2, 1, 1));
}

TEST(TensorflowOrder, GathersInBatchesAlongALaterAxis) {
  const std::string indices =
      TfNode("i", "Const", {},
             {"dtype { type: DT_INT32 }",
              "value { tensor { dtype: DT_INT32 tensor_shape { dim { size: 2 } dim { size: 1 } "
              "} int_val: 1 int_val: 0 } }"}) +
      One("axis", 2);
  EXPECT_THAT(RunOp("GatherV2", {2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8}, indices, {"x", "i", "axis"},
                    {"batch_dims { i: 1 }"}),
              ElementsAre(2, 4, 5, 7));
}

TEST(TensorflowOrder, BoundsThatARunComputes) {
  // x[b:, -1] with b = int(min(x)).
  const std::string bounds = TfIntegers("axes", {0, 1}) + TfNode("least", "Min", {"x", "axes"}, {kType}) +
                             TfNode("b", "Cast", {"least"}, {"DstT { type: DT_INT32 }"}) + One("last", -1) +
                             TfNode("begin", "Pack", {"b", "last"}) + TfIntegers("end", {0, 0}) +
                             TfIntegers("stride", {1, 1});
  EXPECT_THAT(RunOp("StridedSlice", {3, 2}, {1, 2, 3, 4, 5, 6}, bounds, {"x", "begin", "end", "stride"},
                    {"end_mask { i: 1 }", "shrink_axis_mask { i: 2 }"}),
              ElementsAre(4, 6));
  const std::string sizes = TfNode("from", "Cast", {"x"}, {"DstT { type: DT_INT32 }"}) +
                            TfIntegers("size", {-1}) + TfFloats("list", {4}, {5, 6, 7, 8});
  EXPECT_THAT(RunOp("Slice", {1}, {2}, sizes, {"list", "from", "size"}), ElementsAre(7, 8));
}

TEST(TensorflowBoxes, ThoseThatOverlapAreLeftOut) {
  const Floats boxes = {0, 0, 1, 1, 0, 0, 1, 0.9f, 2, 2, 3, 3};
  const std::string others = TfFloats("scores", {3}, {0.5f, 0.9f, 0.7f}) + One("most", 4) +
                             TfFloats("overlap", {}, {0.5f}) + TfFloats("least", {}, {0}) +
                             TfFloats("sigma", {}, {0});
  const std::vector<std::string> inputs = {"x", "scores", "most", "overlap", "least"};
  const std::string padded = "pad_to_max_output_size { b: true }";
  EXPECT_THAT(RunOp("NonMaxSuppressionV3", {3, 4}, boxes, others, inputs), ElementsAre(1, 2));
  EXPECT_THAT(RunOp("NonMaxSuppressionV4", {3, 4}, boxes, others, inputs, {padded}), ElementsAre(1, 2, 0, 0));
  EXPECT_THAT(RunOp("NonMaxSuppressionV4", {3, 4}, boxes, others, inputs, {padded}, "op:1"), ElementsAre(2));
  std::vector<std::string> soft = inputs;
  soft.push_back("sigma");
  EXPECT_THAT(RunOp("NonMaxSuppressionV5", {3, 4}, boxes, others, soft, {padded}, "op:1"),
              ElementsAre(0.9f, 0.7f, 0, 0));
}

// Two boxes overlap by 0.9: the score of one is multiplied by exp(-0.5 / 0.5 * 0.9^2).
TEST(TensorflowBoxes, ThoseThatOverlapAreLessLikelySoftly) {
  const Floats boxes = {0, 0, 1, 1, 0, 0, 1, 0.9f, 2, 2, 3, 3};
  const std::string others = TfFloats("scores", {3}, {0.5f, 0.9f, 0.2f}) + One("most", 4) +
                             TfFloats("overlap", {}, {1}) + TfFloats("least", {}, {0}) +
                             TfFloats("sigma", {}, {0.5f});
  const auto run = [&](const std::string& output) {
    return RunOp("NonMaxSuppressionV5", {3, 4}, boxes, others,
                 {"x", "scores", "most", "overlap", "least", "sigma"}, {"pad_to_max_output_size { b: true }"},
                 output);
  };
  EXPECT_THAT(run("op"), ElementsAre(1, 0, 2, 0));
  EXPECT_THAT(run("op:1"), Pointwise(FloatNear(1e-6f), Floats{0.9f, 0.22242903f, 0.2f, 0}));
  EXPECT_THAT(run("op:2"), ElementsAre(3));
}

TEST(TensorflowBoxes, CombinedSuppressionOverClasses) {
  const Floats boxes = {0, 0, 1, 1, 0, 0, 1, 0.9f, 0.5f, 2, 3, 3};
  const std::string others = TfFloats("scores", {1, 3, 2}, {0.5f, 0.1f, 0.9f, 0.2f, 0.7f, 0.8f}) +
                             One("each", 2) + One("all", 5) + TfFloats("overlap", {}, {0.5f}) +
                             TfFloats("least", {}, {0.15f});
  const auto run = [&](const std::string& output) {
    return RunOp("CombinedNonMaxSuppression", {1, 3, 1, 4}, boxes, others,
                 {"x", "scores", "each", "all", "overlap", "least"}, {}, output);
  };
  EXPECT_THAT(run("op:1"), ElementsAre(0.9f, 0.8f, 0.7f, 0.2f, 0));
  EXPECT_THAT(run("op:2"), ElementsAre(0, 1, 0, 1, 0));
  EXPECT_THAT(run("op:3"), ElementsAre(4));
  EXPECT_THAT(run("op"), ElementsAre(0, 0, 1, 0.9f, 0.5f, 1, 1, 1, 0.5f, 1, 1, 1, 0, 0, 1, 0.9f, 0, 0, 0, 0));
}

TEST(TensorflowBoxes, CropsAreSampledFromCornerToCorner) {
  const std::string others = TfFloats("boxes", {2, 4}, {0, 0, 1, 1, 0, 0.5f, 2, 0.5f}) +
                             TfIntegers("which", {0, 0}) + TfIntegers("size", {2, 2});
  EXPECT_THAT(RunOp("CropAndResize", {1, 3, 3, 1}, {1, 2, 3, 4, 5, 6, 7, 8, 9}, others,
                    {"x", "boxes", "which", "size"}, {"extrapolation_value { f: -1 }"}),
              ElementsAre(1, 3, 7, 9, 2, 2, -1, -1));
}

// Samples at 0.5 and 1.5 are nearest to 1 and 2.
TEST(TensorflowBoxes, CropsOfTheNearestPixels) {
  const std::string others = TfFloats("boxes", {2, 4}, {0, 0.25f, 1, 0.75f, -0.5f, 0.3f, 0.5f, 0.3f}) +
                             TfIntegers("which", {1, 0}) + TfIntegers("size", {2, 2});
  EXPECT_THAT(
      RunOp("CropAndResize", {2, 3, 3, 1}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 14, 15, 16, 17, 18, 19},
            others, {"x", "boxes", "which", "size"},
            {"extrapolation_value { f: -1 }", "method { s: 'nearest' }"}),
      ElementsAre(12, 13, 18, 19, -1, -1, 5, 5));
}

TEST(TensorflowSpecial, FunctionsOfMathematics) {
  EXPECT_THAT(RunOp("Atan2", {4}, {1, 1, -1, 0}, TfFloats("b", {4}, {0, -1, -1, 0}), {"x", "b"}),
              Pointwise(FloatNear(1e-5f), Floats{1.5707963f, 2.3561945f, -2.3561945f, 0}));
  EXPECT_THAT(RunOp("Lgamma", {4}, {0.5f, 1, 5, -0.5f}, "", {}),
              Pointwise(FloatNear(1e-4f), Floats{0.5723649f, 0, 3.1780538f, 1.2655121f}));
  EXPECT_THAT(RunOp("Erfinv", {3}, {-0.9f, 0, 0.5f}, "", {}),
              Pointwise(FloatNear(1e-5f), Floats{-1.1630872f, 0, 0.4769363f}));
  EXPECT_THAT(RunOp("L2Loss", {2}, {3, 4}, "", {}), ElementsAre(12.5f));
  EXPECT_THAT(RunOp("Cross", {3}, {1, 0, 0}, TfFloats("b", {3}, {0, 1, 0}), {"x", "b"}),
              ElementsAre(0, 0, 1));
}

TEST(TensorflowSpecial, SmallNumbersKeepTheirDigits) {
  const auto near = [](float v) { return FloatNear(v, 1e-5f * v); };
  EXPECT_THAT(RunOp("Log1p", {3}, {1e-8f, 1e-3f, 9}, "", {}),
              ElementsAre(near(1e-8f), near(9.995003e-4f), near(2.302585f)));
  EXPECT_THAT(RunOp("Expm1", {3}, {1e-8f, 1e-3f, 2}, "", {}),
              ElementsAre(near(1e-8f), near(1.0005002e-3f), near(6.389056f)));
  EXPECT_THAT(RunOp("Erfc", {4}, {-1, 0.25f, 3, 6}, "", {}),
              ElementsAre(near(1.8427008f), near(0.7236736f), near(2.209050e-5f), near(2.1519737e-17f)));
  EXPECT_THAT(RunOp("Xlog1py", {2}, {2, 0}, TfFloats("b", {2}, {1e-8f, -1}), {"x", "b"}),
              ElementsAre(near(2e-8f), 0));
}

TEST(TensorflowSpace, PatchesAndMirrors) {
  const std::string list = "{ list { i: 1 i: 2 i: 2 i: 1 } }", ones = "{ list { i: 1 i: 1 i: 1 i: 1 } }";
  EXPECT_THAT(RunOp("ExtractImagePatches", {1, 2, 3, 1}, {1, 2, 3, 4, 5, 6}, "", {},
                    {"ksizes " + list, "strides " + ones, "rates " + ones, "padding { s: 'VALID' }"}),
              ElementsAre(1, 2, 4, 5, 2, 3, 5, 6));
  const std::string pads =
      TfNode("p", "Const", {},
             {"dtype { type: DT_INT32 }",
              "value { tensor { dtype: DT_INT32 tensor_shape { dim { size: 1 } dim { size: 2 } } "
              "int_val: 2 int_val: 1 } }"});
  EXPECT_THAT(RunOp("MirrorPad", {3}, {1, 2, 3}, pads, {"x", "p"}, {"mode { s: 'SYMMETRIC' }"}),
              ElementsAre(2, 1, 1, 2, 3, 3));
}

TEST(TensorflowFused, BatchNormalizationAndActivationsOfGrappler) {
  const std::string weights = TfFloats("w", {1, 1, 1, 1}, {2}) + TfFloats("scale", {1}, {3}) +
                              TfFloats("offset", {1}, {1}) + TfFloats("mean", {1}, {2}) +
                              TfFloats("variance", {1}, {3});
  EXPECT_THAT(
      RunOp("_FusedConv2D", {1, 1, 2, 1}, {3, -3}, weights, {"x", "w", "scale", "offset", "mean", "variance"},
            {"strides { list { i: 1 i: 1 i: 1 i: 1 } }", "padding { s: 'VALID' }", "epsilon { f: 1 }",
             "fused_ops { list { s: 'FusedBatchNorm' s: 'Relu' } }"}),
      ElementsAre(7, 0));
}

TEST(TensorflowComplex, SpectraAndTheirParts) {
  const std::string spectrum = TfIntegers("n", {4}) + TfNode("f", "RFFT", {"x", "n"});
  const Floats signal = {1, 2, 3, 4};
  EXPECT_THAT(RunOp("Real", {4}, signal, spectrum, {"f"}), ElementsAre(10, -2, -2));
  EXPECT_THAT(RunOp("Imag", {4}, signal, spectrum, {"f"}), ElementsAre(0, 2, 0));
  EXPECT_THAT(RunOp("ComplexAbs", {4}, signal, spectrum, {"f"}),
              Pointwise(FloatNear(1e-5f), Floats{10, 2.8284271f, 2}));
  EXPECT_THAT(RunOp("IRFFT", {4}, signal, spectrum, {"f", "n"}), Pointwise(FloatNear(1e-5f), signal));
}

TEST(TensorflowComplex, ConstantsAndCasts) {
  const std::string shape = "dtype: DT_COMPLEX64 tensor_shape { dim { size: 2 } } ";
  const auto constant = [&](const std::string& name, const std::string& elements) {
    return TfNode(name, "Const", {},
                  {"dtype { type: DT_COMPLEX64 }", "value { tensor { " + shape + elements + " } }"});
  };
  const std::string numbers =
      constant("c", "scomplex_val: 1 scomplex_val: 2 scomplex_val: 3 scomplex_val: -4") +
      constant("all", "scomplex_val: 5 scomplex_val: 6") +
      TfNode("z", "Cast", {"x"}, {"SrcT { type: DT_FLOAT }", "DstT { type: DT_COMPLEX64 }"}) +
      TfNode("p", "Mul", {"z", "c"}) + TfNode("q", "RealDiv", {"p", "all"}) + TfNode("s", "Square", {"c"}) +
      TfNode("e", "Exp", {"c"}) + TfNode("d", "Sub", {"all", "c"}) + One("axis", 0) +
      TfNode("j", "ConcatV2", {"p", "all", "axis"});
  const auto run = [&](const std::string& op, const std::string& input) {
    return RunOp(op, {2}, {2, -3}, numbers, {input});
  };
  EXPECT_THAT(run("Real", "p"), ElementsAre(2, -9));
  EXPECT_THAT(run("Imag", "p"), ElementsAre(4, 12));
  EXPECT_THAT(run("Imag", "z"), ElementsAre(0, 0));
  EXPECT_THAT(run("Real", "q"), Pointwise(FloatNear(1e-5f), Floats{34.0f / 61, 27.0f / 61}));
  EXPECT_THAT(run("Imag", "q"), Pointwise(FloatNear(1e-5f), Floats{8.0f / 61, 114.0f / 61}));
  EXPECT_THAT(run("Real", "s"), ElementsAre(-3, -7));
  EXPECT_THAT(run("Imag", "s"), ElementsAre(4, -24));
  EXPECT_THAT(run("Angle", "e"), Pointwise(FloatNear(1e-5f), Floats{2, 2 * 3.14159265f - 4}));
  EXPECT_THAT(run("Imag", "d"), ElementsAre(4, 10));
  EXPECT_THAT(run("Imag", "j"), ElementsAre(4, 12, 6, 6));
  // The real part.
  EXPECT_THAT(RunOp("Cast", {2}, {2, -3}, numbers, {"p"}, {"DstT { type: DT_FLOAT }"}), ElementsAre(2, -9));
  EXPECT_THAT(run("Shape", "j"), ElementsAre(4));
}

TEST(TensorflowComplex, WhatDoesNotKnowOfThemIsRefused) {
  const std::string text = TfInput("x", {4}) + TfIntegers("n", {4}) + TfNode("f", "RFFT", {"x", "n"}) +
                           TfNode("y", "Sigmoid", {"f"}, {"T { type: DT_COMPLEX64 }"});
  const ImportedTf imported = ImportTf(text);
  EXPECT_EQ(imported.status.code(), StatusCode::kUnsupported);
  EXPECT_THAT(imported.status.message(), HasSubstr("complex"));
}

TEST(TensorflowQuantization, EachChannelHasItsRange) {
  // Steps of 2 / 254 and of 254 / 254.
  const std::string ranges = TfFloats("low", {2}, {-1, -127}) + TfFloats("high", {2}, {1, 127});
  EXPECT_THAT(RunOp("FakeQuantWithMinMaxVarsPerChannel", {2, 2}, {0.51f, 0.6f, 3, -200}, ranges,
                    {"x", "low", "high"}, {"narrow_range { b: true }"}),
              Pointwise(FloatNear(1e-5f), Floats{65.0f / 127, 1, 1, -127}));
}

TEST(TensorflowPool, MaximaSayWhereTheyComeFrom) {
  const std::string list = "{ list { i: 1 i: 2 i: 2 i: 1 } }";
  const Floats image = {1, 80, 9, 20, 3, 40, 4, 30};  // two channels
  const std::vector<std::string> window = {"ksize " + list, "strides " + list, "padding { s: 'VALID' }"};
  EXPECT_THAT(RunOp("MaxPoolWithArgmax", {1, 2, 2, 2}, image, "", {}, window), ElementsAre(9, 80));
  EXPECT_THAT(RunOp("MaxPoolWithArgmax", {1, 2, 2, 2}, image, "", {}, window, "op:1"), ElementsAre(2, 1));
}

TEST(TensorflowNormalization, AsTheFirstInceptionHasIt) {
  const std::string others = TfFloats("mean", {1}, {1}) + TfFloats("variance", {1}, {3}) +
                             TfFloats("beta", {1}, {5}) + TfFloats("gamma", {1}, {2});
  EXPECT_THAT(RunOp("BatchNormWithGlobalNormalization", {1, 1, 2, 1}, {1, 3}, others,
                    {"x", "mean", "variance", "beta", "gamma"},
                    {"variance_epsilon { f: 1 }", "scale_after_normalization { b: true }"}),
              ElementsAre(5, 7));
}

// Three bytes, or two of two ranges along an axis, as what they stand for.
Floats Dequantized(const std::string& type, const std::string& bytes,
                   const std::vector<std::string>& attributes, bool has_axis = false) {
  const std::vector<int64_t> of_ranges = has_axis ? std::vector<int64_t>{2} : std::vector<int64_t>();
  const std::string shape = has_axis ? "dim { size: 1 } dim { size: 2 }" : "dim { size: 3 }";
  std::vector<std::string> all = attributes;
  all.push_back("T { type: " + type + " }");
  return RunTf(
      TfNode("q", "Const", {},
             {"dtype { type: " + type + " }", "value { tensor { dtype: " + type + " tensor_shape { " + shape +
                                                  " } tensor_content: '" + bytes + "' } }"}) +
          TfFloats("low", of_ranges, has_axis ? Floats{-1, 0} : Floats{-1}) +
          TfFloats("high", of_ranges, has_axis ? Floats{1, 51} : Floats{1}) +
          TfNode("y", "Dequantize", {"q", "low", "high"}, all),
      {})["y"];
}

TEST(TensorflowDequantize, HasThreeModes) {
  const auto near = [](const Floats& expected) { return Pointwise(FloatNear(1e-6f), expected); };
  const std::string bytes = "\\000\\200\\377", around = "\\200\\000\\177";
  EXPECT_THAT(Dequantized("DT_QUINT8", bytes, {}), near({-1, 1.0f / 255, 1}));
  EXPECT_THAT(Dequantized("DT_QINT8", around, {"mode { s: 'MIN_COMBINED' }"}), near({-1, 1.0f / 255, 1}));
  // The range is moved so that 0 is one of the steps; -127.5 of them is a little less as floats.
  EXPECT_THAT(Dequantized("DT_QUINT8", bytes, {"mode { s: 'MIN_FIRST' }"}),
              near({-254.0f / 255, 2.0f / 255, 256.0f / 255}));
  EXPECT_THAT(Dequantized("DT_QUINT8", bytes, {"mode { s: 'SCALED' }"}), near({0, 128.0f / 255, 1}));
  EXPECT_THAT(Dequantized("DT_QINT8", around, {"mode { s: 'SCALED' }"}), near({-128.0f / 127, 0, 1}));
  EXPECT_THAT(Dequantized("DT_QUINT8", "\\377\\377", {"axis { i: 1 }"}, true), near({1, 51}));
}

}  // namespace
}  // namespace micrort::testing
