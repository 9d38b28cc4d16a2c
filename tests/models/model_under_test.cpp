#include "tests/models/model_under_test.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tools/io/file.h"
#include "tools/io/npy.h"
#include "tools/io/session.h"

namespace micrort::test {

ModelUnderTest::ModelUnderTest(const std::string& source, const std::vector<std::string>& flags,
                               const std::vector<Shape>& input_shapes) {
  const std::string file = source[0] == '/' ? source : ModelData(source);
  std::vector<std::string> arguments = {file, "-o", path(), "--quiet"};
  arguments.insert(arguments.end(), flags.begin(), flags.end());
  const ProcessResult converted = RunProgram("mnnconvert", arguments);
  EXPECT_EQ(converted.exit_code, 0) << converted.err;
  if (converted.exit_code != 0) return;
  Result<Model> model = Model::FromFile(path().c_str());
  EXPECT_TRUE(model.ok()) << model.status().message();
  if (!model.ok()) return;
  model_ = std::make_unique<Model>(std::move(*model));
  InterpreterOptions options;
  options.input_shapes = {input_shapes.data(), input_shapes.size()};
  Result<Interpreter> interpreter = Interpreter::Create(*model_, options);
  EXPECT_TRUE(interpreter.ok()) << interpreter.status().message();
  if (interpreter.ok()) interpreter_ = std::make_unique<Interpreter>(std::move(*interpreter));
}

std::vector<io::NamedArray> ModelUnderTest::Run(const std::vector<io::NamedArray>& inputs) {
  if (!ok()) return {};
  Status status = io::ResizeToInputs(*model_, inputs, interpreter_.get());
  if (status.ok()) {
    io::FillInputs(inputs, interpreter_.get());
    status = interpreter_->Run();
  }
  EXPECT_TRUE(status.ok()) << status.message();
  std::vector<io::NamedArray> outputs;
  for (size_t i = 0; status.ok() && i < interpreter_->output_count(); ++i) {
    const TensorView view = interpreter_->output(i);
    const auto* bytes = static_cast<const uint8_t*>(view.data);
    outputs.push_back({view.name, view.dtype, io::ToVector(view.shape), {bytes, bytes + view.bytes()}});
  }
  return outputs;
}

io::NamedArray ReadNpy(const std::string& path) {
  std::vector<uint8_t> bytes;
  io::NamedArray array;
  Status status = io::ReadFile(path, &bytes);
  if (status.ok()) status = io::ParseNpy(path, Span<const uint8_t>(bytes.data(), bytes.size()), &array);
  EXPECT_TRUE(status.ok()) << status.message();
  return array;
}

double LargestDifference(const io::NamedArray& a, const io::NamedArray& b) {
  if (a.shape != b.shape || a.dtype != DType::kFloat32 || b.dtype != DType::kFloat32) {
    return std::numeric_limits<double>::infinity();
  }
  double largest = 0;
  for (size_t i = 0; i < a.elements(); ++i) {
    const double difference = std::fabs(static_cast<double>(a.as<float>()[i]) - b.as<float>()[i]);
    // Written so that a NaN counts as infinitely far.
    if (!(difference <= largest)) largest = std::isnan(difference) ? INFINITY : difference;
  }
  return largest;
}

}  // namespace micrort::test
