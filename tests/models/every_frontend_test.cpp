// What is asked of a conversion, whatever the format: int8 by calibration, and a report of what it costs.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/programs/process.h"
#include "tools/io/file.h"

namespace micrort::test {
namespace {

struct Source {
  const char *name, *model, *sample;  // below the model data
  std::vector<std::string> flags = {};
  const char* weights = nullptr;
};

void PrintTo(const Source& source, std::ostream* out) { *out << source.name; }

class EveryFrontend : public ::testing::TestWithParam<Source> {
 protected:
  void SetUp() override { MICRORT_NEEDS_MODEL_DATA(); }
};

TEST_P(EveryFrontend, QuantizesByCalibrationAndReports) {
  const Source& source = GetParam();
  const TemporaryFolder folder;
  const std::string report = folder / "report.html";
  std::vector<std::string> arguments = {ModelData(source.model), "-o", folder / "model.fb"};
  for (const auto& flag : {"--quant", "int8", "--json", "-", "--verify"}) arguments.emplace_back(flag);
  arguments.insert(arguments.end(), {"--calib", ModelData(source.sample), "--report", report});
  if (source.weights != nullptr) arguments.insert(arguments.end(), {"--weights", ModelData(source.weights)});
  arguments.insert(arguments.end(), source.flags.begin(), source.flags.end());
  const ProcessResult result = RunProgram("mnnconvert", arguments);
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto json = nlohmann::json::parse(result.out, nullptr, false);
  ASSERT_TRUE(json.is_object()) << result.out;
  EXPECT_GT(json["int8_layers"], 0);
  for (const auto& output : json["verify"]["outputs"]) EXPECT_GT(output["cosine"], 0.98) << output["name"];
  std::vector<uint8_t> html;
  ASSERT_TRUE(io::ReadFile(report, &html).ok());
  EXPECT_THAT(std::string(html.begin(), html.end()), ::testing::HasSubstr("int8"));
}

INSTANTIATE_TEST_SUITE_P(Models, EveryFrontend,
                         ::testing::Values(Source{"onnx", "models/onnx/ultraface_rfb_320_nopost.onnx",
                                                  "golden/ultraface_rfb_320/9/in/input.npy"},
                                           Source{"tflite", "models/tflite/ultraface_rfb_320.tflite",
                                                  "golden/ultraface_rfb_320_tflite/9/in/input_1.npy"},
                                           Source{"caffe",
                                                  "models/caffe/ultraface_rfb_320.prototxt",
                                                  "golden/ultraface_rfb_320/9/in/input.npy",
                                                  {},
                                                  "models/caffe/ultraface_rfb_320.caffemodel"},
                                           Source{"tensorflow",
                                                  "models/tensorflow/ESPCN_x2.pb",
                                                  "golden/ESPCN_x2/case0/in/IteratorGetNext.npy",
                                                  {"--input-shape", "#0=1x24x32x1"}},
                                           Source{"torchscript",
                                                  "models/torchscript/coremltools_demonet.pt",
                                                  "golden/coremltools_demonet/case0/in/#0.npy",
                                                  {"--input-shape", "#0=1x3x64x64"}}),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace micrort::test
