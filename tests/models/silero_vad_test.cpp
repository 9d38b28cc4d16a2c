// Voice activity in a whole recording, window by window, against ONNX Runtime (see record_vad.js).

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <fstream>

#include "tests/models/model_under_test.h"
#include "tools/io/file.h"
#include "tools/io/npy.h"

namespace micrort::test {
namespace {

constexpr size_t kWindow = 512, kContext = 64, kState = 2 * 128;
const char* const kNetwork = "models/onnx/silero_vad_16k_op15.onnx";

// Of input, state and sr: one window with its context.
std::vector<Shape> WindowShapes() {
  return {Shape::Of(1, kContext + kWindow), Shape::Of(2, 1, 128), Shape()};
}

std::vector<float> RecordedProbabilities() {
  std::ifstream file(SourceFile("tests/models/data/silero_vad_speech_16k.txt"));
  std::vector<float> numbers;
  for (float v = 0; file >> v;) numbers.push_back(v);
  return numbers;
}

// 16-bit mono samples of a WAV file with a header of 44 bytes, after `kContext` zeros.
std::vector<float> PaddedSamples() {
  std::vector<uint8_t> bytes;
  const Status status = io::ReadFile(ModelData("audio/speech_16k.wav"), &bytes);
  EXPECT_TRUE(status.ok()) << status.message();
  std::vector<float> samples(kContext);
  for (size_t at = 44; at + 2 <= bytes.size(); at += 2) {
    int16_t sample = 0;
    std::memcpy(&sample, bytes.data() + at, sizeof sample);
    samples.push_back(static_cast<float>(sample) / 32768);
  }
  return samples;
}

TensorView Named(Interpreter& interpreter, const std::string& name) {
  for (size_t i = 0; i < interpreter.input_count(); ++i) {
    if (interpreter.input(i).name == name) return interpreter.input(i);
  }
  for (size_t i = 0; i < interpreter.output_count(); ++i) {
    if (interpreter.output(i).name == name) return interpreter.output(i);
  }
  ADD_FAILURE() << "no tensor " << name;
  return {};
}

// Runs the network over all windows, each with the state that the one before left. `visit(i, input, state,
// probability)` sees what went into window i and what came out.
template <typename Visit>
void RunOverRecording(const std::vector<std::string>& flags, const Visit& visit) {
  ModelUnderTest model(kNetwork, flags, WindowShapes());
  ASSERT_TRUE(model.ok());
  Interpreter& interpreter = model.interpreter();
  const std::vector<float> samples = PaddedSamples();
  std::vector<float> state(kState);
  const int64_t rate = 16000;
  for (size_t i = 0; i < (samples.size() - kContext) / kWindow; ++i) {
    const float* input = samples.data() + i * kWindow;
    std::memcpy(Named(interpreter, "input").data, input, (kContext + kWindow) * sizeof(float));
    std::memcpy(Named(interpreter, "state").data, state.data(), kState * sizeof(float));
    std::memcpy(Named(interpreter, "sr").data, &rate, sizeof rate);
    const Status status = interpreter.Run();
    ASSERT_TRUE(status.ok()) << status.message();
    visit(i, input, state.data(), *static_cast<const float*>(Named(interpreter, "output").data));
    std::memcpy(state.data(), Named(interpreter, "stateN").data, kState * sizeof(float));
  }
}

// The largest difference of a window's probability from the recorded one.
double LargestDeviation(const std::vector<std::string>& flags) {
  const std::vector<float> recorded = RecordedProbabilities();
  double largest = 0;
  size_t windows = 0;
  RunOverRecording(flags, [&](size_t i, const float*, const float*, float probability) {
    ++windows;
    if (i >= recorded.size()) return;
    const double deviation = std::fabs(static_cast<double>(probability) - static_cast<double>(recorded[i]));
    if (!(deviation <= largest)) largest = std::isnan(deviation) ? INFINITY : deviation;
  });
  EXPECT_EQ(windows, recorded.size());
  return largest;
}

// Every 50th window with its state, for --calib.
std::vector<std::string> CalibrationFlags(const TemporaryFolder& folder) {
  std::vector<float> inputs, states;
  RunOverRecording({}, [&](size_t i, const float* input, const float* state, float) {
    if (i % 50 != 0) return;
    inputs.insert(inputs.end(), input, input + kContext + kWindow);
    states.insert(states.end(), state, state + kState);
  });
  const auto count = static_cast<int64_t>(states.size() / kState);
  const int64_t rate = 16000;
  const auto write = [&](const char* name, DType dtype, const std::vector<int64_t>& shape, const void* data) {
    const std::string path = folder / (std::string(name) + ".npy");
    const std::vector<uint8_t> bytes = io::FormatNpy(dtype, shape, data);
    EXPECT_TRUE(io::WriteFileAtomically(path, Span<const uint8_t>(bytes.data(), bytes.size())).ok());
    return std::string(name) + "=" + path;
  };
  std::vector<std::string> flags = {"--quant", "int8", "--calib"};
  flags.push_back(write("input", DType::kFloat32, {count, kContext + kWindow}, inputs.data()));
  flags.push_back(write("state", DType::kFloat32, {count * 2, 1, 128}, states.data()));
  flags.push_back(write("sr", DType::kInt64, {}, &rate));
  return flags;
}

TEST(SileroVad, FollowsOnnxRuntimeAtEveryStep) {
  MICRORT_NEEDS_MODEL_DATA();
  EXPECT_LE(LargestDeviation({}), 1e-4);
}

// Of a probability, over all windows.
constexpr double kNear = 0.05;

TEST(SileroVad, QuantizedWeightsStayNear) {
  MICRORT_NEEDS_MODEL_DATA();
  EXPECT_LE(LargestDeviation({"--quant", "int8-weights"}), kNear);
}

TEST(SileroVad, DynamicInt8StaysNear) {
  MICRORT_NEEDS_MODEL_DATA();
  EXPECT_LE(LargestDeviation({"--quant", "int8"}), kNear);
}

TEST(SileroVad, StaticInt8StaysNear) {
  MICRORT_NEEDS_MODEL_DATA();
  const TemporaryFolder folder;
  EXPECT_LE(LargestDeviation(CalibrationFlags(folder)), kNear);
}

// The same file takes windows of another length.
TEST(SileroVad, TakesWindowsOfOtherLengths) {
  MICRORT_NEEDS_MODEL_DATA();
  ModelUnderTest model(kNetwork, {}, WindowShapes());
  ASSERT_TRUE(model.ok());
  const Shape shorter[] = {Shape::Of(1, kContext + 448), Shape::Of(2, 1, 128), Shape()};
  const Status status = model.interpreter().Resize(shorter);
  EXPECT_TRUE(status.ok()) << status.message();
}

// The same probabilities where the interpreter keeps the state as where the caller hands it on.
void ExpectToKeepItsState(const std::vector<std::string>& flags) {
  std::vector<std::string> keeping = {"--input-shape", "state=2x1x128", "--state", "stateN=state"};
  keeping.insert(keeping.end(), flags.begin(), flags.end());
  const std::vector<Shape> shapes = WindowShapes();
  ModelUnderTest model(kNetwork, keeping, {shapes[0], shapes[2]});
  ASSERT_TRUE(model.ok());
  Interpreter& interpreter = model.interpreter();
  ASSERT_EQ(interpreter.input_count(), 2u);
  ASSERT_EQ(interpreter.output_count(), 1u);
  RunOverRecording(flags, [&](size_t i, const float* input, const float*, float probability) {
    const int64_t rate = 16000;
    std::memcpy(Named(interpreter, "input").data, input, (kContext + kWindow) * sizeof(float));
    std::memcpy(Named(interpreter, "sr").data, &rate, sizeof rate);
    ASSERT_TRUE(interpreter.Run().ok());
    EXPECT_EQ(*static_cast<const float*>(interpreter.output(0).data), probability) << "window " << i;
  });
}

TEST(SileroVad, KeepsItsState) {
  MICRORT_NEEDS_MODEL_DATA();
  ExpectToKeepItsState({});
}

TEST(SileroVad, KeepsItsStateInDynamicInt8) {
  MICRORT_NEEDS_MODEL_DATA();
  ExpectToKeepItsState({"--quant", "int8"});
}

TEST(SileroVad, RecordedStates) {
  MICRORT_NEEDS_MODEL_DATA();
  ModelUnderTest model(kNetwork, {}, WindowShapes());
  ASSERT_TRUE(model.ok());
  for (const char* name : {"speech", "later"}) {
    const std::string folder = ModelData(std::string("golden/silero_vad_16k_op15/") + name);
    std::vector<io::NamedArray> inputs;
    for (const char* input : {"input", "state", "sr"}) {
      inputs.push_back(ReadNpy(folder + "/in/" + input + ".npy"));
      inputs.back().name = input;
    }
    const auto outputs = model.Run(inputs);
    ASSERT_EQ(outputs.size(), 2u);
    for (const io::NamedArray& output : outputs) {
      const io::NamedArray expected = ReadNpy(folder + "/out/" + output.name + ".npy");
      EXPECT_LE(LargestDifference(expected, output), 1e-4) << name << " " << output.name;
    }
  }
}

}  // namespace
}  // namespace micrort::test
