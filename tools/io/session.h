#pragma once
// A model made ready to run by a program: loaded, sized by the inputs at hand, filled.

#include <memory>
#include <string>
#include <vector>

#include "micrort/micrort.h"
#include "tools/io/load.h"

namespace micrort::io {

// "NAME=FILE" of a command line.
struct InputFile {
  std::string name, path;
};
Status ParseInputFile(const std::string& text, InputFile* out);

std::vector<std::string> InputNames(const Interpreter& interpreter);
std::vector<std::string> OutputNames(const Interpreter& interpreter);
std::vector<int64_t> ToVector(const Shape& shape);

// Model::FromFile, with an error that says what else the file is, and how it becomes a model.
Result<Model> OpenModel(const std::string& path);

// The model's own input shapes, -1 where dynamic, with names and types.
std::vector<InputSpec> InputSpecs(const Model& model);

// kUnsupported if the array would be larger than a tensor may be; before it is made.
Status CheckArraySize(const std::string& name, DType dtype, const std::vector<int64_t>& shape,
                      const ModelLimits& limits);

// Seeded values: floats in [-1, 1), integers in [0, 100) and below `rows` where that is not 0, booleans.
NamedArray RandomArray(const std::string& name, DType dtype, const std::vector<int64_t>& shape, uint64_t seed,
                       int64_t rows = 0);

// One array an input, in order: those named are loaded, the others random. Names are matched as FindTensor
// does; an unknown or repeated name is an error that lists the inputs, and so is no file for an input that
// decides shapes.
Status LoadInputs(const std::vector<InputSpec>& specs, const std::vector<InputFile>& files,
                  const Preprocess& preprocess, const ModelLimits& limits, std::vector<NamedArray>* out);

// Where a run finds an index outside of a table, the error names the inputs of random integers, too.
Status BlameRandomIntegers(const std::vector<NamedArray>& arrays, const Status& status);

// What an interpreter is planned for.
struct InputSizes {
  std::vector<Shape> shapes;
  std::vector<const void*> values;  // null for inputs that decide no shapes

  // They stay as long as the options.
  void Set(InterpreterOptions* options) const {
    options->input_shapes = {shapes.data(), shapes.size()};
    options->input_values = {values.data(), values.size()};
  }
};

// Valid as long as the arrays.
InputSizes SizesOf(const Model& model, const std::vector<NamedArray>& arrays);

// A model that takes inputs of many sizes is not to blame where some do not fit it: kInvalidArgument, naming
// these sizes, in place of kInvalidModel.
Status BlameSizes(const Model& model, Span<const Shape> shapes, const Status& status);

// An interpreter planned for the arrays' shapes, and the values of those that decide shapes.
Result<Interpreter> CreateFor(const Model& model, const std::vector<NamedArray>& arrays,
                              InterpreterOptions options);
// Plans again for the arrays if their shapes, or values that decide shapes, differ from those in force.
Status ResizeToInputs(const Model& model, const std::vector<NamedArray>& arrays, Interpreter* interpreter);
// Copies the arrays into the input tensors; before every Run(), because the arena reuses their memory.
void FillInputs(const std::vector<NamedArray>& arrays, Interpreter* interpreter);

}  // namespace micrort::io
