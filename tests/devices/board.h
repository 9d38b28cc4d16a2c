#pragma once
// Microcontrollers under qemu-system-arm, running programs of examples/cortex_m.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace micrort::test::devices {

struct Board {
  const char* core;     // of the preset and of --target: "cortex-m7"
  const char* machine;  // of QEMU, and of the linker script
  uint64_t clock_hz;    // of its timer
  // That resnet8 takes for a multiply-add, all in. CMSIS-NN on a Cortex-M7: 2.20.
  double most_instructions;
};

inline constexpr Board kBoards[] = {{"cortex-m4", "mps2-an386", 25'000'000, 1.8},
                                    {"cortex-m7", "mps2-an500", 25'000'000, 1.8},
                                    {"cortex-m33", "mps2-an505", 20'000'000, 1.8},
                                    {"cortex-m55", "mps3-an547", 32'000'000, 0.9}};

// Why nothing can run on the board here; empty: it can.
std::string WhyNot(const Board& board);

// Programs for models, in the board's build folder.
class DevicePrograms {
 public:
  explicit DevicePrograms(const Board& board);
  // Converts a model for the board's core: a program `name`, with the interpreter, and one ahead of time,
  // `name`_cpp.
  void Add(const std::string& name, const std::string& source, const std::vector<std::string>& flags = {});
  // The programs of all models added.
  void Build() const;

  struct RunResult {
    std::string outputs;
    std::map<std::string, uint64_t> figures;  // what the program printed, and "instructions"
  };
  RunResult Run(const std::string& name, const std::string& input) const;
  // What mnnconvert told of a model, as JSON.
  const std::string& summary(const std::string& name) const { return summaries_.at(name); }

  // Programs that only tell what they take in flash, with a model of whose operators they have some or none:
  // "operators" (Conv2D, DepthwiseConv2D, MatMul, Pool2D, Softmax, Reshape and Add of int8), "core" (none)
  // and "trusted_core" (none, and no verifier).
  void AddSizes(const std::string& source, const std::vector<std::string>& flags);
  uint64_t FlashOf(const std::string& name) const;

 private:
  void Convert(const std::string& source, std::vector<std::string> arguments,
               const std::vector<std::string>& flags, std::string* told) const;
  std::vector<std::string> CommandFor(const std::string& name, const std::string& input,
                                      const std::string& outputs) const;

  const Board& board_;
  const std::string build_, models_;
  std::map<std::string, std::string> summaries_;
};

}  // namespace micrort::test::devices
