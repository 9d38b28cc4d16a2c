// Models on emulated microcontrollers: every byte of their outputs is that of this machine, and what they
// take.

#include <gtest/gtest.h>

#include <cinttypes>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <optional>

#include "tests/aot/networks.h"
#include "tests/devices/board.h"
#include "tests/devices/decoder_programs.h"
#include "tests/devices/host_run.h"
#include "tests/programs/onnx_file.h"
#include "tests/programs/process.h"

namespace micrort::test::devices {
namespace {

// arm-none-eabi-gcc 12.2, newlib-nano, the presets as they are, 2026-11-25.
constexpr uint64_t kMostStack = 3 * 1024;
constexpr uint64_t kMostFlash = 90 * 1024;  // beside the model
// Of a network that takes and gives floats, and rounds exactly.
constexpr uint64_t kMostFlashOfFloats = 99 * 1024;

// Without operators; the second one does not verify its model.
constexpr uint64_t kMostFlashOfCore = 46 * 1024, kMostFlashOfTrustedCore = 30 * 1024;

// Of programs compiled ahead of time: all variables beside the largest sum of activations alive at once, and
// flash without weights beside that of the interpreter's program.
constexpr uint64_t kMostBesideActivations = 1024;
constexpr uint64_t kMostEmittedStack = 2 * 1024;
constexpr uint64_t kMostEmittedStackOfFloats = 2304;  // softmax of floats
constexpr double kMostEmittedFlash = 0.6;
// Networks of many layers: parameters of a step take some 330 bytes of code and constants.
constexpr double kMostEmittedFlashOfMobilenets = 0.75;

struct DeviceModel {
  std::string name, source;
  std::vector<std::string> flags;
  uint64_t most_memory;  // all in: arena, interpreter, model
  uint64_t most_flash;
  uint64_t most_emitted_stack = kMostEmittedStack;
  double most_emitted_flash = kMostEmittedFlash;
  uint64_t activations = 0;  // the most that are alive at once; 0: not looked at
};

// A network with seeded weights, calibrated with a folder of pictures, whatever these show.
DeviceModel Mobilenet(const std::string& name, testing::OnnxBuilder (*make)(),
                      const TemporaryFolder& folder) {
  const std::string source = folder / (name + ".onnx");
  WriteFile(source, make().Bytes());
  return {name,
          source,
          {"--quant", "int8", "--calib", SourceFile("examples/meter_reader/calibration"), "--mean", "127",
           "--scale", "0.0078125"},
          228 * 1024,
          108 * 1024,
          kMostEmittedStackOfFloats,
          kMostEmittedFlashOfMobilenets};
}

std::vector<DeviceModel> Models(const Board& board, const TemporaryFolder& generated) {
  const std::string folder = SourceFile("examples/meter_reader");
  std::vector<DeviceModel> models = {{"meter_digits",
                                      folder + "/meter_digits.onnx",
                                      {"--quant", "int8", "--calib", folder + "/calibration", "--mean", "127",
                                       "--scale", "0.0078125", "--color", "gray"},
                                      17 * 1024,
                                      kMostFlashOfFloats,
                                      kMostEmittedStackOfFloats}};
  // Emulating portable kernels takes long.
  if (board.more_flash == 0) {
    models.push_back(Mobilenet("mobilenet_v1", aot::MobilenetV1, generated));
    models.push_back(Mobilenet("mobilenet_v2", aot::MobilenetV2, generated));
  }
  if (!HasModelData()) return models;
  // The networks of MLPerf Tiny.
  const std::tuple<const char*, uint64_t, uint64_t> networks[] = {
      {"resnet8", 52'224, 49'152}, {"kws", 20'480, 16'000}, {"vww", 57'344, 55'296}, {"ad", 2'560, 768}};
  for (const auto& [name, most_memory, activations] : networks) {
    models.push_back({name,
                      ModelData("models/tflite/" + std::string(name) + "_int8.tflite"),
                      {},
                      most_memory,
                      kMostFlash,
                      kMostEmittedStack,
                      kMostEmittedFlash,
                      activations});
  }
  return models;
}

double InstructionsOf(const HostRun& host, const std::map<std::string, uint64_t>& figures) {
  return static_cast<double>(figures.at("instructions")) / static_cast<double>(host.multiply_adds);
}

void Print(const Board& board, const std::string& name, const HostRun& host,
           std::map<std::string, uint64_t> figures) {
  std::printf(
      "%s %s: flash %" PRIu64 " beside the model's %" PRIu64 ", memory %" PRIu64 " (arena %" PRIu64
      ", packed weights %" PRIu64 "), data %" PRIu64 ", stack %" PRIu64 " bytes; %.2f instructions a MAC\n",
      board.core, name.c_str(), figures["flash"], figures["model"], figures["memory"], figures["arena"],
      figures["packed"], figures["data"], figures["stack"], InstructionsOf(host, figures));
}

// The program compiled ahead of time, beside the interpreter's.
void CheckEmitted(const Board& board, const DeviceModel& model, const HostRun& host, const BoardRun& run,
                  const BoardRun& interpreter) {
  EXPECT_TRUE(run.outputs == host.outputs) << "ahead of time: other outputs than on this machine";
  const uint64_t flash = run.figures.at("flash"), memory = run.figures.at("memory"),
                 stack = run.figures.at("stack");
  const double part = static_cast<double>(flash) / static_cast<double>(interpreter.figures.at("flash"));
  std::printf("%s %s ahead of time: flash %" PRIu64 " beside the weights' %" PRIu64
              ", %.2f of the interpreter's; memory %" PRIu64 " (arena %" PRIu64 "), stack %" PRIu64
              " bytes; %.2f instructions a MAC\n",
              board.core, model.name.c_str(), flash, run.figures.at("model"), part, memory,
              run.figures.at("arena"), stack, InstructionsOf(host, run.figures));
  if (model.activations != 0) {
    EXPECT_LE(memory, model.activations + kMostBesideActivations);
  }
  EXPECT_LE(part, model.most_emitted_flash + board.more_emitted_flash);
  EXPECT_LE(stack, model.most_emitted_stack + board.more_stack);
}

void CheckSizes(const Board& board, const DevicePrograms& programs) {
  const std::pair<const char*, uint64_t> limits[] = {
      {"operators", kMostFlash}, {"core", kMostFlashOfCore}, {"trusted_core", kMostFlashOfTrustedCore}};
  for (const auto& [name, limit] : limits) {
    const uint64_t bytes = FlashOf(board, programs.ProgramOf(name));
    std::printf("%s %s: flash %" PRIu64 "\n", board.core, name, bytes);
    EXPECT_GT(bytes, 0u) << name << " told nothing";
    EXPECT_LE(bytes, limit + board.more_flash) << name;
  }
}

class Boards : public ::testing::TestWithParam<Board> {};

TEST_P(Boards, ComputeWhatThisMachineComputes) {
  const Board& board = GetParam();
  if (const std::string why = WhyNot(board); !why.empty()) GTEST_SKIP() << "skipped: " << why;
  const TemporaryFolder generated;
  const std::vector<DeviceModel> models = Models(board, generated);
  DevicePrograms programs(DeviceBuild(board.core), board.core);
  for (const DeviceModel& model : models) {
    programs.Add(model.name, model.source, model.flags);
    programs.AddEmitted(model.name, model.source, model.flags);
  }
  programs.AddSizes(models[0].source, models[0].flags);
  // Once, for all cores compute the same.
  std::optional<DecoderPrograms> decoders;
  if (std::string(board.core) == "cortex-m7") decoders.emplace(&programs);
  programs.Build();
  ASSERT_FALSE(HasFatalFailure());
  CheckSizes(board, programs);
  if (decoders) decoders->Check(board);
  for (const DeviceModel& model : models) {
    SCOPED_TRACE(model.name);
    const TemporaryFolder folder;
    std::vector<std::string> arguments = {model.source, "-o", folder / "portable.fb", "--quiet"};
    arguments.insert(arguments.end(), model.flags.begin(), model.flags.end());
    ASSERT_EQ(RunProgram("mnnconvert", arguments).exit_code, 0);
    HostRun host;
    ASSERT_NO_FATAL_FAILURE(RunOnHost(folder / "portable.fb", &host));
    const BoardRun run = RunOn(board, programs.ProgramOf(model.name), host.input);
    EXPECT_TRUE(run.outputs == host.outputs) << "other outputs than on this machine";
    const auto told = nlohmann::json::parse(programs.summary(model.name));
    EXPECT_EQ(told["ram_bytes"], run.figures.at("memory")) << "mnnconvert tells another memory";
    EXPECT_EQ(told["arena_bytes"], run.figures.at("arena"));
    Print(board, model.name, host, run.figures);
    EXPECT_LE(run.figures.at("memory"), model.most_memory);
    EXPECT_LE(run.figures.at("flash"), model.most_flash + board.more_flash);
    EXPECT_LE(run.figures.at("stack"), kMostStack + board.more_stack);
    CheckEmitted(board, model, host, RunOn(board, programs.ProgramOf(model.name + "_cpp"), host.input), run);
    if (model.name == "resnet8") {
      EXPECT_LE(InstructionsOf(host, run.figures), board.most_instructions);
    }
  }
}

std::string BoardName(const ::testing::TestParamInfo<Board>& info) {
  std::string name = info.param.core;
  name.erase(name.find('-'), 1);
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, Boards, ::testing::ValuesIn(kBoards), BoardName);

}  // namespace
}  // namespace micrort::test::devices
