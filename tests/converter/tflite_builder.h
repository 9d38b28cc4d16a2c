#pragma once
// TFLite files of tests, built in code.

#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "converter/frontend/frontend.h"
#include "schema/tflite_generated.h"
#include "tests/converter/graph_testing.h"

namespace micrort::testing {

namespace fb = ::micrort::tflite_file;

// Scales and zero points of a tensor; several go along `axis`.
struct Quantized {
  std::vector<float> scales;
  std::vector<int64_t> zero_points;
  int axis = 0;
};

// One subgraph, or several. Functions give the index of the tensor.
class TfliteBuilder {
 public:
  TfliteBuilder();

  // A tensor that an operator writes.
  int Tensor(const std::string& name, std::vector<int32_t> shape = {},
             fb::TensorType type = fb::TensorType::Float32, const Quantized& q = {});
  // dims of -1 are open: `shape` has 1 there, and the signature -1.
  int Input(const std::string& name, std::vector<int32_t> shape,
            fb::TensorType type = fb::TensorType::Float32, const Quantized& q = {});
  template <typename T>
  int Constant(const std::string& name, std::vector<int32_t> shape, fb::TensorType type,
               const std::vector<T>& elements, const Quantized& q = {}) {
    const int index = Tensor(name, std::move(shape), type, q);
    std::vector<uint8_t> bytes(elements.size() * sizeof(T));
    if (!bytes.empty()) std::memcpy(bytes.data(), elements.data(), bytes.size());
    tensor(index).buffer = AddBuffer(std::move(bytes));
    return index;
  }
  int Floats(const std::string& name, std::vector<int32_t> shape, const std::vector<float>& elements) {
    return Constant(name, std::move(shape), fb::TensorType::Float32, elements);
  }
  int Integers(const std::string& name, const std::vector<int32_t>& elements) {
    return Constant(name, {static_cast<int32_t>(elements.size())}, fb::TensorType::Int32, elements);
  }
  // An operator by its name ("CONV_2D"; one that TFLite does not have is a custom one).
  fb::OperatorT& Op(const std::string& name, std::vector<int32_t> inputs, std::vector<int32_t> outputs);
  template <typename OptionsT>
  fb::OperatorT& Op(const std::string& name, std::vector<int32_t> inputs, std::vector<int32_t> outputs,
                    OptionsT options) {
    fb::OperatorT& op = Op(name, std::move(inputs), std::move(outputs));
    op.builtin_options.Set(std::move(options));
    return op;
  }
  TfliteBuilder& Output(int tensor);

  // Adds a subgraph; what follows goes to it.
  int AddSubgraph();
  // What follows goes to the first one again.
  void BackToMain() { current_ = 0; }
  fb::SubGraphT& graph() { return *model.subgraphs[current_]; }
  fb::TensorT& tensor(int index) { return *graph().tensors[static_cast<size_t>(index)]; }
  uint32_t AddBuffer(std::vector<uint8_t> bytes);
  std::string Bytes(bool with_identifier = true) const;

  fb::ModelT model;

 private:
  size_t current_ = 0;  // subgraph
};

// Options of operators that run subgraphs.
inline fb::CallOptionsT Calls(int subgraph) {
  fb::CallOptionsT o;
  o.subgraph = static_cast<uint32_t>(subgraph);
  return o;
}

inline fb::IfOptionsT Branches(int then_graph, int else_graph) {
  fb::IfOptionsT o;
  o.then_subgraph_index = then_graph;
  o.else_subgraph_index = else_graph;
  return o;
}

inline fb::WhileOptionsT Repeats(int condition, int body) {
  fb::WhileOptionsT o;
  o.cond_subgraph_index = condition;
  o.body_subgraph_index = body;
  return o;
}

struct ImportedTflite {
  Status status;
  ir::Module module;
  frontend::ImportDiagnostics diagnostics;

  ir::Graph& graph() { return module.entry(); }
};
ImportedTflite ImportTflite(const std::string& bytes, const frontend::ImportOptions& options = {});

// Outputs by name. Fails the test, and gives none, where the model cannot be imported or run.
std::map<std::string, Floats> RunTflite(const TfliteBuilder& builder,
                                        const std::map<std::string, Floats>& inputs = {});

}  // namespace micrort::testing
