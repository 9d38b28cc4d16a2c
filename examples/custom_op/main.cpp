// custom_op MODEL: runs a model that has an operator of this program.

#include <cstdint>
#include <cstdio>

#include "micrort/custom_op.h"
#include "micrort/micrort.h"

extern "C" const micrort_custom_op kZeroOut, kTensorflowZeroOut;

namespace {

micrort::Status RunOnce(const char* path) {
  MICRORT_ASSIGN_OR_RETURN(micrort::Model model, micrort::Model::FromFile(path));
  micrort::OpResolver resolver = micrort::AllOps();
  resolver.AddCustom(kZeroOut).AddCustom(kTensorflowZeroOut);
  micrort::InterpreterOptions options;
  options.resolver = &resolver;
  MICRORT_ASSIGN_OR_RETURN(micrort::Interpreter interpreter, micrort::Interpreter::Create(model, options));

  const micrort::TensorView x = interpreter.input(0);
  int32_t* elements = x.as<int32_t>();
  if (elements == nullptr) return MICRORT_ERROR(kInvalidArgument, "%s: expected an int32 input", path);
  for (size_t i = 0; i < x.elements(); ++i) elements[i] = static_cast<int32_t>(i) + 5;
  MICRORT_RETURN_IF_ERROR(interpreter.Run());

  const micrort::TensorView y = interpreter.output(0);
  for (size_t i = 0; i < y.elements(); ++i) std::printf("%s%d", i == 0 ? "" : " ", y.as<int32_t>()[i]);
  std::printf("\n");
  return micrort::Status();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: custom_op MODEL\n");
    return 1;
  }
  const micrort::Status status = RunOnce(argv[1]);
  if (!status.ok()) std::fprintf(stderr, "custom_op: error: %s\n", status.message());
  return status.ok() ? 0 : 2;
}
