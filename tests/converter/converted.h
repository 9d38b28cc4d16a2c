#pragma once
// Models of tests, converted as users do it, and run on arrays.

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "converter/convert.h"
#include "micrort/micrort.h"
#include "tests/converter/onnx_builder.h"
#include "tools/io/session.h"

namespace micrort::testing {

template <typename T>
io::NamedArray Array(std::vector<int64_t> shape, const std::vector<T>& elements) {
  io::NamedArray array{"", kDTypeOf<T>, std::move(shape), {}};
  array.data.resize(elements.size() * sizeof(T));
  if (!elements.empty()) std::memcpy(array.data.data(), elements.data(), array.data.size());
  return array;
}
io::NamedArray Integers(const std::vector<int64_t>& elements);
// 1, 2, 3 ...
io::NamedArray Counting(std::vector<int64_t> shape);
io::NamedArray Bool(bool value);

// Converts the model with these outputs, and runs it on arrays of any number of sets.
class Converted {
 public:
  explicit Converted(OnnxBuilder& builder, const std::vector<std::string>& outputs = {"y"},
                     const ConvertOptions& options = {});
  // A model of any format; `name` as that of a file.
  Converted(const std::string& name, const std::string& bytes, const ConvertOptions& options = {});
  // With what lies beside it.
  static Converted FromFile(const std::string& path, const ConvertOptions& options = {});

  // Shape, then elements, of each output; or the error.
  std::string Run(const std::vector<io::NamedArray>& inputs);
  // Whether the latest run came to its end.
  bool ran() const { return ran_; }
  const Status& status() const { return status_; }
  const Model& model() const { return *model_; }
  const ConvertResult& result() const { return result_; }
  // How many operators of this kind the file has, in bodies too.
  int Count(schema::OpCode code) const;

 private:
  Converted() = default;
  void Load();
  void Convert(const std::string& name, const std::string& bytes, const ConvertOptions& options);
  Status RunOnce(const std::vector<io::NamedArray>& inputs);

  ConvertResult result_;
  AlignedBytes whole_;  // of a file with buffers behind the flatbuffer
  Status status_;
  bool ran_ = false;
  std::unique_ptr<Model> model_;
  std::unique_ptr<Interpreter> interpreter_;
};

}  // namespace micrort::testing
