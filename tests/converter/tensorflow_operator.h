#pragma once
// One operator of TensorFlow with its operands, imported as a graph of its own.

#include "tests/converter/tensorflow_graph.h"

namespace micrort::testing {

// Operands come in the order of the calls; each call of X adds an input of the graph.
class TfOperator {
 public:
  explicit TfOperator(const std::string& op) : op_(op) {}

  TfOperator& X(const std::vector<int64_t>& shape, const std::string& type = "DT_FLOAT") {
    std::string dims;
    for (const int64_t d : shape) dims += "dim { size: " + std::to_string(d) + " } ";
    text_ += TfNode(NextOperand(), "Placeholder", {},
                    {"dtype { type: " + type + " }", "shape { shape { " + dims + "} }"});
    return *this;
  }
  TfOperator& Integers(const std::vector<int32_t>& elements) {
    text_ += TfIntegers(NextOperand(), elements);
    return *this;
  }
  TfOperator& Integer(int32_t v) {
    text_ += TfIntegers(NextOperand(), {v}, true);
    return *this;
  }
  TfOperator& Floats(const std::vector<int64_t>& shape, const std::vector<float>& elements) {
    text_ += TfFloats(NextOperand(), shape, elements);
    return *this;
  }
  TfOperator& Float(float v) { return Floats({}, {v}); }
  TfOperator& Truths(const std::vector<bool>& elements) {
    std::string values = "tensor_shape { dim { size: " + std::to_string(elements.size()) + " } } ";
    for (const bool v : elements) values += v ? "bool_val: true " : "bool_val: false ";
    text_ += TfNode(NextOperand(), "Const", {},
                    {"dtype { type: DT_BOOL }", "value { tensor { dtype: DT_BOOL " + values + "} }"});
    return *this;
  }

  // An attribute, as text.
  TfOperator& With(const std::string& name, const std::string& value) {
    attributes_.push_back(name + " { " + value + " }");
    return *this;
  }
  TfOperator& List(const std::string& name, const std::vector<int64_t>& list) {
    std::string values;
    for (const int64_t v : list) values += "i: " + std::to_string(v) + " ";
    return With(name, "list { " + values + "}");
  }
  TfOperator& True(const std::string& name) { return With(name, "b: true"); }

  // What there is so far becomes the first operand of another operator.
  TfOperator& Then(const std::string& op) {
    std::vector<std::string> inputs = std::move(inputs_);
    inputs_.clear();
    text_ += TfNode(NextOperand(), op_, inputs, attributes_);
    attributes_.clear();
    op_ = op;
    return *this;
  }

  Status Import() const {
    frontend::ImportOptions options;
    options.outputs = {"op"};
    // Older writers left the shape of a scalar out.
    const std::string versions = "versions { producer: 24 }";
    return ImportTf(text_ + TfNode("op", op_, inputs_, attributes_) + versions, options).status;
  }

 private:
  std::string NextOperand() {
    inputs_.push_back("operand" + std::to_string(count_++));
    return inputs_.back();
  }

  std::string op_, text_;
  int count_ = 0;
  std::vector<std::string> inputs_, attributes_;
};

}  // namespace micrort::testing
