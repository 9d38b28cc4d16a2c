// TensorFlow models against recorded outputs.

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

struct Frozen {
  const char* name;
  std::vector<Shape> input_shapes;  // where open dimensions cannot be 1
};

void PrintTo(const Frozen& frozen, std::ostream* out) { *out << frozen.name; }

class TensorflowGraph : public ::testing::TestWithParam<Frozen> {
 protected:
  void SetUp() override { MICRORT_NEEDS_MODEL_DATA(); }
};

TEST_P(TensorflowGraph, IsWithinOneTenThousandth) {
  const std::string name = GetParam().name;
  const std::string folder = ModelData("golden/" + name + "/case0");
  ModelUnderTest model("models/tensorflow/" + name + ".pb", {}, GetParam().input_shapes);
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

INSTANTIATE_TEST_SUITE_P(Models, TensorflowGraph,
                         ::testing::Values(Frozen{"mtcnn_pnet", {Shape::Of(1, 24, 24, 3)}},
                                           Frozen{"ESPCN_x2", {}}, Frozen{"t2o_lstm", {}}),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(TensorflowSavedModel, TakesItsVariablesFromTheFolderBesideIt) {
  MICRORT_NEEDS_MODEL_DATA();
  ModelUnderTest saved("models/tensorflow/kws_ref_model", {});
  ASSERT_TRUE(saved.ok());
  EXPECT_STREQ(saved.model().input(0).name, "input_1");
  io::NamedArray input{"", DType::kFloat32, {1, 49, 10, 1}, {}};
  input.data.resize(490 * sizeof(float));
  const auto outputs = saved.Run({input});
  ASSERT_EQ(outputs.size(), 1u);
  EXPECT_EQ(outputs[0].name, "dense");
  EXPECT_EQ(outputs[0].shape, (std::vector<int64_t>{1, 12}));
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
