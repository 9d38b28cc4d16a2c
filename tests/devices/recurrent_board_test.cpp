// A recurrent network of int16 activations on emulated microcontrollers: a denoiser whose LSTM (16x8) is a
// loop over frames and keeps its states from run to run. The interpreter of the presets has neither loops nor
// states; code compiled ahead of time has both.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cinttypes>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "tests/converter/tflite_builder.h"
#include "tests/devices/board.h"
#include "tests/devices/host_run.h"
#include "tests/programs/onnx_file.h"
#include "tests/programs/process.h"
#include "tests/support/random.h"

namespace micrort::test::devices {
namespace {

using testing::Quantized;
using testing::TfliteBuilder;
namespace fb = testing::fb;
using Type = fb::TensorType;

constexpr int32_t kFrames = 16, kBands = 24, kHidden = 32;
constexpr float kBandScale = 1.0f / 8192, kTableScale = 1.0f / 32768, kWeightScale = 0.004f;
constexpr uint64_t kMostBesideRecurrentTensors = 2 * 1024, kMostRecurrentStack = 3 * 1024;

Quantized RecurrentScale(float scale) { return {{scale}, {0}}; }

class RecurrentDenoiser {
 public:
  RecurrentDenoiser() {
    const Quantized table = RecurrentScale(kTableScale), bands = RecurrentScale(kBandScale);
    const int x = b_.Input("x", {1, kFrames, kBands}, Type::Int16, bands);
    const int hidden = b_.Tensor("hidden", {1, kFrames, kHidden}, Type::Int16, table);
    AddLstm(x, hidden);
    const int sums = b_.Tensor("sums", {1, kFrames, kBands}, Type::Int16, RecurrentScale(1.0f / 4096)),
              mask = b_.Tensor("mask", {1, kFrames, kBands}, Type::Int16, table),
              y = b_.Tensor("y", {1, kFrames, kBands}, Type::Int16, bands);
    fb::FullyConnectedOptionsT dense;
    dense.keep_num_dims = true;
    b_.Op("FULLY_CONNECTED",
          {hidden, Weights("dense", kBands, kHidden), Bias("dense_bias", kBands, kTableScale)}, {sums},
          dense);
    b_.Op("LOGISTIC", {sums}, {mask});
    b_.Op("MUL", {x, mask}, {y}, fb::MulOptionsT());
    b_.Output(y);
  }

  std::string Bytes() const { return b_.Bytes(); }

 private:
  void AddLstm(int x, int hidden) {
    std::vector<int32_t> inputs(24, -1);
    inputs[0] = x;
    for (size_t gate = 0; gate < 4; ++gate) {
      const std::string name = std::to_string(gate);
      inputs[1 + gate] = Weights("w" + name, kHidden, kBands);
      inputs[5 + gate] = Weights("r" + name, kHidden, kHidden);
      inputs[12 + gate] = Bias("b" + name, kHidden, kBandScale);
    }
    inputs[18] = State("h", kTableScale);
    inputs[19] = State("c", 1.0f / 8192);
    fb::UnidirectionalSequenceLSTMOptionsT options;
    options.fused_activation_function = fb::ActivationFunctionType::Tanh;
    b_.Op("UNIDIRECTIONAL_SEQUENCE_LSTM", inputs, {hidden}, options);
  }

  int State(const std::string& name, float scale) {
    const int index = b_.Tensor(name, {1, kHidden}, Type::Int16, RecurrentScale(scale));
    b_.tensor(index).is_variable = true;
    return index;
  }
  int Weights(const std::string& name, int32_t rows, int32_t columns) {
    std::vector<int8_t> elements(static_cast<size_t>(rows * columns));
    random_.Fill(elements, INT8_MIN + 1, INT8_MAX);
    return b_.Constant<int8_t>(name, {rows, columns}, Type::Int8, elements, RecurrentScale(kWeightScale));
  }
  int Bias(const std::string& name, int32_t n, float of_input) {
    std::vector<int64_t> elements(static_cast<size_t>(n));
    for (int64_t& element : elements) element = random_.Integer(-100000, 100000);
    return b_.Constant<int64_t>(name, {n}, Type::Int64, elements, RecurrentScale(of_input * kWeightScale));
  }

  TfliteBuilder b_;
  testing::Random random_{1};
};

class RecurrentBoards : public ::testing::TestWithParam<Board> {};

TEST_P(RecurrentBoards, ComputeWhatThisMachineComputes) {
  const Board& board = GetParam();
  const std::string preset = std::string(board.core) + "-int16";
  const std::string why = WhyNotIn(DeviceBuild(preset), {"arm-none-eabi-g++", "qemu-system-arm", "cmake"});
  if (!why.empty()) GTEST_SKIP() << "skipped: " << why;
  const TemporaryFolder folder;
  const std::string source = folder / "recurrent.tflite";
  WriteFile(source, RecurrentDenoiser().Bytes());
  DevicePrograms programs(DeviceBuild(preset), board.core);
  programs.AddEmitted("recurrent", source, {});
  programs.Build();
  ASSERT_FALSE(HasFatalFailure());
  ASSERT_EQ(RunProgram("mnnconvert", {source, "-o", folder / "portable.fb", "--quiet"}).exit_code, 0);
  HostRun host;
  ASSERT_NO_FATAL_FAILURE(RunOnHost(folder / "portable.fb", &host));
  const BoardRun run = RunOn(board, programs.ProgramOf("recurrent_cpp"), host.input);
  ASSERT_FALSE(run.figures.empty());
  EXPECT_TRUE(run.outputs == host.outputs) << "other outputs than on this machine";

  const ProcessResult converted =
      RunProgram("mnnconvert", {source, "-o", folder / "board.fb", "--target", board.core, "--json", "-"});
  ASSERT_EQ(converted.exit_code, 0) << converted.err;
  const auto told = nlohmann::json::parse(converted.out);
  EXPECT_THAT(std::string(told["device_refusal"]), ::testing::HasSubstr("--emit cpp"));
  const uint64_t lower_bound = told["arena_lower_bound"], memory = run.figures.at("memory");
  std::printf("%s recurrent ahead of time: flash %" PRIu64 ", memory %" PRIu64 " (tensors %" PRIu64
              "), stack %" PRIu64 " bytes, %" PRIu64 " instructions\n",
              board.core, run.figures.at("flash"), memory, lower_bound, run.figures.at("stack"),
              run.figures.at("instructions"));
  EXPECT_LE(memory, lower_bound + kMostBesideRecurrentTensors);
  EXPECT_LE(run.figures.at("stack"), kMostRecurrentStack);
}

std::string RecurrentBoardName(const ::testing::TestParamInfo<Board>& info) {
  std::string name = info.param.core;
  name.erase(name.find('-'), 1);
  return name;
}

// Those with the DSP extension.
INSTANTIATE_TEST_SUITE_P(All, RecurrentBoards,
                         ::testing::ValuesIn(std::begin(kBoards) + 2, std::end(kBoards)), RecurrentBoardName);

}  // namespace
}  // namespace micrort::test::devices
