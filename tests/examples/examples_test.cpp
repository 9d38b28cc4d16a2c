// The examples as a user runs them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/programs/process.h"
#include "tools/io/file.h"
#include "tools/io/npy.h"

namespace micrort::test {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

class Examples : public ::testing::Test {
 protected:
  std::string Convert(const std::string& onnx, const std::string& name, std::vector<std::string> flags = {}) {
    flags.insert(flags.begin(), {onnx, "-o", folder_ / name, "--quiet"});
    const ProcessResult result = RunProgram("mnnconvert", flags);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return folder_ / name;
  }
  std::string ConvertDigits(const std::string& name, const std::vector<std::string>& flags = {}) {
    return Convert(SourceFile("examples/meter_reader/meter_digits.onnx"), name, flags);
  }

  TemporaryFolder folder_;
};

TEST_F(Examples, MeterReaderReadsEveryPictureWithEveryModel) {
  const std::string data = SourceFile("examples/meter_reader");
  const ProcessResult result =
      RunProgram("meter_reader",
                 {data, ConvertDigits("float.fb"), ConvertDigits("fp16.fb", {"--quant", "fp16"}),
                  ConvertDigits("dynamic.fb", {"--quant", "int8"}),
                  ConvertDigits("int8.fb", {"--quant", "int8", "--calib", data + "/calibration", "--mean",
                                            "127", "--scale", "0.0078125", "--color", "gray"})});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, AllOf(HasSubstr("float.fb"), HasSubstr("fp16.fb"), HasSubstr("int8.fb"),
                                HasSubstr("06093.7 right"), Not(HasSubstr("WRONG"))));
  EXPECT_THAT(result.out, ContainsRegex("pictures right( +6 of 6){4}\n")) << result.out;
  EXPECT_THAT(result.out, ContainsRegex("test crops right( +(29[7-9]|300) of 300 \\([0-9.]+ %\\)){4}\n"))
      << result.out;
}

TEST_F(Examples, MeterReaderNamesWhatIsMissingOrWrong) {
  const std::string data = SourceFile("examples/meter_reader"), model = ConvertDigits("float.fb");
  const auto expect_error = [](const std::vector<std::string>& arguments, const std::string& message) {
    const ProcessResult result = RunProgram("meter_reader", arguments);
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_THAT(result.err, HasSubstr(message));
  };
  expect_error({}, "usage: meter_reader");
  expect_error({folder_.path(), model}, "pictures/readings.json: cannot read");
  expect_error({data, folder_ / "absent.fb"}, "absent.fb: ");
  expect_error({data, data + "/meter_digits.onnx"}, "meter_digits.onnx: ");
}

TEST_F(Examples, CustomOpRunsAnOperatorOfItsOwn) {
  const std::string onnx = SourceFile("examples/custom_op/zero_out.onnx");
  const std::string alone = Convert(onnx, "alone.fb", {"--custom-domain", "com.acme"});
  const ProcessResult result = RunProgram("custom_op", {alone});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, "0 6 0 0\n");
  // With the operator at hand the converter can compute with it.
  Convert(onnx, "verified.fb",
          {"--custom-domain", "com.acme", "--custom-ops",
           std::string(MICRORT_PROGRAMS_FOLDER) + "/zero_out.so", "--verify"});
}

TEST_F(Examples, ProgramsTakeCustomOpsFromSharedLibraries) {
  const std::string onnx = SourceFile("examples/custom_op/zero_out.onnx");
  const std::string library = std::string(MICRORT_PROGRAMS_FOLDER) + "/zero_out.so";
  const std::string model = Convert(onnx, "own.fb", {"--custom-domain", "com.acme"});
  const int32_t elements[] = {5, 6, 7, 8};
  const std::vector<uint8_t> npy = io::FormatNpy(DType::kInt32, {4}, elements);
  ASSERT_TRUE(io::WriteFileAtomically(folder_ / "x.npy", npy).ok());
  const ProcessResult run = RunProgram(
      "micrort-run", {model, "--custom-ops", library, "--input", "#0=" + (folder_ / "x.npy"), "--json", "-"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const nlohmann::json output = nlohmann::json::parse(run.out)["outputs"][0];
  EXPECT_EQ(output["min"], 0);
  EXPECT_EQ(output["max"], 6);
  const ProcessResult bench =
      RunProgram("micrort-bench", {model, "--custom-ops", library, "--runs", "1", "--profile"});
  EXPECT_EQ(bench.exit_code, 0) << bench.err;
  EXPECT_THAT(bench.out, ContainsRegex("Custom .* zero_out\n"));
  for (const char* program : {"micrort-run", "micrort-bench"}) {
    const ProcessResult other = RunProgram(program, {model, "--custom-ops", onnx});
    EXPECT_EQ(other.exit_code, 1);
    EXPECT_THAT(other.err, AllOf(HasSubstr("--custom-ops: "), HasSubstr("zero_out.onnx"))) << program;
  }
}

TEST_F(Examples, CustomOpRunsAGraphOfTensorflow) {
  const std::string model = Convert(SourceFile("examples/custom_op/zero_out.pbtxt"), "tensorflow.fb",
                                    {"--custom-domain", "tensorflow", "--custom-ops",
                                     std::string(MICRORT_PROGRAMS_FOLDER) + "/zero_out.so"});
  const ProcessResult result = RunProgram("custom_op", {model});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, "5 0 0 0\n");
}

TEST_F(Examples, AnOperatorThatIsNotRegisteredIsNamed) {
  const std::string onnx = SourceFile("examples/custom_op/zero_out.onnx");
  const ProcessResult unknown = RunProgram("mnnconvert", {onnx, "-o", folder_ / "z.fb"});
  EXPECT_EQ(unknown.exit_code, 3);
  EXPECT_THAT(unknown.err, AllOf(HasSubstr("com.acme.ZeroOut"), HasSubstr("--custom-domain")));
  const ProcessResult run =
      RunProgram("micrort-run", {Convert(onnx, "z.fb", {"--custom-domain", "com.acme"})});
  EXPECT_NE(run.exit_code, 0);
  EXPECT_THAT(run.err, HasSubstr("custom operator ZeroOut of domain 'com.acme'"));
}

TEST_F(Examples, DetectFacesRefusesOtherNetworksAndPictures) {
  const auto expect_error = [&](const std::string& model, const std::string& picture,
                                const std::string& message) {
    const ProcessResult result = RunProgram("detect_faces", {model, picture, folder_ / "out.png"});
    EXPECT_NE(result.exit_code, 0);
    EXPECT_THAT(result.err, HasSubstr(message));
  };
  const std::string picture = SourceFile("examples/meter_reader/pictures/meter_1.png");
  expect_error(folder_ / "absent.fb", picture, "absent.fb: ");
  expect_error(ConvertDigits("digits.fb"), picture, "digits.fb: expected a face detector");
}

TEST_F(Examples, DetectFacesFindsEveryFaceOfAGroup) {
  MICRORT_NEEDS_MODEL_DATA();
  const std::string model = Convert(ModelData("models/onnx/ultraface_rfb_320.onnx"), "faces.fb");
  const ProcessResult result =
      RunProgram("detect_faces", {model, ModelData("images/faces/10.jpg"), folder_ / "out.png"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("19 faces\n"));
  EXPECT_THAT(FilesIn(folder_.path()), ::testing::Contains("out.png"));
}

TEST_F(Examples, MinimalRunsItsModel) {
  const ProcessResult result = RunProgram("minimal", {});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, "output: 1x10 of float32\n");
}

}  // namespace
}  // namespace micrort::test
