#pragma once
// ONNX models for tests, built in code.

#include <onnx/onnx_pb.h>

#include <string>
#include <vector>

#include "converter/frontend/onnx/onnx_frontend.h"
#include "converter/ir/print.h"

namespace micrort::testing {

class OnnxBuilder {
 public:
  explicit OnnxBuilder(int opset = 13);

  ::onnx::ModelProto model;
  ::onnx::GraphProto& graph() { return *model.mutable_graph(); }

  // Dimensions are numbers; anything else is a symbol's name, "" one without a name.
  OnnxBuilder& Input(const std::string& name, const std::vector<std::string>& dims,
                     int type = ::onnx::TensorProto::FLOAT);
  OnnxBuilder& Output(const std::string& name);
  OnnxBuilder& Floats(const std::string& name, std::vector<int64_t> dims, const std::vector<float>& elements);
  // A float initializer with elements 0, 1/8, 2/8 ... 7/8, 0 ...
  OnnxBuilder& Weights(const std::string& name, std::vector<int64_t> dims);
  OnnxBuilder& Integers(const std::string& name, std::vector<int64_t> dims,
                        const std::vector<int64_t>& elements);
  // An initializer of any type that keeps its elements in int32_data, for example INT8 or INT4.
  OnnxBuilder& Narrow(const std::string& name, int type, std::vector<int64_t> dims,
                      const std::vector<int32_t>& elements);
  // Attributes follow: builder.Node("Conv", {"x", "w"}, {"y"}).Ints("strides", {2, 2})
  OnnxBuilder& Node(const std::string& op, const std::vector<std::string>& inputs,
                    const std::vector<std::string>& outputs);

  // The latest node is of this domain, which the model imports.
  OnnxBuilder& Domain(const std::string& domain, int version);

  // Attributes of the latest node.
  OnnxBuilder& Int(const std::string& name, int64_t v);
  OnnxBuilder& Float(const std::string& name, float v);
  OnnxBuilder& String(const std::string& name, const std::string& v);
  OnnxBuilder& Ints(const std::string& name, const std::vector<int64_t>& v);
  OnnxBuilder& Numbers(const std::string& name, const std::vector<float>& v);
  OnnxBuilder& Strings(const std::string& name, const std::vector<std::string>& v);
  OnnxBuilder& Graph(const std::string& name, OnnxBuilder body);

  std::string Bytes() const { return model.SerializeAsString(); }

 private:
  ::onnx::AttributeProto* AddAttribute(const std::string& name, ::onnx::AttributeProto::AttributeType type);
  ::onnx::TensorProto* AddInitializer(const std::string& name, const std::vector<int64_t>& dims, int type);
};

// A model's graph, or why there is none.
struct Imported {
  Status status;
  ir::Module module;
  frontend::ImportDiagnostics diagnostics;

  // The graph's text, or the error.
  std::string text();
  ir::Graph& graph() { return module.entry(); }
};
Imported Import(const OnnxBuilder& builder, const frontend::ImportOptions& options = {});
Imported Import(const std::string& bytes, const frontend::ImportOptions& options = {});
// The imported text of a graph whose output is y.
std::string TextOf(OnnxBuilder& builder);

// A branch of one node, which may read the graph around it.
OnnxBuilder Branch(const std::string& op, const std::vector<std::string>& inputs);

// A whole model: y = Relu(x) of four elements.
inline OnnxBuilder OneRelu() {
  return OnnxBuilder().Input("x", {"1", "4"}).Node("Relu", {"x"}, {"y"}).Output("y");
}

}  // namespace micrort::testing
