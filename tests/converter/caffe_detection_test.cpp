// PriorBox and DetectionOutput against loops that follow SSD step by step.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>

#include "tests/converter/caffe_net.h"

namespace micrort {
namespace {

using testing::CaffeValues;
using testing::ExpectAllNear;
using testing::Floats;
using testing::ImportNet;
using testing::InputText;
using testing::LayerText;
using testing::RunNet;

// The whole image, one pixel, and what lies outside.
TEST(CaffeRoiPooling, LargestOfEachCell) {
  const std::string text =
      InputText("x", {1, 1, 4, 4}) + InputText("r", {3, 5, 1, 1}) +
      LayerText("ROIPooling", {"x", "r"}, "roi_pooling_param { pooled_h: 2 pooled_w: 2 spatial_scale: 0.5 }");
  Floats image(16);
  std::iota(image.begin(), image.end(), 0.0f);
  const Floats regions = {0, 0, 0, 6, 6, 0, 2, 2, 2, 2, 0, 18, 18, 24, 24};
  EXPECT_EQ(RunNet(text, {{"x", image}, {"r", regions}})["y"],
            Floats({5, 7, 13, 15, 5, 5, 5, 5, 0, 0, 0, 0}));
}

TEST(CaffeRoiPooling, OthersAreRefused) {
  const std::string inputs = InputText("x", {1, 1, 4, 4}) + InputText("r", {3, 4});
  EXPECT_EQ(
      ImportNet(inputs + LayerText("ROIPooling", {"x", "r"}, "roi_pooling_param { pooled_h: 2 pooled_w: 2 }"))
          .status.code(),
      StatusCode::kInvalidModel);
  EXPECT_EQ(
      ImportNet(inputs + LayerText("PSROIPooling", {"x", "r"}, "")).diagnostics.unsupported.at(0).reason,
      "position-sensitive pooling is not supported; ROIPooling is");
}

TEST(CaffePriorBox, SizesAndRatiosInOrder) {
  const std::string text =
      InputText("f", {1, 1, 1, 2}) + InputText("i", {1, 3, 10, 20}) +
      LayerText("PriorBox", {"f", "i"},
                "prior_box_param { min_size: 4 max_size: 9 aspect_ratio: 4 aspect_ratio: 1 "
                "variance: 0.1 variance: 0.1 variance: 0.2 variance: 0.2 }");
  Floats expected;
  for (const float cx : {5.0f, 15.0f}) {
    for (const auto& [w, h] :
         {std::pair(4.0f, 4.0f), std::pair(6.0f, 6.0f), std::pair(8.0f, 2.0f), std::pair(2.0f, 8.0f)}) {
      for (const float v : {(cx - w / 2) / 20, (5 - h / 2) / 10, (cx + w / 2) / 20, (5 + h / 2) / 10}) {
        expected.push_back(v);
      }
    }
  }
  for (int i = 0; i < 8; ++i) expected.insert(expected.end(), {0.1f, 0.1f, 0.2f, 0.2f});
  ExpectAllNear(expected, RunNet(text, {})["y"]);
}

TEST(CaffePriorBox, StepsOffsetsAndClipping) {
  const std::string text =
      InputText("f", {1, 1, 1, 1}) + InputText("i", {1, 3, 8, 8}) +
      LayerText("PriorBox", {"f", "i"},
                "prior_box_param { min_size: 4 flip: false aspect_ratio: 4 step: 2 offset: 0 clip: "
                "true }");
  ExpectAllNear({0, 0, 0.25f, 0.25f, 0, 0, 0.5f, 0.125f, 0.1f, 0.1f, 0.1f, 0.1f, 0.1f, 0.1f, 0.1f, 0.1f},
                RunNet(text, {})["y"]);
}

TEST(CaffePriorBox, NeedsSizes) {
  const auto code = [](const std::string& param) {
    return ImportNet(InputText("f", {1, 1, 2, 2}) + InputText("i", {1, 3, 8, 8}) +
                     LayerText("PriorBox", {"f", "i"}, "prior_box_param { " + param + " }"))
        .status.code();
  };
  EXPECT_EQ(code("min_size: 1"), StatusCode::kOk);
  for (const char* broken :
       {"", "min_size: 0", "min_size: 2 max_size: 1", "min_size: 1 variance: 1 variance: 2",
        "min_size: 1 aspect_ratio: 0", "min_size: 1 max_size: 2 max_size: 3"}) {
    EXPECT_EQ(code(broken), StatusCode::kInvalidModel) << broken;
  }
}

using Box = std::array<float, 4>;

struct SsdCase {
  int batch = 1, priors = 24, classes = 3, background = 0;
  bool shared = true, encoded = false;
  std::string code = "CENTER_SIZE";
  float threshold = 0.45f, confidence = 0.1f;
  int top_k = 10, keep = -1;
};

float Overlap(const Box& a, const Box& b) {
  const float w = std::min(a[2], b[2]) - std::max(a[0], b[0]),
              h = std::min(a[3], b[3]) - std::max(a[1], b[1]);
  if (w <= 0 || h <= 0) return 0;
  const auto area = [](const Box& r) { return (r[2] - r[0]) * (r[3] - r[1]); };
  return w * h / (area(a) + area(b) - w * h);
}

Box Decode(const SsdCase& s, const float* loc, const float* prior, const float* variance) {
  float v[4];
  for (int i = 0; i < 4; ++i) v[i] = loc[i] * (s.encoded ? 1 : variance[i]);
  const float w = prior[2] - prior[0], h = prior[3] - prior[1];
  if (s.code == "CORNER") return {prior[0] + v[0], prior[1] + v[1], prior[2] + v[2], prior[3] + v[3]};
  if (s.code == "CORNER_SIZE") {
    return {prior[0] + v[0] * w, prior[1] + v[1] * h, prior[2] + v[2] * w, prior[3] + v[3] * h};
  }
  const float cx = v[0] * w + (prior[0] + prior[2]) / 2, cy = v[1] * h + (prior[1] + prior[3]) / 2;
  const float bw = std::exp(v[2]) * w, bh = std::exp(v[3]) * h;
  return {cx - bw / 2, cy - bh / 2, cx + bw / 2, cy + bh / 2};
}

struct Found {
  int label, prior;
  float score;
  Box box;
};

std::vector<Found> BestOfClass(const SsdCase& s, const std::vector<Box>& boxes,
                               const std::vector<float>& scores, int label) {
  std::vector<int> order;
  for (int p = 0; p < s.priors; ++p) {
    if (scores[static_cast<size_t>(p)] > s.confidence) order.push_back(p);
  }
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    return scores[static_cast<size_t>(a)] > scores[static_cast<size_t>(b)];
  });
  if (s.top_k > 0 && order.size() > static_cast<size_t>(s.top_k)) order.resize(static_cast<size_t>(s.top_k));
  std::vector<Found> kept;
  for (const int p : order) {
    const Box& box = boxes[static_cast<size_t>(p)];
    const bool clear = std::all_of(kept.begin(), kept.end(),
                                   [&](const Found& k) { return Overlap(box, k.box) <= s.threshold; });
    if (clear) kept.push_back({label, p, scores[static_cast<size_t>(p)], box});
  }
  return kept;
}

Floats PlainDetection(const SsdCase& s, const Floats& loc, const Floats& conf, const Floats& priors) {
  Floats rows;
  for (int n = 0; n < s.batch; ++n) {
    std::vector<Found> found;
    for (int c = 0; c < s.classes; ++c) {
      if (c == s.background) continue;
      std::vector<Box> boxes;
      std::vector<float> scores;
      for (int p = 0; p < s.priors; ++p) {
        const int box_classes = s.shared ? 1 : s.classes;
        const int at = ((n * s.priors + p) * box_classes + (s.shared ? 0 : c)) * 4;
        boxes.push_back(Decode(s, &loc[static_cast<size_t>(at)], &priors[static_cast<size_t>(p * 4)],
                               &priors[static_cast<size_t>((s.priors + p) * 4)]));
        scores.push_back(conf[static_cast<size_t>((n * s.priors + p) * s.classes + c)]);
      }
      const std::vector<Found> of_class = BestOfClass(s, boxes, scores, c);
      found.insert(found.end(), of_class.begin(), of_class.end());
    }
    if (s.keep >= 0 && found.size() > static_cast<size_t>(s.keep)) {
      std::vector<Found> sorted = found;
      std::sort(sorted.begin(), sorted.end(),
                [](const Found& a, const Found& b) { return a.score > b.score; });
      sorted.resize(static_cast<size_t>(s.keep));
      std::stable_sort(sorted.begin(), sorted.end(),
                       [](const Found& a, const Found& b) { return a.label < b.label; });
      found = sorted;
    }
    for (const Found& f : found) {
      rows.insert(rows.end(), {static_cast<float>(n), static_cast<float>(f.label), f.score});
      rows.insert(rows.end(), f.box.begin(), f.box.end());
    }
  }
  return rows;
}

std::string DetectionText(const SsdCase& s) {
  const auto n = [](int v) { return std::to_string(v); };
  const auto yes = [](bool b) { return std::string(b ? "true" : "false"); };
  const int box_classes = s.shared ? 1 : s.classes;
  return InputText("loc", {s.batch, s.priors * box_classes * 4}) +
         InputText("conf", {s.batch, s.priors * s.classes}) + InputText("prior", {1, 2, s.priors * 4}) +
         LayerText("DetectionOutput", {"loc", "conf", "prior"},
                   "detection_output_param { num_classes: " + n(s.classes) + " share_location: " +
                       yes(s.shared) + " background_label_id: " + n(s.background) + " code_type: " + s.code +
                       " variance_encoded_in_target: " + yes(s.encoded) + " keep_top_k: " + n(s.keep) +
                       " confidence_threshold: " + std::to_string(s.confidence) +
                       " nms_param { nms_threshold: " + std::to_string(s.threshold) +
                       " top_k: " + n(s.top_k) + " } }");
}

void ExpectDetections(const SsdCase& s) {
  const Floats loc = CaffeValues(static_cast<size_t>(s.batch * s.priors * (s.shared ? 1 : s.classes) * 4), 3);
  // All scores differ.
  std::vector<size_t> ranks(static_cast<size_t>(s.batch * s.priors * s.classes));
  std::iota(ranks.begin(), ranks.end(), 0u);
  Floats conf;
  for (const size_t i : ranks)
    conf.push_back(static_cast<float>(i * 37 % ranks.size()) / static_cast<float>(ranks.size()));
  Floats priors;
  for (int p = 0; p < s.priors; ++p) {
    const float left = static_cast<float>(p % 6) * 0.15f, top = static_cast<float>(p / 6) * 0.2f;
    priors.insert(priors.end(), {left, top, left + 0.25f, top + 0.3f});
  }
  for (int p = 0; p < s.priors; ++p) priors.insert(priors.end(), {0.1f, 0.1f, 0.2f, 0.2f});
  const Floats expected = PlainDetection(s, loc, conf, priors);
  ExpectAllNear(expected, RunNet(DetectionText(s), {{"loc", loc}, {"conf", conf}, {"prior", priors}})["y"]);
}

TEST(CaffeDetectionOutput, SharedBoxes) { ExpectDetections({}); }

TEST(CaffeDetectionOutput, BoxesOfEachClass) {
  SsdCase s;
  s.shared = false;
  ExpectDetections(s);
}

TEST(CaffeDetectionOutput, Codes) {
  for (const char* code : {"CORNER", "CORNER_SIZE", "CENTER_SIZE"}) {
    for (const bool encoded : {false, true}) {
      SsdCase s;
      s.code = code;
      s.encoded = encoded;
      ExpectDetections(s);
    }
  }
}

TEST(CaffeDetectionOutput, KeepsTheBestOfAllClasses) {
  for (const int keep : {1, 4, 1000}) {
    SsdCase s;
    s.keep = keep;
    ExpectDetections(s);
  }
}

TEST(CaffeDetectionOutput, WithoutBackgroundOrLimit) {
  SsdCase s;
  s.background = -1;
  s.top_k = -1;
  ExpectDetections(s);
}

TEST(CaffeDetectionOutput, EveryItemOfABatch) {
  SsdCase s;
  s.batch = 2;
  s.keep = 3;
  ExpectDetections(s);
}

TEST(CaffeDetectionOutput, NothingFoundIsNoRow) {
  SsdCase s;
  s.confidence = 2;
  s.keep = 3;
  ExpectDetections(s);
}

TEST(CaffeDetectionOutput, SizesMustFit) {
  SsdCase s;
  std::string text = DetectionText(s);
  text.replace(text.find("num_classes: 3"), 14, "num_classes: 4");
  EXPECT_EQ(ImportNet(text).status.code(), StatusCode::kInvalidModel);
}

}  // namespace
}  // namespace micrort
