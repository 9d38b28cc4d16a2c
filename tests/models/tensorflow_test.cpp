// TensorFlow models against recorded outputs, and against the same network from TFLite.

#include <gtest/gtest.h>

#include <cctype>

#include "tests/models/model_under_test.h"

namespace micrort::test {
namespace {

// Names of files: other characters are underscores.
std::string FileName(std::string name) {
  for (char& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '.' && c != '-') c = '_';
  }
  return name + ".npy";
}

class TensorflowGraph : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override { MICRORT_NEEDS_MODEL_DATA(); }
};

TEST_P(TensorflowGraph, IsWithinOneTenThousandth) {
  const std::string folder = ModelData(std::string("golden/") + GetParam() + "/case0");
  ModelUnderTest model(std::string("models/tensorflow/") + GetParam() + ".pb", {});
  ASSERT_TRUE(model.ok());
  std::vector<io::NamedArray> inputs;
  for (size_t i = 0; i < model.model().input_count(); ++i) {
    inputs.push_back(ReadNpy(folder + "/in/" + FileName(model.model().input(i).name)));
  }
  const std::vector<io::NamedArray> outputs = model.Run(inputs);
  EXPECT_EQ(outputs.size(), FilesIn(folder + "/out").size());
  for (const io::NamedArray& output : outputs) {
    EXPECT_LE(LargestDifference(ReadNpy(folder + "/out/" + FileName(output.name)), output), 1e-4)
        << output.name;
  }
}

INSTANTIATE_TEST_SUITE_P(Models, TensorflowGraph, ::testing::Values("mtcnn_pnet", "ESPCN_x2", "t2o_lstm"),
                         [](const auto& info) { return std::string(info.param); });

TEST(TensorflowSavedModel, AgreesWithTheSameNetworkFromTflite) {
  MICRORT_NEEDS_MODEL_DATA();
  ModelUnderTest saved("models/tensorflow/kws_ref_model", {});
  ModelUnderTest lite("models/tflite/kws_float.tflite", {});
  ASSERT_TRUE(saved.ok() && lite.ok());
  io::NamedArray input{"", DType::kFloat32, {1, 49, 10, 1}, {}};
  input.data.resize(490 * sizeof(float));
  auto* x = reinterpret_cast<float*>(input.data.data());
  for (int i = 0; i < 490; ++i) x[i] = static_cast<float>(i * 37 % 101) / 10 - 5;
  const auto a = saved.Run({input}), b = lite.Run({input});
  ASSERT_TRUE(a.size() == 1 && b.size() == 1);
  EXPECT_LE(LargestDifference(a[0], b[0]), 1e-4);
}

TEST(TensorflowSavedModel, SignaturesThatAreNotThereAreListed) {
  MICRORT_NEEDS_MODEL_DATA();
  const ProcessResult result =
      RunProgram("mnnconvert", {ModelData("models/tensorflow/kws_ref_model"), "-o",
                                TemporaryFolder() / "x.fb", "--signature", "predict"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_NE(result.err.find("serving_default"), std::string::npos) << result.err;
}

}  // namespace
}  // namespace micrort::test
