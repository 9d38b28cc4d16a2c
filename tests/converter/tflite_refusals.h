#pragma once
// TFLite files of one operator, for what must be refused.

#include <flatbuffers/flexbuffers.h>

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tests/converter/tflite_builder.h"
#include "tests/refusal.h"

namespace micrort::testing {

inline std::vector<uint8_t> FlexMap(const std::function<void(flexbuffers::Builder&)>& fill) {
  flexbuffers::Builder builder;
  builder.Map([&] { fill(builder); });
  builder.Finish();
  return builder.GetBuffer();
}

inline std::vector<uint8_t> FlexInts(const std::map<std::string, int>& values) {
  return FlexMap([&](flexbuffers::Builder& builder) {
    for (const auto& [name, value] : values) builder.Int(name.c_str(), value);
  });
}

// Inputs and outputs are in the order of the calls.
class OneOp {
 public:
  explicit OneOp(const std::string& name) : op_(b_.Op(name, {}, {})) {}
  OneOp(OneOp&&) = default;

  // dims of -1 are open.
  OneOp& In(std::vector<int32_t> shape, fb::TensorType type = fb::TensorType::Float32,
            const Quantized& q = {}) {
    return Read(b_.Input(NextName(), std::move(shape), type, q));
  }
  // Float constants; all zero, but where they are given.
  OneOp& Zeros(std::vector<int32_t> shape) {
    size_t elements = 1;
    for (const int32_t dim : shape) elements *= static_cast<size_t>(dim);
    return Numbers(std::move(shape), Floats(elements));
  }
  OneOp& Numbers(std::vector<int32_t> shape, const Floats& numbers) {
    return Read(b_.Floats(NextName(), std::move(shape), numbers));
  }
  OneOp& Ints(const std::vector<int32_t>& numbers) { return Read(b_.Integers(NextName(), numbers)); }
  OneOp& Scalar(int32_t number) {
    return Read(b_.Constant<int32_t>(NextName(), {}, fb::TensorType::Int32, {number}));
  }
  OneOp& Absent(int count = 1) {
    op_.inputs.insert(op_.inputs.end(), static_cast<size_t>(count), -1);
    return *this;
  }
  OneOp& Variable(std::vector<int32_t> shape) {
    const int index = b_.Tensor(NextName(), std::move(shape));
    b_.tensor(index).is_variable = true;
    return Read(index);
  }
  OneOp& Out(std::vector<int32_t> shape = {}, fb::TensorType type = fb::TensorType::Float32,
             const Quantized& q = {}) {
    const int index = b_.Tensor(NextName(), std::move(shape), type, q);
    op_.outputs.push_back(index);
    b_.Output(index);
    return *this;
  }
  OneOp& Outs(int count) {
    for (int i = 0; i < count; ++i) Out();
    return *this;
  }

  template <typename OptionsT>
  OneOp& With(OptionsT options) {
    op_.builtin_options.Set(std::move(options));
    return *this;
  }
  template <typename OptionsT>
  OneOp& With2(OptionsT options) {
    op_.builtin_options_2.Set(std::move(options));
    return *this;
  }
  OneOp& Custom(std::vector<uint8_t> options) {
    op_.custom_options = std::move(options);
    return *this;
  }
  OneOp& Version(int version) {
    b_.model.operator_codes.back()->version = version;
    return *this;
  }

  // For what has no call here.
  TfliteBuilder& builder() { return b_; }
  fb::OperatorT& op() { return op_; }

  // With one output, if there was no call for one.
  Status Import(const frontend::ImportOptions& options = {}) {
    if (op_.outputs.empty()) Out();
    return ImportTflite(b_.Bytes(), options).status;
  }

 private:
  std::string NextName() { return "t" + std::to_string(b_.graph().tensors.size()); }
  OneOp& Read(int index) {
    op_.inputs.push_back(index);
    return *this;
  }

  TfliteBuilder b_;
  fb::OperatorT& op_;
};

}  // namespace micrort::testing
