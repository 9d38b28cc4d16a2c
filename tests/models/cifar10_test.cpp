// Accuracy of the MLPerf Tiny CIFAR-10 network on 1,000 test pictures.

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/models/model_under_test.h"

namespace micrort::test {
namespace {

constexpr size_t kClasses = 10;

class Cifar10 : public ::testing::Test {
 protected:
  void SetUp() override {
    MICRORT_NEEDS_MODEL_DATA();
    ASSERT_TRUE(
        io::ConvertArray(ReadNpy(ModelData("cifar10/test_images.npy")), DType::kFloat32, &pictures_).ok());
    ASSERT_TRUE(
        io::ConvertArray(ReadNpy(ModelData("cifar10/test_labels.npy")), DType::kInt64, &labels_).ok());
  }

  // Percent of pictures whose largest output, a Score, is the label, running `batch` pictures at a time.
  template <typename Score = float>
  double Accuracy(ModelUnderTest* model, size_t batch) {
    const size_t count = labels_.elements(), picture_bytes = pictures_.data.size() / count;
    size_t right = 0;
    for (size_t first = 0; first < count; first += batch) {
      io::NamedArray input = {"input", pictures_.dtype, pictures_.shape, {}};
      input.shape[0] = static_cast<int64_t>(batch);
      const auto begin = pictures_.data.begin() + static_cast<std::ptrdiff_t>(first * picture_bytes);
      input.data.assign(begin, begin + static_cast<std::ptrdiff_t>(batch * picture_bytes));
      const auto outputs = model->Run({input});
      if (outputs.empty()) return 0;
      for (size_t i = 0; i < batch; ++i) {
        const Score* scores = outputs[0].as<Score>() + i * kClasses;
        right += std::max_element(scores, scores + kClasses) - scores == labels_.as<int64_t>()[first + i];
      }
    }
    return 100.0 * static_cast<double>(right) / static_cast<double>(count);
  }

  io::NamedArray pictures_, labels_;
};

TEST_F(Cifar10, FloatIsTheSameInOneBatchAndOneByOne) {
  ModelUnderTest model("models/onnx/resnet8.onnx", {});
  ASSERT_TRUE(model.ok());
  EXPECT_NEAR(Accuracy(&model, labels_.elements()), 75.1, 0.001);
  EXPECT_NEAR(Accuracy(&model, 1), 75.1, 0.001);
}

TEST_F(Cifar10, TfliteIsAsRecorded) {
  ModelUnderTest model("models/tflite/resnet8_float.tflite", {});
  ASSERT_TRUE(model.ok());
  EXPECT_NEAR(Accuracy(&model, 100), 75.1, 0.001);
}

// TFLite Micro: 74.9.
TEST_F(Cifar10, Int8OfTfliteIsWithinTwoTenths) {
  ModelUnderTest model("models/tflite/resnet8_int8.tflite", {});
  ASSERT_TRUE(model.ok());
  const float* pixels = pictures_.as<float>();
  std::vector<uint8_t> bytes(pictures_.elements());
  for (size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = static_cast<uint8_t>(static_cast<int>(pixels[i]) - 128);
  pictures_.dtype = DType::kInt8;
  pictures_.data = bytes;
  EXPECT_NEAR(Accuracy<int8_t>(&model, 100), 74.9, 0.2);
}

TEST_F(Cifar10, StaticInt8LosesLittle) {
  ModelUnderTest model("models/onnx/resnet8.onnx",
                       {"--quant", "int8", "--calib", ModelData("cifar10/calibration_images.npy")});
  ASSERT_TRUE(model.ok());
  EXPECT_GE(Accuracy(&model, 100), 74.7);
}

TEST_F(Cifar10, FourBitWeightsLoseLittle) {
  const std::vector<std::string> for_noise = {"--quant", "int4-weights"};
  std::vector<std::string> for_samples = for_noise;
  for_samples.insert(for_samples.end(), {"--calib", ModelData("cifar10/calibration_images.npy")});
  for (const auto& flags : {for_noise, for_samples}) {
    ModelUnderTest model("models/onnx/resnet8.onnx", flags);
    ASSERT_TRUE(model.ok());
    EXPECT_GE(Accuracy(&model, 100), 74.5);
  }
}

TEST_F(Cifar10, FourBitWeightsTimesIntegersLoseLittle) {
  ModelUnderTest model("models/onnx/resnet8.onnx", {"--quant", "int4-weights", "--int8-compute", "--calib",
                                                    ModelData("cifar10/calibration_images.npy")});
  ASSERT_TRUE(model.ok());
  EXPECT_GE(Accuracy(&model, 100), 74.5);
}

TEST_F(Cifar10, DynamicInt8LosesLittle) {
  ModelUnderTest model("models/onnx/resnet8.onnx", {"--quant", "int8"});
  ASSERT_TRUE(model.ok());
  EXPECT_GE(Accuracy(&model, 100), 73.5);
}

}  // namespace
}  // namespace micrort::test
