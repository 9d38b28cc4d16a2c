// mnnconvert --expect: the converted model beside what the network's own framework computed.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/programs/onnx_file.h"
#include "tests/programs/process.h"
#include "tests/tools/zip_writer.h"
#include "tools/io/npy.h"

namespace micrort::test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

// y = relu(x), z = exp(y), on two samples of four elements.
class Expect : public ::testing::Test {
 protected:
  Expect() {
    onnx::ModelProto model = ReluModel();
    AddNode(&model, "Exp", "exp", "y", "z");
    *model.mutable_graph()->mutable_output(0)->mutable_name() = "z";
    WriteFile(model_, model.SerializeAsString());
    WriteArray("x.npy", {2, 4}, {-1, 0, 1, 2, 0, -2, 3, 1});
    WriteArray("y.npy", {2, 4}, {0, 0, 1, 2, 0, 0, 3, 1});
    WriteArray("z.npy", {2, 4}, {1, 1, 2.7182817f, 7.389056f, 1, 1, 20.085537f, 2.7182817f});
    WriteArray("bad.npy", {2, 4}, {0, 0, 1, 2, 0, 0, 3, -1});
    WriteArray("one.npy", {1, 4}, {0, 0, 1, 2});
    WriteArray("long.npy", {2, 5}, {0, 0, 1, 2, 0, 0, 0, 3, 1, 1});
  }

  void WriteArray(const std::string& name, const std::vector<int64_t>& shape, const std::vector<float>& x) {
    const std::vector<uint8_t> npy = io::FormatNpy(DType::kFloat32, shape, x.data());
    WriteFile(folder_ / name, std::string(npy.begin(), npy.end()));
  }
  std::string File(const std::string& name) const { return folder_ / name; }

  ProcessResult Convert(const std::vector<std::string>& flags) {
    std::vector<std::string> all = {model_, "-o", output_, "--calib", folder_ / "x.npy"};
    all.insert(all.end(), flags.begin(), flags.end());
    return RunProgram("mnnconvert", all);
  }
  void ExpectFailure(const ProcessResult& result, int code, const std::string& message) {
    EXPECT_EQ(result.exit_code, code) << result.err;
    EXPECT_THAT(result.err, HasSubstr(message));
    EXPECT_THAT(FilesIn(out_folder_.path()), IsEmpty());
  }

  TemporaryFolder folder_, out_folder_;
  std::string model_ = folder_ / "model.onnx", output_ = out_folder_ / "out.fb";
};

TEST_F(Expect, ComparesOutputsAndTensorsInside) {
  const ProcessResult result = Convert(
      {"--expect", File("z.npy"), "--expect", "y=" + File("y.npy"), "--json", "-", "--min-snr", "100"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto tensors = nlohmann::json::parse(result.out)["expect"]["tensors"];
  ASSERT_EQ(tensors.size(), 2u);
  EXPECT_EQ(tensors[0]["name"], "y");
  EXPECT_EQ(tensors[0]["equal"], true);
  EXPECT_EQ(tensors[1]["name"], "z");
  EXPECT_THAT(Convert({"--expect", File("z.npy")}).out, HasSubstr("what is expected of 2 samples"));
}

TEST_F(Expect, NamesTheFirstTensorThatDiffersAndWritesNoModel) {
  ExpectFailure(Convert({"--expect", "z=" + File("bad.npy"), "--expect", "y=" + File("bad.npy")}), 3,
                "--expect: 2 of 2 tensors have less than 25 dB (the default of this --quant), in run order "
                "first 'y' has ");
  EXPECT_EQ(Convert({"--expect", "y=" + File("bad.npy"), "--min-snr", "-5"}).exit_code, 0);
}

TEST_F(Expect, TakesOnlyWhatBelongsToTheSamples) {
  const std::string y = "y=" + File("y.npy");
  ExpectFailure(Convert({"--expect", "y=" + File("one.npy")}), 1,
                "expected 2 samples, as --calib has, found 1");
  ExpectFailure(Convert({"--expect", "y=" + File("long.npy")}), 1, "expected shape 1x4, found 2x5");
  ExpectFailure(Convert({"--expect", "yy=" + File("y.npy")}), 1, "no tensor 'yy'; names like it: 'y'");
  ExpectFailure(Convert({"--expect", y, "--expect", y}), 1, "'y' is given twice");
  ExpectFailure(Convert({"--expect", "y=" + File("none.npy")}), 1, "none.npy");
  ExpectFailure(RunProgram("mnnconvert", {model_, "-o", output_, "--expect", y}), 1,
                "--expect needs --calib");
}

TEST_F(Expect, FindsTensorsAmongTheMembersOfAnArchive) {
  const testing::Zip archive =
      testing::WriteZip({{"y.npy", ReadFile(File("y.npy"))}, {"z.npy", ReadFile(File("z.npy"))}});
  WriteFile(File("tensors.npz"), archive.bytes);
  const ProcessResult result = Convert({"--expect", File("tensors.npz"), "--json", "-"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(nlohmann::json::parse(result.out)["expect"]["tensors"].size(), 2u);
}

TEST_F(Expect, DoesNotOverwriteWhatItReads) {
  const std::string before = ReadFile(File("y.npy"));
  const ProcessResult result = RunProgram("mnnconvert", {model_, "-o", File("y.npy"), "--calib",
                                                         File("x.npy"), "--expect", "y=" + File("y.npy")});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("which is read"));
  EXPECT_EQ(ReadFile(File("y.npy")), before);
}

}  // namespace
}  // namespace micrort::test
