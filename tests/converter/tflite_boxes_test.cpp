// Scattered elements, and boxes that are kept.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/converter/converted.h"
#include "tests/converter/tflite_refusals.h"

namespace micrort::testing {
namespace {

TEST(TfliteScatter, AddsUpWhatMeets) {
  TfliteBuilder b;
  const int x = b.Input("x", {3}), y = b.Tensor("y");
  const int indices = b.Constant<int32_t>("indices", {3, 1}, fb::TensorType::Int32, {1, 3, 1});
  b.Op("SCATTER_ND", {indices, x, b.Integers("shape", {4})}, {y});
  b.Output(y);
  EXPECT_EQ(RunTflite(b, {{"x", {1, 2, 4}}})["y"], Floats({0, 5, 0, 2}));
}

TEST(TfliteScatter, SparseToDenseFillsWithItsDefault) {
  TfliteBuilder b;
  const int x = b.Input("x", {2}), y = b.Tensor("y");
  b.Op("SPARSE_TO_DENSE",
       {b.Integers("places", {0, 2}), b.Integers("shape", {3}), x, b.Floats("default", {}, {9})}, {y});
  b.Output(y);
  EXPECT_EQ(RunTflite(b, {{"x", {1, 2}}})["y"], Floats({1, 9, 2}));
}

TEST(TfliteScatter, SegmentsAreRowsOfTheirSums) {
  TfliteBuilder b;
  const int x = b.Input("x", {3, 2}), y = b.Tensor("y"), z = b.Tensor("z");
  b.Op("SEGMENT_SUM", {x, b.Integers("ids", {0, 0, 2})}, {y});
  b.Op("UNSORTED_SEGMENT_PROD", {x, b.Integers("other", {1, 0, 1}), b.Integers("count", {2})}, {z});
  b.Output(y).Output(z);
  auto outputs = RunTflite(b, {{"x", {1, 2, 3, 4, 5, 6}}});
  EXPECT_EQ(outputs["y"], Floats({4, 6, 0, 0, 5, 6}));
  EXPECT_EQ(outputs["z"], Floats({3, 4, 5, 12}));
}

TEST(TfliteSegments, NegativeIdsAreLeftOut) {
  TfliteBuilder b;
  const int x = b.Input("x", {3, 1}), ids = b.Input("ids", {3}, fb::TensorType::Int32), y = b.Tensor("y"),
            z = b.Tensor("z");
  b.Op("UNSORTED_SEGMENT_SUM", {x, ids, b.Integers("count", {2})}, {y});
  b.Op("UNSORTED_SEGMENT_PROD", {x, b.Integers("constant", {1, -1, 1}), b.Integers("number", {2})}, {z});
  b.Output(y).Output(z);
  auto outputs = RunTflite(b, {{"x", {3, 4, 5}}, {"ids", {-1, 0, 0}}});
  EXPECT_EQ(outputs["y"], Floats({9, 0}));
  EXPECT_EQ(outputs["z"], Floats({1, 15}));
}

TEST(TfliteSegments, IntegersKeepTheirType) {
  TfliteBuilder b;
  const int x = b.Input("x", {2}, fb::TensorType::Int32), ids = b.Integers("ids", {1, 1}),
            count = b.Integers("count", {2});
  for (const char* op : {"SUM", "PROD", "MAX", "MIN"}) {
    const int y = b.Tensor(op, {}, fb::TensorType::Int32);
    b.Op(std::string("UNSORTED_SEGMENT_") + op, {x, ids, count}, {y});
    b.Output(y);
  }
  auto outputs = RunTflite(b, {{"x", {3, -4}}});
  EXPECT_EQ(outputs["SUM"], Floats({0, -1}));
  EXPECT_EQ(outputs["PROD"], Floats({1, -12}));
  EXPECT_EQ(outputs["MAX"], Floats({-2147483648.0f, 3}));
  EXPECT_EQ(outputs["MIN"], Floats({2147483648.0f, -4}));
}

TEST(TfliteSegments, IdsBehindTheLastSegmentEndTheRun) {
  TfliteBuilder b;
  const int x = b.Input("x", {2}), ids = b.Input("ids", {2}, fb::TensorType::Int32), y = b.Tensor("y");
  b.Op("UNSORTED_SEGMENT_SUM", {x, ids, b.Integers("count", {2})}, {y});
  Converted model("model.tflite", b.Output(y).Bytes());
  model.Run({Array<float>({2}, {3, 4}), Array<int32_t>({2}, {-1, 1})});
  EXPECT_TRUE(model.ran());
  for (const int32_t id : {2, 3}) {
    EXPECT_THAT(model.Run({Array<float>({2}, {3, 4}), Array<int32_t>({2}, {0, id})}),
                ::testing::HasSubstr("index"));
    EXPECT_FALSE(model.ran());
  }
}

TEST(TfliteShapes, BroadcastOfTwoShapes) {
  TfliteBuilder b;
  const int a = b.Input("a", {3}, fb::TensorType::Int32), y = b.Tensor("y", {}, fb::TensorType::Int32);
  b.Op("BROADCAST_ARGS", {a, b.Integers("other", {5, 1})}, {y});
  b.Output(y);
  EXPECT_EQ(RunTflite(b, {{"a", {2, 1, 4}}})["y"], Floats({2, 5, 4}));
}

TfliteBuilder Suppression(float sigma) {
  TfliteBuilder b;
  const int boxes = b.Input("boxes", {3, 4}), scores = b.Input("scores", {3});
  const int y = b.Tensor("y", {}, fb::TensorType::Int32), of = b.Tensor("of"),
            n = b.Tensor("n", {}, fb::TensorType::Int32);
  b.Op("NON_MAX_SUPPRESSION_V5",
       {boxes, scores, b.Integers("most", {3}), b.Floats("iou", {}, {sigma > 0 ? 1 : 0.5f}),
        b.Floats("least", {}, {0.1f}), b.Floats("sigma", {}, {sigma})},
       {y, of, n});
  return b.Output(y).Output(of).Output(n);
}

TEST(TfliteBoxes, SuppressedOnesAreZeros) {
  TfliteBuilder b = Suppression(0);
  ImportedTflite result = ImportTflite(b.Bytes());
  ASSERT_TRUE(result.status.ok()) << result.status.message();
  EXPECT_EQ(result.graph().value(result.graph().outputs[0]).shape, std::vector<int64_t>{3});
}

// Two boxes overlap by 0.9: the score of one is multiplied by exp(-0.5 / 0.5 * 0.9^2).
TEST(TfliteBoxes, SoftlySuppressedOnesHaveLowerScores) {
  TfliteBuilder b = Suppression(0.5f);
  auto run =
      RunTflite(b, {{"boxes", {0, 0, 1, 1, 0, 0, 1, 0.9f, 2, 2, 3, 3}}, {"scores", {0.5f, 0.9f, 0.2f}}});
  EXPECT_EQ(run["y"], Floats({1, 0, 2}));
  ASSERT_EQ(run["of"].size(), 3u);
  EXPECT_NEAR(run["of"][1], 0.22242903f, 1e-6f);
  EXPECT_EQ(run["n"], Floats({3}));
}

TfliteBuilder Detector(bool regular) {
  TfliteBuilder b;
  const int boxes = b.Input("boxes", {1, 3, 4}), scores = b.Input("scores", {1, 3, 3});
  const int anchors = b.Floats("anchors", {3, 4}, {0.5f, 0.5f, 1, 1, 0.5f, 0.5f, 1, 1, 2.5f, 2.5f, 1, 1});
  const int y = b.Tensor("y"), classes = b.Tensor("classes"), best = b.Tensor("best"), n = b.Tensor("n");
  fb::OperatorT& op = b.Op("TFLite_Detection_PostProcess", {boxes, scores, anchors}, {y, classes, best, n});
  op.custom_options = FlexMap([&](flexbuffers::Builder& options) {
    options.Int("max_detections", 2);
    options.Int("max_classes_per_detection", 1);
    options.Int("num_classes", 2);
    options.Float("nms_iou_threshold", 0.5f);
    options.Float("nms_score_threshold", 0.1f);
    options.Float("y_scale", 10);
    options.Float("x_scale", 10);
    options.Float("h_scale", 5);
    options.Float("w_scale", 5);
    options.Bool("use_regular_nms", regular);
  });
  b.Output(y).Output(classes).Output(best).Output(n);
  return b;
}

TEST(TfliteBoxes, DetectionsAreDecodedAndKept) {
  ImportedTflite result = ImportTflite(Detector(false).Bytes());
  ASSERT_TRUE(result.status.ok()) << result.status.message();
  EXPECT_EQ(result.graph().value(result.graph().outputs[0]).shape, (std::vector<int64_t>{1, 2, 4}));
  EXPECT_EQ(result.graph().value(result.graph().outputs[3]).shape, (std::vector<int64_t>{1}));
}

// Boxes 0 and 1 lie on each other, box 2 does not; there is one more class, which is the background.
const std::vector<io::NamedArray>& ThreeBoxes() {
  static const std::vector<io::NamedArray> inputs = {
      Array<float>({1, 3, 4}, Floats(12, 0)),
      Array<float>({1, 3, 3}, {0, 0.9f, 0.2f, 0, 0.3f, 0.8f, 0, 0.05f, 0.5f})};
  return inputs;
}

TEST(TfliteBoxes, BoxesSuppressThoseOfAllClasses) {
  Converted converted("model.tflite", Detector(false).Bytes());
  EXPECT_EQ(converted.Run(ThreeBoxes()), "1x2x4: 0 0 1 1 2 2 3 3; 1x2: 0 1; 1x2: 0.9 0.5; 1: 2");
}

TEST(TfliteBoxes, RegularSuppressionIsWithinAClass) {
  Converted converted("model.tflite", Detector(true).Bytes());
  EXPECT_EQ(converted.Run(ThreeBoxes()), "1x2x4: 0 0 1 1 0 0 1 1; 1x2: 0 1; 1x2: 0.9 0.8; 1: 2");
}

TEST(TfliteBoxes, WhatIsNotFoundIsZero) {
  for (const bool regular : {false, true}) {
    Converted converted("model.tflite", Detector(regular).Bytes());
    const io::NamedArray none = Array<float>({1, 3, 3}, {0, 0.9f, 0, 0, 0, 0, 0, 0, 0});
    EXPECT_EQ(converted.Run({ThreeBoxes()[0], none}), "1x2x4: 0 0 1 1 0 0 0 0; 1x2: 0 0; 1x2: 0.9 0; 1: 1");
  }
}

TEST(TfliteBoxes, ScoresEqualToTheThresholdAreKept) {
  for (const bool regular : {false, true}) {
    Converted converted("model.tflite", Detector(regular).Bytes());
    const io::NamedArray equal = Array<float>({1, 3, 3}, {0, 0.9f, 0, 0, 0, 0, 0, 0.1f, 0});
    EXPECT_EQ(converted.Run({ThreeBoxes()[0], equal}),
              "1x2x4: 0 0 1 1 2 2 3 3; 1x2: 0 0; 1x2: 0.9 0.1; 1: 2");
  }
}

TEST(TfliteBoxes, OptionsAreChecked) {
  TfliteBuilder b = Detector(false);
  b.graph().operators[0]->custom_options = {1, 2, 3};
  EXPECT_EQ(ImportTflite(b.Bytes()).status.code(), StatusCode::kInvalidModel);
}

}  // namespace
}  // namespace micrort::testing
