#pragma once
// Microcontrollers under qemu-system-arm, running programs of examples/cortex_m.

#include "tests/devices/device_programs.h"

namespace micrort::test::devices {

struct Board {
  const char* core;     // of the preset and of --target: "cortex-m7"
  const char* machine;  // of QEMU, and of the linker script
  uint64_t clock_hz;    // of its timer
  // That resnet8 takes for a multiply-add, all in. CMSIS-NN on a Cortex-M7: 2.20.
  double most_instructions;
  // Than cores with the DSP extension and a floating point unit may take.
  uint64_t more_flash = 0, more_stack = 0;
  double more_emitted_flash = 0;  // as a part of the interpreter's
};

// Every Cortex-M has the instructions of an M0+.
inline constexpr Board kBoards[] = {{"cortex-m0plus", "mps2-an385", 25'000'000, 12.5, 18 * 1024, 1024, 0.05},
                                    {"cortex-m3", "mps2-an385", 25'000'000, 7, 8 * 1024, 1024},
                                    {"cortex-m4", "mps2-an386", 25'000'000, 1.8},
                                    {"cortex-m7", "mps2-an500", 25'000'000, 1.8},
                                    {"cortex-m33", "mps2-an505", 20'000'000, 1.8},
                                    {"cortex-m55", "mps3-an547", 32'000'000, 0.9}};

// Why nothing can run on the board here; empty: it can.
std::string WhyNot(const Board& board);

struct BoardRun {
  std::string outputs;
  std::string text;                         // on the console
  std::map<std::string, uint64_t> figures;  // what the program printed, and "instructions"
};
BoardRun RunOn(const Board& board, const std::string& program, const std::string& input);

// What a program prints that does not come to run its model; empty: it comes to it.
std::string RefusalOf(const Board& board, const std::string& program);

// The flash that a program which can do nothing else tells.
uint64_t FlashOf(const Board& board, const std::string& program);

}  // namespace micrort::test::devices
