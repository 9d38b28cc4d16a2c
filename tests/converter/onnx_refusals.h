#pragma once
// ONNX models of one node, for tests of what is refused.

#include <string>
#include <vector>

#include "tests/converter/onnx_builder.h"
#include "tests/refusal.h"

namespace micrort::testing {

// y = op(inputs). Calls add the inputs, in order, and attributes: Node("Add", 7).X({"2"}).Floats({1}, {0}).
class OneNode {
 public:
  // op: with its domain where that is not ONNX's own, "com.microsoft.Gelu".
  explicit OneNode(const std::string& op, int opset = 13) : model_(opset) {
    const size_t dot = op.rfind('.');
    model_.Node(dot == std::string::npos ? op : op.substr(dot + 1), {}, {"y"}).Output("y");
    if (dot == std::string::npos) return;
    node()->set_domain(op.substr(0, dot));
    auto* import = model_.model.add_opset_import();
    import->set_domain(node()->domain());
    import->set_version(1);
  }

  // An input of the model, of the given sizes.
  OneNode& X(const std::vector<std::string>& dims, int type = ::onnx::TensorProto::FLOAT) {
    model_.Input(AddInput(), dims, type);
    return *this;
  }
  // Several of one shape.
  OneNode& Xs(int count, const std::vector<std::string>& dims) {
    for (int i = 0; i < count; ++i) X(dims);
    return *this;
  }
  OneNode& Absent(int count = 1) {
    for (int i = 0; i < count; ++i) node()->add_input("");
    return *this;
  }
  // Constants.
  OneNode& Integers(const std::vector<int64_t>& elements) {
    model_.Integers(AddInput(), {static_cast<int64_t>(elements.size())}, elements);
    return *this;
  }
  OneNode& Integers(const std::vector<int64_t>& dims, const std::vector<int64_t>& elements) {
    model_.Integers(AddInput(), dims, elements);
    return *this;
  }
  OneNode& Narrow(int type, const std::vector<int64_t>& dims, const std::vector<int32_t>& elements) {
    model_.Narrow(AddInput(), type, dims, elements);
    return *this;
  }
  OneNode& Weights(const std::vector<int64_t>& dims) {
    model_.Weights(AddInput(), dims);
    return *this;
  }
  OneNode& Output(const std::string& name) {
    node()->add_output(name);
    return *this;
  }

  OneNode& Int(const std::string& name, int64_t v) {
    model_.Int(name, v);
    return *this;
  }
  OneNode& Ints(const std::string& name, const std::vector<int64_t>& v) {
    model_.Ints(name, v);
    return *this;
  }
  OneNode& String(const std::string& name, const std::string& v) {
    model_.String(name, v);
    return *this;
  }
  OneNode& FloatList(const std::string& name, const std::vector<float>& v) {
    ::onnx::AttributeProto* a = AddAttribute(name, ::onnx::AttributeProto::FLOATS);
    for (const float one : v) a->add_floats(one);
    return *this;
  }
  OneNode& Strings(const std::string& name, const std::vector<std::string>& v) {
    ::onnx::AttributeProto* a = AddAttribute(name, ::onnx::AttributeProto::STRINGS);
    for (const std::string& one : v) a->add_strings(one);
    return *this;
  }
  OneNode& Graph(const std::string& name, const OnnxBuilder& body) {
    model_.Graph(name, body);
    return *this;
  }

  ::onnx::NodeProto* node() { return model_.graph().mutable_node(0); }
  OnnxBuilder& model() { return model_; }
  Status Refused() const { return Import(model_).status; }

 private:
  std::string AddInput() {
    const std::string name = "x" + std::to_string(node()->input_size());
    node()->add_input(name);
    return name;
  }

  ::onnx::AttributeProto* AddAttribute(const std::string& name, ::onnx::AttributeProto::AttributeType type) {
    ::onnx::AttributeProto* a = node()->add_attribute();
    a->set_name(name);
    a->set_type(type);
    return a;
  }

  OnnxBuilder model_;
};

}  // namespace micrort::testing
