#pragma once
// Small graphs for tests of passes, and proof that a pass keeps what they compute.

#include <cstdint>
#include <initializer_list>
#include <map>
#include <string>
#include <vector>

#include "converter/ir/build.h"
#include "converter/ir/graph.h"
#include "kernels/base/status.h"

namespace micrort::testing {

using Floats = std::vector<float>;

// A graph under construction, with names as in a source model.
class TestGraph {
 public:
  ir::Graph graph;

  ir::ValueId Input(const std::string& name, std::vector<int64_t> shape, DType dtype = DType::kFloat32);
  // Float constant with seeded elements in [-1, 1].
  ir::ValueId Weights(const std::string& name, std::vector<int64_t> shape);
  ir::ValueId Constant(const std::string& name, std::vector<int64_t> shape, const Floats& elements);
  void Output(ir::ValueId id) { graph.outputs.push_back(id); }

  // A node whose output has the given name, as one of the source model. Its shape is inferred.
  template <typename OptionsT>
  ir::ValueId Node(const std::string& name, OptionsT options, std::vector<ir::ValueId> inputs,
                   DType dtype = DType::kUnknown) {
    return Named(name, Build(name).Add(std::move(options), std::move(inputs), dtype));
  }
  ir::ValueId Transpose(const std::string& name, ir::ValueId x, std::vector<int32_t> permutation);
  ir::ValueId Reshape(const std::string& name, ir::ValueId x, std::vector<int32_t> shape);
  ir::ValueId Unary(const std::string& name, schema::UnaryKind kind, ir::ValueId x, float a = 0, float b = 0);
  ir::ValueId Relu(const std::string& name, ir::ValueId x);
  ir::ValueId Binary(const std::string& name, schema::BinaryKind kind, ir::ValueId a, ir::ValueId b);
  ir::ValueId Concat(const std::string& name, const std::vector<ir::ValueId>& parts, int axis);
  // Weights [channels, 3, 3, C], padded to keep height and width, with a bias.
  ir::ValueId Conv3x3(const std::string& name, ir::ValueId x, int channels);

 private:
  ir::Builder Build(const std::string& name) { return ir::Builder(graph, {name, "Test", 1}, name); }
  ir::ValueId Named(const std::string& name, ir::ValueId id);
};

// Runs a graph on inputs by name; gives its outputs by name, as floats.
Status Evaluate(const ir::Graph& graph, const std::map<std::string, Floats>& inputs,
                std::map<std::string, Floats>* outputs);

// Fails the test unless both graphs give the same outputs, within `tolerance`, on the same seeded inputs.
void ExpectSameResults(const ir::Graph& expected, const ir::Graph& found, float tolerance);

using PassFunction = Status (*)(ir::Graph& graph, bool* changed);

// Infers shapes, runs the passes in turn, and fails the test unless outputs keep names and shapes and, on
// seeded inputs, values within `tolerance`. Returns whether a pass changed anything.
bool RunPasses(ir::Graph& graph, std::initializer_list<PassFunction> passes, float tolerance = 0);

// "y = Conv2D(x, w, -)" a node, without options.
std::string Outline(const ir::Graph& graph);
std::vector<std::string> OperatorsOf(const ir::Graph& graph);
int CountOps(const ir::Graph& graph, schema::OpCode code);

}  // namespace micrort::testing
