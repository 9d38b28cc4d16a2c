// print_outputs MODEL: runs a model file on seeded inputs, and writes the bytes of all of its outputs to
// standard output. It needs the runtime alone, so that a build by another compiler has nothing else to
// compile.

#include <cinttypes>
#include <cstdio>
#include <cstring>

#include "micrort/micrort.h"

namespace micrort::test {
namespace {

// The steps of Numerical Recipes (ch. 7.1), whose high bits are good enough for numbers that are only to
// differ.
class Numbers {
 public:
  // In [-1, 1).
  float Next() {
    state_ = state_ * 1664525u + 1013904223u;
    return static_cast<float>(static_cast<int32_t>(state_)) * 0x1p-31f;
  }

 private:
  uint32_t state_ = 1;
};

Status Fill(const TensorView& input, Numbers* numbers) {
  if (input.dtype != DType::kFloat32)
    return MICRORT_ERROR(kInvalidArgument, "input '%s': expected float32, found %s", input.name,
                         Name(input.dtype));
  auto* const values = static_cast<float*>(input.data);
  for (size_t i = 0; i < input.bytes() / sizeof(float); ++i) values[i] = numbers->Next();
  return Status();
}

Status PrintOutputs(const char* path) {
  MICRORT_ASSIGN_OR_RETURN(const Model model, Model::FromFile(path));
  MICRORT_ASSIGN_OR_RETURN(Interpreter interpreter, Interpreter::Create(model));
  Numbers numbers;
  for (size_t i = 0; i < interpreter.input_count(); ++i)
    MICRORT_RETURN_IF_ERROR(Fill(interpreter.input(i), &numbers));
  MICRORT_RETURN_IF_ERROR(interpreter.Run());
  for (size_t i = 0; i < interpreter.output_count(); ++i) {
    const TensorView output = interpreter.output(i);
    if (std::fwrite(output.data, 1, output.bytes(), stdout) != output.bytes())
      return MICRORT_ERROR(kInternal, "output '%s' is not written", output.name);
  }
  return Status();
}

}  // namespace
}  // namespace micrort::test

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: print_outputs MODEL\n");
    return 2;
  }
  const micrort::Status status = micrort::test::PrintOutputs(argv[1]);
  if (!status.ok()) std::fprintf(stderr, "%s\n", status.message());
  return status.ok() ? 0 : 1;
}
