// Runs the model in flash on an input from a file of the host, and writes its outputs, one after another,
// into another: "PROGRAM INPUT OUTPUTS" is the command line. Prints what it took as lines "name value".

#include <micrort/memory_block.h>
#include <micrort/micrort.h>

#include "examples/cortex_m/clock.h"
#include "examples/cortex_m/semihosting.h"
#include "examples/cortex_m/sizes.h"
#include "examples/cortex_m/stack.h"
#include "examples/static_memory/load_model.h"
#include "model_ops.h"

extern "C" uint8_t model_memory[], model_memory_end[];  // from the linker script

namespace {

using semihosting::NextWord;
using semihosting::Print;
using semihosting::Write;

int Fail(const char* step, const micrort::Status& status) {
  Write(step);
  Write(": ");
  Write(micrort::StatusCodeName(status.code()));
  Write("\n");
  return 1;
}

bool ReadInput(const char* path, const micrort::Interpreter& interpreter) {
  const micrort::TensorView input = interpreter.input(0);
  return interpreter.input_count() == 1 && semihosting::ReadFile(path, input.data, input.bytes());
}

bool WriteOutputs(const char* path, const micrort::Interpreter& interpreter) {
  semihosting::OutputFile file(path);
  for (size_t i = 0; i < interpreter.output_count(); ++i) {
    const micrort::TensorView output = interpreter.output(i);
    if (!file.Write(output.data, output.bytes())) return false;
  }
  return true;
}

}  // namespace

int main() {
  static char line[512];  // the stack is for the model
  if (!semihosting::CommandLine(line, sizeof line)) return 1;
  char* rest = line;
  NextWord(&rest);
  const char* const input = NextWord(&rest);
  const char* const outputs = NextWord(&rest);

  Print("flash", BytesOf(flash_bytes) - ModelFileBytes());
  Print("model", ModelFileBytes());
  Print("data", BytesOf(data_bytes));
  micrort::MemoryBlock memory(model_memory, static_cast<size_t>(model_memory_end - model_memory));
  const auto model = LoadModel(&memory);
  if (!model.ok()) return Fail("loading the model", model.status());
  const micrort::OpResolver resolver = ModelOps();
  micrort::InterpreterOptions options;
  options.resolver = &resolver;
  auto interpreter = micrort::Interpreter::Create(model.value(), options);
  if (!interpreter.ok()) return Fail("creating the interpreter", interpreter.status());

  if (!ReadInput(input, *interpreter)) {
    Write("the model has several inputs, or the file cannot be read or has another size\n");
    return 1;
  }
  const Clock clock;
  if (micrort::Status status = interpreter->Run(); !status.ok()) return Fail("running", status);
  uint32_t ticks = 0;
  const bool fits = clock.Ticks(&ticks);
  if (!WriteOutputs(outputs, *interpreter)) {
    Write("the outputs cannot be written\n");
    return 1;
  }
  Print("arena", interpreter->arena_bytes());
  Print("packed", model.value().packed_bytes());
  Print("memory", memory.peak_bytes());
  Print("state", memory.used_bytes() - interpreter->arena_bytes());
  Print("stack", StackBytes());
  if (fits) Print("ticks", ticks);
  return 0;
}
