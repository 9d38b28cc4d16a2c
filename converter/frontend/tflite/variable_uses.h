#pragma once
// Which variables a subgraph, and those that it runs, read and change.

#include <memory>
#include <string>
#include <vector>

#include "converter/frontend/tflite/model_file.h"
#include "converter/ir/graph.h"

namespace micrort::frontend::tflite {

struct VariableUse {
  std::string key;                    // VariableName, or VariableKey of a tensor that operators change
  const fb::Tensor* shown = nullptr;  // what it is read into, or the tensor itself
  bool is_tensor = false;
  bool is_changed = false;
  // For a state inside an operator: its name, type, shape and first elements.
  std::shared_ptr<const ir::Value> hidden = nullptr;
};

struct VariableUses {
  std::vector<VariableUse> all;      // those that are read, in the order of their first reads
  std::vector<size_t> initializers;  // subgraphs that run once
};

Status FindVariableUses(const ModelFile& file, size_t subgraph, VariableUses* out);

// The name of the variable that a VAR_HANDLE stands for.
std::string VariableName(const fb::Operator& op);
std::string VariableKey(size_t subgraph, int32_t tensor);
// The key of the state that the operator with this first output keeps.
std::string HiddenKey(size_t subgraph, int32_t output, size_t state);

// CALL, IF, WHILE and STABLEHLO_COMPOSITE.
bool RunsSubgraphs(const std::string& op);
// Those that the operator runs, as the file numbers them.
std::vector<int64_t> SubgraphsOf(const fb::Operator& op);

// kInvalidModel if there is no such subgraph.
Status CheckSubgraphIndex(const ModelFile& file, int64_t index);

// The limit of subgraphs that run each other; a chain this long is no real model's.
constexpr int kMaxCallDepth = 64;

}  // namespace micrort::frontend::tflite
