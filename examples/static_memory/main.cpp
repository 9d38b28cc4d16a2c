// Runs the model that is a part of the program in memory that is a part of it, too, on an input from a file,
// and writes its outputs, one after another, into another: "PROGRAM INPUT OUTPUTS". Prints what it took as
// lines "name value".

#include <micrort/memory_block.h>
#include <micrort/micrort.h>

#include <cstdio>

#include "examples/static_memory/load_model.h"
#include "model_ops.h"

namespace {

alignas(64) uint8_t memory[MODEL_MEMORY];  // in bytes, from the build

int Fail(const char* step, const micrort::Status& status) {
  std::fputs(step, stderr);
  std::fputs(": ", stderr);
  std::fputs(micrort::StatusCodeName(status.code()), stderr);
  std::fputs("\n", stderr);
  return 1;
}

bool ReadInput(const char* path, const micrort::TensorView& input) {
  std::FILE* const file = std::fopen(path, "rb");
  if (file == nullptr) return false;
  const bool is_read =
      std::fread(input.data, 1, input.bytes(), file) == input.bytes() && std::fgetc(file) == EOF;
  std::fclose(file);
  return is_read;
}

bool WriteOutputs(const char* path, const micrort::Interpreter& interpreter) {
  std::FILE* const file = std::fopen(path, "wb");
  if (file == nullptr) return false;
  bool is_written = true;
  for (size_t i = 0; i < interpreter.output_count(); ++i) {
    const micrort::TensorView output = interpreter.output(i);
    is_written = std::fwrite(output.data, 1, output.bytes(), file) == output.bytes() && is_written;
  }
  return std::fclose(file) == 0 && is_written;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fputs("usage: PROGRAM INPUT OUTPUTS\n", stderr);
    return 1;
  }
  micrort::MemoryBlock block(memory, sizeof memory);
  const auto model = LoadModel(&block);
  if (!model.ok()) return Fail("loading the model", model.status());
  const micrort::OpResolver resolver = ModelOps();
  micrort::InterpreterOptions options;
  options.resolver = &resolver;
  auto interpreter = micrort::Interpreter::Create(model.value(), options);
  if (!interpreter.ok()) return Fail("creating the interpreter", interpreter.status());

  if (interpreter->input_count() != 1 || !ReadInput(argv[1], interpreter->input(0))) {
    std::fputs("the model has several inputs, or the file cannot be read or has another size\n", stderr);
    return 1;
  }
  if (micrort::Status status = interpreter->Run(); !status.ok()) return Fail("running", status);
  if (!WriteOutputs(argv[2], *interpreter)) {
    std::fputs("the outputs cannot be written\n", stderr);
    return 1;
  }
  std::printf("arena %zu\nmemory %zu\n", interpreter->arena_bytes(), block.peak_bytes());
  return 0;
}
