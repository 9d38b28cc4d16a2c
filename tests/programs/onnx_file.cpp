#include "tests/programs/onnx_file.h"

#include <fstream>
#include <iterator>

namespace micrort::test {
namespace {

void SetFloatType(onnx::ValueInfoProto* value, const std::string& name) {
  value->set_name(name);
  onnx::TypeProto::Tensor* type = value->mutable_type()->mutable_tensor_type();
  type->set_elem_type(onnx::TensorProto::FLOAT);
  type->mutable_shape()->add_dim()->set_dim_value(1);
  type->mutable_shape()->add_dim()->set_dim_value(4);
}

}  // namespace

onnx::ModelProto ReluModel() {
  onnx::ModelProto model;
  model.set_ir_version(7);
  model.add_opset_import()->set_version(13);
  model.mutable_graph()->set_name("test");
  SetFloatType(model.mutable_graph()->add_input(), "x");
  SetFloatType(model.mutable_graph()->add_output(), "y");
  AddNode(&model, "Relu", "relu", "x", "y");
  return model;
}

void AddNode(onnx::ModelProto* model, const std::string& op, const std::string& name,
             const std::string& input, const std::string& output) {
  onnx::NodeProto* node = model->mutable_graph()->add_node();
  node->set_op_type(op);
  node->set_name(name);
  node->add_input(input);
  node->add_output(output);
}

void WriteFile(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

std::string ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

}  // namespace micrort::test
