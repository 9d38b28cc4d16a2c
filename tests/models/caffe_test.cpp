// Caffe networks against the recorded outputs of a second implementation, and against the same network from
// ONNX.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "schema/micrort_generated.h"
#include "tests/models/model_under_test.h"
#include "tools/io/file.h"

namespace micrort::test {
namespace {

std::string NetFile(const std::string& net) { return "models/caffe/" + net + ".prototxt"; }

std::vector<std::string> NetFlags(const std::string& net, std::vector<std::string> flags = {}) {
  flags.insert(flags.end(), {"--weights", ModelData("models/caffe/" + net + ".caffemodel")});
  return flags;
}

class CaffeNetwork : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override { MICRORT_NEEDS_MODEL_DATA(); }
};

TEST_P(CaffeNetwork, IsWithinOneTenThousandth) {
  ModelUnderTest model(NetFile(GetParam()), NetFlags(GetParam()));
  ASSERT_TRUE(model.ok());
  for (const char* name : {"case0", "case1"}) {
    const std::string folder = ModelData(std::string("golden/") + GetParam() + "/" + name);
    const std::vector<io::NamedArray> outputs = model.Run({ReadNpy(folder + "/in/data.npy")});
    EXPECT_EQ(outputs.size(), FilesIn(folder + "/out").size());
    for (const io::NamedArray& output : outputs) {
      EXPECT_LE(LargestDifference(ReadNpy(folder + "/out/" + output.name + ".npy"), output), 1e-4)
          << name << " " << output.name;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Models, CaffeNetwork,
                         ::testing::Values("mtcnn_det1", "mtcnn_det2", "mtcnn_det3", "hyperlpr_Segmentation"),
                         [](const auto& info) { return std::string(info.param); });

using Row = std::vector<float>;

std::vector<Row> RowsOf(const io::NamedArray& array) {
  const auto* values = reinterpret_cast<const float*>(array.data.data());
  std::vector<Row> rows;
  for (size_t i = 0; i < array.data.size() / (7 * sizeof(float)); ++i) {
    rows.emplace_back(values + 7 * i, values + 7 * (i + 1));
  }
  return rows;
}

bool IsNear(const Row& a, const Row& b) {
  for (size_t i = 0; i < a.size(); ++i) {
    if (!(std::fabs(a[i] - b[i]) <= 1e-4f)) return false;
  }
  return true;
}

// The recording fills up with rows of zeros.
bool IsFiller(const Row& row) { return row[2] == 0; }

TEST(CaffeDetector, FindsTheRecordedBoxes) {
  MICRORT_NEEDS_MODEL_DATA();
  ModelUnderTest model(NetFile("yufacedetect_v1"), NetFlags("yufacedetect_v1"));
  ASSERT_TRUE(model.ok());
  const std::string folder = ModelData("golden/yufacedetect_v1/case0");
  const auto outputs = model.Run({ReadNpy(folder + "/in/data.npy")});
  ASSERT_EQ(outputs.size(), 1u);
  std::vector<Row> expected = RowsOf(ReadNpy(folder + "/out/detection_out.npy"));
  expected.erase(std::remove_if(expected.begin(), expected.end(), IsFiller), expected.end());
  ASSERT_FALSE(expected.empty());
  std::vector<Row> found = RowsOf(outputs[0]);
  EXPECT_EQ(found.size(), expected.size());
  for (const Row& row : expected) {
    const auto same = std::find_if(found.begin(), found.end(), [&](const Row& r) { return IsNear(r, row); });
    ASSERT_NE(same, found.end()) << "score " << row[2] << ", left " << row[3];
    found.erase(same);
  }
}

size_t OperatorsIn(const std::string& path) {
  std::vector<uint8_t> bytes;
  EXPECT_TRUE(io::ReadFile(path, &bytes).ok());
  return schema::GetModel(bytes.data())->subgraphs()->Get(0)->operators()->size();
}

TEST(CaffeDetector, IsTheSameNetworkFromOnnx) {
  MICRORT_NEEDS_MODEL_DATA();
  ModelUnderTest caffe(NetFile("ultraface_rfb_320"), NetFlags("ultraface_rfb_320"));
  ModelUnderTest onnx("models/onnx/ultraface_rfb_320_nopost.onnx", {});
  ASSERT_TRUE(caffe.ok() && onnx.ok());
  EXPECT_EQ(OperatorsIn(caffe.path()), OperatorsIn(onnx.path()));
  for (const char* name : {"2", "9", "12"}) {
    const io::NamedArray picture =
        ReadNpy(ModelData(std::string("golden/ultraface_rfb_320/") + name + "/in/input.npy"));
    const auto expected = onnx.Run({picture});
    const auto found = caffe.Run({picture});
    ASSERT_EQ(found.size(), expected.size());
    for (const io::NamedArray& output : found) {
      const auto same = std::find_if(expected.begin(), expected.end(),
                                     [&](const io::NamedArray& e) { return e.name == output.name; });
      ASSERT_NE(same, expected.end()) << output.name;
      EXPECT_LE(LargestDifference(*same, output), 1e-4) << name << " " << output.name;
    }
  }
}

// Without the transpose of [N,C,H,W] that begins two of them.
TEST(CaffeDetector, HasAsManyOperatorsFromThreeFormatsWithOneLayout) {
  MICRORT_NEEDS_MODEL_DATA();
  const std::vector<std::string> nhwc = {"--io-layout", "nhwc"};
  ModelUnderTest onnx("models/onnx/ultraface_rfb_320_nopost.onnx", nhwc);
  ModelUnderTest caffe(NetFile("ultraface_rfb_320"), NetFlags("ultraface_rfb_320", nhwc));
  ModelUnderTest tflite("models/tflite/ultraface_rfb_320.tflite", nhwc);
  ASSERT_TRUE(onnx.ok() && caffe.ok() && tflite.ok());
  EXPECT_EQ(OperatorsIn(caffe.path()), OperatorsIn(onnx.path()));
  EXPECT_EQ(OperatorsIn(tflite.path()), OperatorsIn(onnx.path()));
}

TEST(CaffeDetector, QuantizesWithCalibration) {
  MICRORT_NEEDS_MODEL_DATA();
  const std::string picture = ModelData("golden/ultraface_rfb_320/9/in/input.npy");
  ModelUnderTest exact(NetFile("ultraface_rfb_320"), NetFlags("ultraface_rfb_320"));
  ModelUnderTest small(NetFile("ultraface_rfb_320"),
                       NetFlags("ultraface_rfb_320", {"--quant", "int8", "--calib", picture}));
  ASSERT_TRUE(exact.ok() && small.ok());
  const auto expected = exact.Run({ReadNpy(picture)});
  const auto found = small.Run({ReadNpy(picture)});
  ASSERT_EQ(expected.size(), found.size());
  for (size_t i = 0; i < found.size(); ++i) {
    if (found[i].name != "scores") continue;
    EXPECT_LE(LargestDifference(expected[i], found[i]), 0.1);
  }
}

}  // namespace
}  // namespace micrort::test
