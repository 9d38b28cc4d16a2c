#pragma once
// A real model, converted by the program and run in process.

#include <memory>
#include <string>
#include <vector>

#include "micrort/micrort.h"
#include "tests/programs/process.h"
#include "tools/io/array.h"

namespace micrort::test {

class ModelUnderTest {
 public:
  // `source` is a file below the model data, or an absolute path; flags go to mnnconvert. Failures are test
  // failures. Without shapes, open dimensions of inputs are 1 at first.
  ModelUnderTest(const std::string& source, const std::vector<std::string>& flags,
                 const std::vector<Shape>& input_shapes = {});

  Interpreter& interpreter() { return *interpreter_; }
  const Interpreter& interpreter() const { return *interpreter_; }
  const Model& model() const { return *model_; }
  std::string path() const { return folder_ / "model.fb"; }
  bool ok() const { return interpreter_ != nullptr; }

  // Resizes, runs, copies the outputs out. Empty on failure.
  std::vector<io::NamedArray> Run(const std::vector<io::NamedArray>& inputs);

 private:
  TemporaryFolder folder_;
  std::unique_ptr<Model> model_;
  std::unique_ptr<Interpreter> interpreter_;
};

io::NamedArray ReadNpy(const std::string& path);
// Largest absolute difference of two float arrays of one shape; infinity if they differ in shape or type.
double LargestDifference(const io::NamedArray& a, const io::NamedArray& b);

}  // namespace micrort::test
