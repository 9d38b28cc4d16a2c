// How many of the face detector's boxes survive quantization, over the pictures of the model data.

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/models/model_under_test.h"
#include "tools/io/file.h"
#include "tools/io/load.h"

namespace micrort::test {
namespace {

struct Face {
  float left, top, right, bottom, score;
};

float Overlap(const Face& a, const Face& b) {
  const auto area = [](const Face& f) { return (f.right - f.left) * (f.bottom - f.top); };
  const float width = std::min(a.right, b.right) - std::max(a.left, b.left);
  const float height = std::min(a.bottom, b.bottom) - std::max(a.top, b.top);
  const float common = std::max(0.0f, width) * std::max(0.0f, height);
  return common / (area(a) + area(b) - common + 1e-12f);
}

float BestOverlap(const Face& face, const std::vector<Face>& others, float min_score) {
  float best = 0;
  for (const Face& other : others) {
    if (other.score > min_score) best = std::max(best, Overlap(face, other));
  }
  return best;
}

// Boxes over 0.5, the best of those that overlap by more than 0.3.
std::vector<Face> FindFaces(ModelUnderTest* model, const io::NamedArray& picture) {
  const auto outputs = model->Run({picture});
  if (outputs.size() != 2) return {};
  const float* scores = outputs[0].as<float>();
  const float* boxes = outputs[1].as<float>();
  std::vector<Face> candidates, faces;
  for (size_t i = 0; i < outputs[0].elements() / 2; ++i) {
    const float* b = boxes + 4 * i;
    if (scores[2 * i + 1] > 0.5f) candidates.push_back({b[0], b[1], b[2], b[3], scores[2 * i + 1]});
  }
  std::sort(candidates.begin(), candidates.end(),
            [](const Face& a, const Face& b) { return a.score > b.score; });
  for (const Face& candidate : candidates) {
    if (BestOverlap(candidate, faces, 0) <= 0.3f) faces.push_back(candidate);
  }
  return faces;
}

class Faces : public ::testing::Test {
 protected:
  void SetUp() override { MICRORT_NEEDS_MODEL_DATA(); }

  // Share of float boxes over 0.8 that the other model finds (over 0.6, overlap over 0.75), and boxes that it
  // invents.
  void Compare(const std::vector<std::string>& flags, double* matched_share, int* invented) {
    constexpr char kModel[] = "models/onnx/ultraface_rfb_320.onnx";
    ModelUnderTest reference(kModel, {}), quantized(kModel, flags);
    ASSERT_TRUE(reference.ok() && quantized.ok());
    std::vector<std::string> pictures;
    ASSERT_TRUE(io::ListFiles(ModelData("images/faces"), &pictures).ok());
    io::Preprocess preprocess;
    preprocess.mean = {127};
    preprocess.scale = {1.0f / 128};
    int total = 0, matched = 0;
    *invented = 0;
    for (const std::string& path : pictures) {
      io::NamedArray picture;
      ASSERT_TRUE(
          io::LoadInput(path, {"input", DType::kFloat32, {1, 3, 240, 320}}, preprocess, &picture).ok());
      const std::vector<Face> expected = FindFaces(&reference, picture),
                              found = FindFaces(&quantized, picture);
      for (const Face& face : expected) {
        if (face.score <= 0.8f) continue;
        ++total;
        matched += BestOverlap(face, found, 0.6f) > 0.75f ? 1 : 0;
      }
      for (const Face& face : found) {
        if (face.score > 0.85f && BestOverlap(face, expected, 0.6f) <= 0.5f) ++*invented;
      }
    }
    ASSERT_GT(total, 100);
    *matched_share = static_cast<double>(matched) / total;
  }
};

TEST_F(Faces, StaticInt8FindsTheSame) {
  double matched = 0;
  int invented = 0;
  Compare({"--quant", "int8", "--calib", ModelData("images/faces"), "--mean", "127", "--scale", "0.0078125"},
          &matched, &invented);
  EXPECT_GE(matched, 0.90);
  EXPECT_LE(invented, 2);
}

TEST_F(Faces, DynamicInt8FindsTheSame) {
  double matched = 0;
  int invented = 0;
  Compare({"--quant", "int8"}, &matched, &invented);
  EXPECT_GE(matched, 0.95);
  EXPECT_LE(invented, 2);
}

}  // namespace
}  // namespace micrort::test
