// Whole models against the recorded outputs of a second implementation.

#include <gtest/gtest.h>

#include <map>

#include "tests/models/model_under_test.h"

namespace micrort::test {
namespace {

struct GoldenCase {
  const char* model;
  const char* golden;  // folder of recorded cases
  std::vector<std::string> cases;
  std::map<std::string, std::string> outputs;  // ours → recorded
  const char* input;                           // recorded
  double half_tolerance;
};

void PrintTo(const GoldenCase& c, std::ostream* out) { *out << c.model; }

const GoldenCase kCases[] = {
    {"ultraface_rfb_320",
     "ultraface_rfb_320",
     {"2", "9", "12"},
     {{"scores", "scores"}, {"boxes", "boxes"}},
     "input",
     1e-2},
    {"ultraface_rfb_320_nopost",
     "ultraface_rfb_320",
     {"2", "9", "12"},
     {{"scores", "scores"}},
     "input",
     1e-2},
    // Its outputs hold logits of up to 7.4. ONNX Runtime, with the same weights rounded to half, is off by
    // 0.082.
    {"fastestdet", "fastestdet", {"0", "3"}, {{"758", "758"}}, "input.1", 0.1},
    {"vww", "vww_float", {"random"}, {{"output", "Identity"}}, "input_1", 1e-2},
};

class Golden : public ::testing::TestWithParam<GoldenCase> {
 protected:
  void SetUp() override { MICRORT_NEEDS_MODEL_DATA(); }

  void ExpectRecordedOutputs(const std::vector<std::string>& flags, double tolerance) {
    const GoldenCase& c = GetParam();
    ModelUnderTest model(std::string("models/onnx/") + c.model + ".onnx", flags);
    ASSERT_TRUE(model.ok());
    for (const std::string& name : c.cases) {
      const std::string folder = ModelData(std::string("golden/") + c.golden + "/" + name);
      const auto outputs = model.Run({ReadNpy(folder + "/in/" + c.input + ".npy")});
      size_t compared = 0;
      for (const io::NamedArray& output : outputs) {
        const auto recorded = c.outputs.find(output.name);
        if (recorded == c.outputs.end()) continue;
        ++compared;
        const io::NamedArray expected = ReadNpy(folder + "/out/" + recorded->second + ".npy");
        EXPECT_LE(LargestDifference(expected, output), tolerance) << name << " " << output.name;
      }
      EXPECT_EQ(compared, c.outputs.size());
    }
  }
};

TEST_P(Golden, FloatIsWithinOneTenThousandth) { ExpectRecordedOutputs({}, 1e-4); }
TEST_P(Golden, HalfWeightsAreNear) { ExpectRecordedOutputs({"--quant", "fp16"}, GetParam().half_tolerance); }

TEST_P(Golden, ArenaIsNearItsLowerBoundAndExact) {
  for (const char* quant : {"none", "fp16", "int8", "int8-weights"}) {
    ModelUnderTest model(std::string("models/onnx/") + GetParam().model + ".onnx", {"--quant", quant});
    ASSERT_TRUE(model.ok());
    const double bound = static_cast<double>(model.interpreter().arena_lower_bound());
    EXPECT_LE(static_cast<double>(model.interpreter().arena_bytes()), 1.10 * bound) << quant;
    const Result<size_t> required = Interpreter::RequiredArenaBytes(model.model());
    ASSERT_TRUE(required.ok());
    EXPECT_EQ(required.value(), model.interpreter().arena_bytes());
  }
}

INSTANTIATE_TEST_SUITE_P(Models, Golden, ::testing::ValuesIn(kCases),
                         [](const auto& info) { return std::string(info.param.model); });

}  // namespace
}  // namespace micrort::test
