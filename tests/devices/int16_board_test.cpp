// Networks of int16 activations on emulated microcontrollers whose library has their kernels: no layer of
// floats, the bits of this machine, and what they take beside int8.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cinttypes>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <random>

#include "tests/aot/networks.h"
#include "tests/devices/board.h"
#include "tests/devices/host_run.h"
#include "tests/programs/onnx_file.h"
#include "tests/programs/process.h"
#include "tools/io/npy.h"

namespace micrort::test::devices {
namespace {

// Beside the largest sum of tensors that are alive at once: all that the interpreter keeps.
constexpr uint64_t kMostBesideTensors = 2 * 1024;
constexpr uint64_t kMostInt16Flash = 96 * 1024, kMostInt16Stack = 3 * 1024;

struct Int16Board {
  Board board;
  double most_instructions;  // as a multiple of what int8 takes
};

const Int16Board kInt16Boards[] = {{{"cortex-m4", "mps2-an386", 25'000'000, 0}, 1.6},
                                   {{"cortex-m7", "mps2-an500", 25'000'000, 0}, 1.6},
                                   {{"cortex-m33", "mps2-an505", 20'000'000, 0}, 1.6},
                                   {{"cortex-m55", "mps3-an547", 32'000'000, 0}, 1.6}};

struct Int16Network {
  std::string name, source, of_int8;  // the same network for int8, or another one as large
  std::vector<std::string> flags, int8_flags;
};

// Made of ONNX, calibrated with noise; inputs and outputs are the integers.
Int16Network FromOnnx(const std::string& name, const testing::OnnxBuilder& network,
                      const std::vector<int64_t>& input, const TemporaryFolder& folder) {
  const std::string source = folder / (name + ".onnx"), samples = folder / (name + ".npy");
  WriteFile(source, network.Bytes());
  size_t count = 1;
  for (const int64_t dim : input) count *= static_cast<size_t>(dim);
  std::mt19937 random(1);
  std::vector<float> noise(count);
  for (float& x : noise) x = static_cast<float>(random() % 4096) / 2048.0f - 1.0f;
  const std::vector<uint8_t> npy = io::FormatNpy(DType::kFloat32, input, noise.data());
  WriteFile(samples, std::string(npy.begin(), npy.end()));
  const auto flags = [&](const std::string& quant, const std::string& io_type) {
    return std::vector<std::string>{"--quant", quant, "--calib", samples, "--io-type", io_type};
  };
  return {name, source, source, flags("int16x8", "int16"), flags("int8", "int8")};
}

std::vector<Int16Network> Int16Networks(const TemporaryFolder& folder) {
  std::vector<Int16Network> networks = {
      FromOnnx("keywords", aot::Keywords(), {1, 1, 49, 10}, folder),
      FromOnnx("denoiser", aot::Denoiser(), {1, 1, 16, 64}, folder),
  };
  if (HasModelData()) {
    networks.push_back({"ds_cnn",
                        ModelData("models/tflite/ds_cnn_small_int16.tflite"),
                        ModelData("models/tflite/kws_int8.tflite"),
                        {},
                        {}});
  }
  return networks;
}

void RunPortable(const Int16Network& network, HostRun* host) {
  const TemporaryFolder folder;
  std::vector<std::string> arguments = {network.source, "-o", folder / "portable.fb", "--quiet"};
  arguments.insert(arguments.end(), network.flags.begin(), network.flags.end());
  ASSERT_EQ(RunProgram("mnnconvert", arguments).exit_code, 0);
  ASSERT_NO_FATAL_FAILURE(RunOnHost(folder / "portable.fb", host));
}

class OnInt16Board : public ::testing::TestWithParam<Int16Board> {
 protected:
  const Board& board() const { return GetParam().board; }

  void CheckRun(const BoardRun& run, const HostRun& host, uint64_t lower_bound, const char* what) {
    ASSERT_FALSE(run.figures.empty()) << what;
    EXPECT_TRUE(run.outputs == host.outputs) << what << ": other outputs than on this machine";
    const auto figure = [&](const char* name) { return run.figures.at(name); };
    std::printf("%s %s: flash %" PRIu64 ", memory %" PRIu64 " (tensors %" PRIu64 "), stack %" PRIu64
                " bytes, %.2f instructions a MAC\n",
                board().core, what, figure("flash"), figure("memory"), lower_bound, figure("stack"),
                static_cast<double>(figure("instructions")) / static_cast<double>(host.multiply_adds));
    EXPECT_LE(figure("memory"), lower_bound + kMostBesideTensors) << what;
    EXPECT_LE(figure("flash"), kMostInt16Flash) << what;
    EXPECT_LE(figure("stack"), kMostInt16Stack) << what;
  }
};

TEST_P(OnInt16Board, ComputesWhatThisMachineComputes) {
  const std::string preset = std::string(board().core) + "-int16";
  const std::string why = WhyNotIn(DeviceBuild(preset), {"arm-none-eabi-g++", "qemu-system-arm", "cmake"});
  if (!why.empty()) GTEST_SKIP() << "skipped: " << why;
  const TemporaryFolder generated;
  const std::vector<Int16Network> networks = Int16Networks(generated);
  DevicePrograms programs(DeviceBuild(preset), board().core);
  for (const Int16Network& network : networks) {
    programs.Add(network.name, network.source, network.flags);
    programs.AddEmitted(network.name, network.source, network.flags);
    programs.Add(network.name + "_int8", network.of_int8, network.int8_flags);
  }
  programs.Build();
  ASSERT_FALSE(HasFatalFailure());
  for (const Int16Network& network : networks) {
    SCOPED_TRACE(network.name);
    HostRun host, int8_host;
    ASSERT_NO_FATAL_FAILURE(RunPortable(network, &host));
    ASSERT_NO_FATAL_FAILURE(
        RunPortable({network.name, network.of_int8, "", network.int8_flags, {}}, &int8_host));
    const auto told = nlohmann::json::parse(programs.summary(network.name));
    const uint64_t lower_bound = told["arena_lower_bound"];
    EXPECT_EQ(told["float_layers"].size(), 0u) << told["float_layers"];
    const BoardRun run = RunOn(board(), programs.ProgramOf(network.name), host.input);
    CheckRun(run, host, lower_bound, (network.name + " by the interpreter").c_str());
    EXPECT_EQ(told["ram_bytes"], run.figures.at("memory")) << "mnnconvert tells another memory";
    CheckRun(RunOn(board(), programs.ProgramOf(network.name + "_cpp"), host.input), host, lower_bound,
             (network.name + " ahead of time").c_str());
    const BoardRun narrow = RunOn(board(), programs.ProgramOf(network.name + "_int8"), int8_host.input);
    const auto a_mac = [](const BoardRun& of, const HostRun& on_host) {
      return static_cast<double>(of.figures.at("instructions")) / static_cast<double>(on_host.multiply_adds);
    };
    const double ratio = a_mac(run, host) / a_mac(narrow, int8_host);
    std::printf("%s %s: %.2f times the instructions a MAC of int8\n", board().core, network.name.c_str(),
                ratio);
    EXPECT_LE(ratio, GetParam().most_instructions);
  }
}

// A library without their kernels, that of the preset itself.
TEST(Int16Board, LibrariesWithoutInt16RefuseIt) {
  const Board board = {"cortex-m7", "mps2-an500", 25'000'000, 0};
  if (const std::string why = WhyNot(board); !why.empty()) GTEST_SKIP() << "skipped: " << why;
  const TemporaryFolder folder;
  const Int16Network network = FromOnnx("keywords", aot::Keywords(), {1, 1, 49, 10}, folder);
  DevicePrograms programs(DeviceBuild(board.core), board.core);
  programs.Add(network.name, network.source, network.flags);
  programs.Build();
  ASSERT_FALSE(HasFatalFailure());
  EXPECT_THAT(RefusalOf(board, programs.ProgramOf(network.name)),
              ::testing::HasSubstr("creating the interpreter: not supported"));
  EXPECT_THAT(std::string(nlohmann::json::parse(programs.summary(network.name))["device_refusal"]),
              ::testing::HasSubstr("MICRORT_INT16=ON"));
}

std::string Int16BoardName(const ::testing::TestParamInfo<Int16Board>& info) {
  std::string name = info.param.board.core;
  name.erase(name.find('-'), 1);
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, OnInt16Board, ::testing::ValuesIn(kInt16Boards), Int16BoardName);

}  // namespace
}  // namespace micrort::test::devices
