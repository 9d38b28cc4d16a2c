// The least that a program needs: the model is part of it, and only the operators of the model are linked.

#include <micrort/micrort.h>

#include <cstdio>
#include <cstring>

#include "examples/minimal/embedded_model.h"
#include "model_ops.h"

namespace {

int Fail(const micrort::Status& status) {
  std::fprintf(stderr, "minimal: error: %s\n", status.message());
  return 1;
}

}  // namespace

int main() {
  const auto model = micrort::Model::FromBuffer(embedded_model, EmbeddedModelBytes());
  if (!model.ok()) return Fail(model.status());

  const micrort::OpResolver resolver = ModelOps();
  micrort::InterpreterOptions options;
  options.resolver = &resolver;
  auto interpreter = micrort::Interpreter::Create(model.value(), options);
  if (!interpreter.ok()) return Fail(interpreter.status());

  const micrort::TensorView input = interpreter->input(0);
  std::memset(input.data, 0, input.bytes());
  if (micrort::Status status = interpreter->Run(); !status.ok()) return Fail(status);
  const micrort::TensorView output = interpreter->output(0);
  std::printf("%s: %s of %s\n", output.name, micrort::ShapeString(output.shape).c_str(),
              micrort::Name(output.dtype));
  return 0;
}
