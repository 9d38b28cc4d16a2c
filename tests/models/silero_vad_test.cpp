// Voice activity in a whole recording, window by window, against ONNX Runtime (see record_vad.js).

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <fstream>

#include "tests/models/model_under_test.h"
#include "tools/io/file.h"

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

// The largest difference of a window's probability from the recorded one.
double LargestDeviation(const std::vector<std::string>& flags) {
  ModelUnderTest model(kNetwork, flags, WindowShapes());
  if (!model.ok()) return INFINITY;
  Interpreter& interpreter = model.interpreter();
  const std::vector<float> samples = PaddedSamples(), recorded = RecordedProbabilities();
  EXPECT_EQ(recorded.size(), (samples.size() - kContext) / kWindow);
  std::vector<float> state(kState);
  const int64_t rate = 16000;
  double largest = 0;
  for (size_t i = 0; i < recorded.size(); ++i) {
    std::memcpy(Named(interpreter, "input").data, samples.data() + i * kWindow,
                (kContext + kWindow) * sizeof(float));
    std::memcpy(Named(interpreter, "state").data, state.data(), kState * sizeof(float));
    std::memcpy(Named(interpreter, "sr").data, &rate, sizeof rate);
    const Status status = interpreter.Run();
    EXPECT_TRUE(status.ok()) << status.message();
    if (!status.ok()) return INFINITY;
    const float probability = *static_cast<const float*>(Named(interpreter, "output").data);
    std::memcpy(state.data(), Named(interpreter, "stateN").data, kState * sizeof(float));
    const double deviation = std::fabs(static_cast<double>(probability) - static_cast<double>(recorded[i]));
    if (!(deviation <= largest)) largest = std::isnan(deviation) ? INFINITY : deviation;
  }
  return largest;
}

TEST(SileroVad, FollowsOnnxRuntimeAtEveryStep) {
  MICRORT_NEEDS_MODEL_DATA();
  EXPECT_LE(LargestDeviation({}), 1e-4);
}

TEST(SileroVad, QuantizedWeightsStayNear) {
  MICRORT_NEEDS_MODEL_DATA();
  // Of a probability, over all windows; 0.097 and 0.208 when last measured.
  EXPECT_LE(LargestDeviation({"--quant", "int8-weights"}), 0.12);
  EXPECT_LE(LargestDeviation({"--quant", "int8"}), 0.25);
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
