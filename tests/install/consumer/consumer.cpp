// A program of another project: runs the model that it is given.

#include <micrort/micrort.h>

#include <cstdio>
#include <cstring>

int main(int argc, char** argv) {
  const auto model = micrort::Model::FromFile(argc > 1 ? argv[1] : "");
  if (!model.ok()) {
    std::fprintf(stderr, "%s\n", model.status().message());
    return 1;
  }
  micrort::InterpreterOptions options;
  options.threads = 2;
  auto interpreter = micrort::Interpreter::Create(model.value(), options);
  if (!interpreter.ok()) {
    std::fprintf(stderr, "%s\n", interpreter.status().message());
    return 1;
  }
  const micrort::TensorView input = interpreter->input(0);
  std::memset(input.data, 0, input.bytes());
  if (const micrort::Status status = interpreter->Run(); !status.ok()) {
    std::fprintf(stderr, "%s\n", status.message());
    return 1;
  }
  const micrort::TensorView output = interpreter->output(0);
  std::printf("%s %s %s\n", output.name, micrort::Name(output.dtype),
              micrort::ShapeString(output.shape).c_str());
  return 0;
}
