#include "tests/devices/board.h"

#include <gtest/gtest.h>

#include "tests/programs/onnx_file.h"
#include "tests/programs/process.h"

namespace micrort::test::devices {

namespace {

std::vector<std::string> CommandFor(const Board& board, const std::string& program, const std::string& input,
                                    const std::string& outputs) {
  // One instruction a nanosecond of the board's time, which its timer counts.
  return {"qemu-system-arm",
          "-M",
          board.machine,
          "-nographic",
          "-monitor",
          "none",
          "-serial",
          "none",
          "-icount",
          "shift=0",
          "-semihosting-config",
          "enable=on,target=native,arg=program,arg=" + input + ",arg=" + outputs,
          "-kernel",
          program};
}

}  // namespace

std::string WhyNot(const Board& board) {
  return WhyNotIn(DeviceBuild(board.core), {"arm-none-eabi-g++", "qemu-system-arm", "cmake"});
}

BoardRun RunOn(const Board& board, const std::string& program, const std::string& input) {
  const TemporaryFolder folder;
  WriteFile(folder / "input", input);
  const ProcessResult result =
      RunCommand(CommandFor(board, program, folder / "input", folder / "outputs"), {.cpu_seconds = 120});
  EXPECT_EQ(result.exit_code, 0) << program << " on " << board.machine << ": " << result.out << result.err;
  BoardRun run;
  if (result.exit_code != 0) return run;
  run.outputs = ReadFile(folder / "outputs");
  // QEMU writes what the board prints to its standard error.
  run.text = result.out + result.err;
  run.figures = FiguresIn(run.text);
  if (run.figures.count("ticks") != 0) {
    run.figures["instructions"] = run.figures["ticks"] * 1'000'000'000 / board.clock_hz;
  }
  return run;
}

std::string RefusalOf(const Board& board, const std::string& program) {
  const ProcessResult result = RunCommand(CommandFor(board, program, "none", "none"), {.cpu_seconds = 60});
  return result.exit_code == 0 ? "" : result.out + result.err;
}

uint64_t FlashOf(const Board& board, const std::string& program) {
  const ProcessResult result = RunCommand(CommandFor(board, program, "none", "none"), {.cpu_seconds = 60});
  return FiguresIn(result.out + result.err)["flash"];
}

}  // namespace micrort::test::devices
