// TFLite models against the recorded outputs of TFLite itself.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "schema/tflite_generated.h"
#include "tests/models/model_under_test.h"
#include "tools/io/file.h"
#include "tools/io/tensor_file_name.h"

namespace micrort::test {
namespace {

struct TfliteCase {
  const char* model;
  const char* golden;  // folder of recorded cases
  // Of the largest difference: of floats, or steps of the output's quantization.
  double tolerance;
  bool moves_elements = false;  // DEPTH_TO_SPACE does, and so do layers over time
  std::vector<std::string> flags = {};
};

void PrintTo(const TfliteCase& c, std::ostream* out) { *out << c.model; }

// 0 of int8: TensorFlow Lite Micro recorded it, and our bits are its. Others were recorded by TensorFlow Lite
// with XNNPACK, whose rounding is its own.
const TfliteCase kTfliteCases[] = {
    {"ad_dynamic_range", "ad_dynamic_range", 0},
    {"ad_float", "ad_float", 1e-4},
    {"ad_int8", "ad_int8", 0},
    {"ds_cnn_small_int16", "ds_cnn_small_int16", 0},
    {"dtln_quant_1", "dtln_quant_1", 1e-6},
    {"face_detection_full_range_sparse", "face_detection_full_range_sparse", 1e-4, true},
    {"face_detection_short_range", "face_detection_short_range", 1e-4},
    {"keras_lstm_mnist_ptq", "keras_lstm_mnist_ptq", 1, true},
    {"kws_int8", "kws_int8", 0},
    {"mcunet_vww", "mcunet_vww", 0.15},  // a step: XNNPACK, which made the reference, rounds as kExactly does
    {"micro_speech_int8", "micro_speech_int8", 0},
    {"mobilenet_v1_0.25_128_quant", "mobilenet_v1_0.25_128_quant", 0},
    {"person_detect", "person_detect", 0},
    {"recommendation_rnn_i10o100", "recommendation_rnn_i10o100", 1e-4, true},
    {"resnet8_float", "resnet8_float", 1e-4},
    {"resnet8_int8", "resnet8_int8", 0},
    {"split_concat", "split_concat", 0},
    {"two_signatures", "two_signatures", 0},
    {"ultraface_rfb_320", "ultraface_rfb_320_tflite", 1e-4},
    {"vww_float", "vww_float", 1e-4},
    {"vww_int8", "vww_int8", 0},
};

std::vector<std::filesystem::path> Listed(const std::string& folder) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  return paths;
}

double At(const io::NamedArray& a, size_t i) {
  switch (a.dtype) {
    case DType::kFloat32:
      return static_cast<double>(a.as<float>()[i]);
    case DType::kInt8:
      return a.as<int8_t>()[i];
    case DType::kUInt8:
      return a.as<uint8_t>()[i];
    case DType::kInt16:
      return a.as<int16_t>()[i];
    case DType::kInt32:
      return a.as<int32_t>()[i];
    case DType::kInt64:
      return static_cast<double>(a.as<int64_t>()[i]);
    default:
      return NAN;
  }
}

// A file is named after the tensor, or "#0" after its position.
const io::NamedArray* Named(const std::vector<io::NamedArray>& arrays, const std::string& file) {
  if (file[0] == '#') return &arrays.at(static_cast<size_t>(std::stoi(file.substr(1))));
  for (const io::NamedArray& a : arrays) {
    std::string safe = a.name;
    for (char& ch : safe) {
      if (std::isalnum(static_cast<unsigned char>(ch)) == 0 &&
          std::string("._-").find(ch) == std::string::npos)
        ch = '_';
    }
    if (safe == file) return &a;
  }
  return nullptr;
}

const std::vector<std::string> kExactly = {"--rounding", "exact"};
const TfliteCase kExactTfliteCases[] = {
    {"keras_lstm_mnist_ptq", "keras_lstm_mnist_ptq", 1, true, kExactly},
    {"mcunet_vww", "mcunet_vww", 0, false, kExactly},
    {"mobilenet_v1_0.25_128_quant", "mobilenet_v1_0.25_128_quant", 0, false, kExactly},
    {"vww_int8", "vww_int8", 0, false, kExactly},
};

class TfliteGolden : public ::testing::TestWithParam<TfliteCase> {
 protected:
  void SetUp() override { MICRORT_NEEDS_MODEL_DATA(); }
};

void Compare(const io::NamedArray& expected, const io::NamedArray& found, double tolerance) {
  ASSERT_EQ(expected.shape, found.shape);
  ASSERT_EQ(expected.dtype, found.dtype);
  size_t best_expected = 0, best_found = 0;
  for (size_t i = 0; i < expected.elements(); ++i) {
    ASSERT_LE(std::fabs(At(expected, i) - At(found, i)), tolerance) << i;
    if (At(expected, i) > At(expected, best_expected)) best_expected = i;
    if (At(found, i) > At(found, best_found)) best_found = i;
  }
  EXPECT_EQ(best_expected, best_found);
}

TEST_P(TfliteGolden, MatchesTheRecordedOutputs) {
  const TfliteCase& c = GetParam();
  ModelUnderTest model(std::string("models/tflite/") + c.model + ".tflite", c.flags);
  ASSERT_TRUE(model.ok());
  for (const auto& folder : Listed(ModelData(std::string("golden/") + c.golden))) {
    std::vector<io::NamedArray> inputs;
    for (const auto& file : Listed(folder / "in")) inputs.push_back(ReadNpy(file));
    model.interpreter().ResetState();
    const auto outputs = model.Run(inputs);
    ASSERT_FALSE(outputs.empty());
    for (const auto& file : Listed(folder / "out")) {
      const io::NamedArray* found = Named(outputs, file.stem());
      ASSERT_NE(found, nullptr) << file;
      SCOPED_TRACE(file);
      Compare(ReadNpy(file), *found, c.tolerance);
    }
  }
}

// Every tensor between the operators that the reference wrote and that we have, too, bit for bit.
class TfliteTensors : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override { MICRORT_NEEDS_MODEL_DATA(); }
};

// Names of the model's tensors as files have them.
std::vector<std::string> TensorFiles(const std::string& model) {
  std::vector<uint8_t> bytes;
  EXPECT_TRUE(io::ReadFile(model, &bytes).ok());
  std::vector<std::string> names;
  for (const auto* tensor : *tflite_file::GetModel(bytes.data())->subgraphs()->Get(0)->tensors()) {
    names.push_back(tensor->name()->str());
  }
  return io::FileSafeNames(names);
}

TEST_P(TfliteTensors, HaveTheRecordedBits) {
  const std::string name = GetParam();
  const std::string source = ModelData("models/tflite/" + name + ".tflite");
  ModelUnderTest model("models/tflite/" + name + ".tflite", {});
  ASSERT_TRUE(model.ok());
  const std::vector<std::string> names = TensorFiles(source);
  size_t compared = 0;
  for (const auto& folder : Listed(ModelData("golden/" + name))) {
    if (!std::filesystem::exists(folder / "tensors")) continue;
    const TemporaryFolder out;
    std::vector<std::string> arguments = {model.path(), "--output-dir", out / "y", "--dump-layers",
                                          out / "layers"};
    for (const auto& file : Listed(folder / "in")) {
      arguments.insert(arguments.end(), {"--input", "#0=" + file.string()});
    }
    const ProcessResult run = RunProgram("micrort-run", arguments);
    ASSERT_EQ(run.exit_code, 0) << run.err;
    for (const auto& file : Listed(folder / "tensors")) {
      const auto index = static_cast<size_t>(std::stoi(file.stem().string().substr(1)));
      const std::string found = out / "layers" + "/" + names.at(index) + ".npy";
      if (!std::filesystem::exists(found)) continue;
      SCOPED_TRACE(names[index]);
      Compare(ReadNpy(file), ReadNpy(found), 0);
      ++compared;
    }
  }
  EXPECT_GE(compared, 3u);
}

INSTANTIATE_TEST_SUITE_P(Models, TfliteTensors,
                         ::testing::Values("ad_int8", "kws_int8", "micro_speech_int8", "person_detect",
                                           "resnet8_int8", "vww_int8"),
                         [](const auto& info) { return std::string(info.param); });

// What an NHWC model says stays as it is.
TEST_P(TfliteGolden, HasNoTransposes) {
  if (GetParam().moves_elements) GTEST_SKIP();
  ModelUnderTest model(std::string("models/tflite/") + GetParam().model + ".tflite", {});
  ASSERT_TRUE(model.ok());
  const ProcessResult info = RunProgram("micrort-info", {model.path()});
  EXPECT_EQ(info.exit_code, 0);
  EXPECT_EQ(info.out.find("Transpose "), std::string::npos) << info.out;
}

std::string CaseName(const ::testing::TestParamInfo<TfliteCase>& info) {
  std::string name = info.param.model;
  std::replace(name.begin(), name.end(), '.', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Models, TfliteGolden, ::testing::ValuesIn(kTfliteCases), CaseName);
INSTANTIATE_TEST_SUITE_P(RoundedExactly, TfliteGolden, ::testing::ValuesIn(kExactTfliteCases), CaseName);

// A wake word over 60 steps, with the state kept.
TEST(TfliteStreaming, MatchesTheRecordedSteps) {
  MICRORT_NEEDS_MODEL_DATA();
  ModelUnderTest model("models/tflite/mww_okay_nabu_v2.tflite", {});
  ASSERT_TRUE(model.ok());
  const io::NamedArray all = ReadNpy(ModelData("golden_cases/mww_okay_nabu_v2/sequence_in.npy"));
  const io::NamedArray expected = ReadNpy(ModelData("golden_cases/mww_okay_nabu_v2/sequence_out.npy"));
  const size_t steps = expected.elements(), bytes = all.data.size() / steps;
  constexpr double kSteps = 3;  // of 255
  for (size_t t = 0; t < steps; ++t) {
    const auto begin = all.data.begin() + static_cast<std::ptrdiff_t>(t * bytes);
    const auto outputs =
        model.Run({{"", all.dtype, {1, 3, 40}, {begin, begin + static_cast<std::ptrdiff_t>(bytes)}}});
    ASSERT_EQ(outputs.size(), 1u);
    EXPECT_NEAR(At(outputs[0], 0), At(expected, t), kSteps) << t;
  }
}

TEST(TfliteRefused, NamesTheOperatorOfAnotherFramework) {
  MICRORT_NEEDS_MODEL_DATA();
  const ProcessResult result =
      RunProgram("mnnconvert",
                 {ModelData("models/tflite/planestrike_tf_agents.tflite"), "-o", TemporaryFolder() / "x.fb"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_NE(result.err.find("FlexMultinomial"), std::string::npos);
}

}  // namespace
}  // namespace micrort::test
