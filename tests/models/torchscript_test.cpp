// TorchScript models against what PyTorch computed.

#include <gtest/gtest.h>

#include "tests/models/model_under_test.h"

namespace micrort::test {
namespace {

struct Recorded {
  const char *name, *file;
  const char* shape;  // of its input: batches, and what else, stay open
  int cases;
};

void PrintTo(const Recorded& recorded, std::ostream* out) { *out << recorded.name; }

class TorchscriptModel : public ::testing::TestWithParam<Recorded> {
 protected:
  void SetUp() override { MICRORT_NEEDS_MODEL_DATA(); }
};

TEST_P(TorchscriptModel, IsWithinOneTenThousandthForEachSize) {
  const Recorded& recorded = GetParam();
  for (int i = 0; i < recorded.cases; ++i) {
    const std::string folder =
        ModelData(std::string("golden/") + recorded.name + "/case" + std::to_string(i));
    const io::NamedArray input = ReadNpy(folder + "/in/#0.npy"), expected = ReadNpy(folder + "/out/#0.npy");
    Shape shape;
    for (const int64_t dim : input.shape) shape[shape.rank++] = dim;
    ModelUnderTest model(std::string("models/torchscript/") + recorded.file,
                         {"--input-shape", std::string("#0=") + recorded.shape}, {shape});
    ASSERT_TRUE(model.ok());
    const std::vector<io::NamedArray> outputs = model.Run({input});
    ASSERT_EQ(outputs.size(), 1u);
    EXPECT_LE(LargestDifference(expected, outputs[0]), 1e-4) << folder;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Models, TorchscriptModel,
    ::testing::Values(Recorded{"coremltools_demonet", "coremltools_demonet.pt", "?x3x?x?", 2},
                      Recorded{"silero_vad_mini_8k_2021", "silero_vad_mini_8k_2021.jit", "?x4000", 3}),
    [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace micrort::test
