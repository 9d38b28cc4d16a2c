// A head that multiplies by a table of embeddings reads the table itself: exporters, and the folding of
// constants, leave a turned copy of it.

#include <algorithm>
#include <cstring>
#include <set>

#include "converter/passes/passes.h"

namespace micrort::passes {
namespace {

constexpr size_t kData = 0, kWeights = 1;  // of Gather, of MatMul

bool IsFloatMatrix(const ir::Value& value) {
  return value.is_constant() && value.dtype == DType::kFloat32 && value.rank() == 2 && value.elements() > 0;
}

std::set<ir::ValueId> TablesOf(const ir::Graph& graph) {
  std::set<ir::ValueId> tables;
  for (const auto& node : graph.nodes) {
    if (node->code == schema::OpCode::Gather && node->as<schema::GatherOptionsT>().axis == 0 &&
        IsFloatMatrix(graph.value(node->inputs[kData])))
      tables.insert(node->inputs[kData]);
  }
  return tables;
}

// Bit by bit.
bool IsTurned(const ir::Value& matrix, const ir::Value& table) {
  if (matrix.shape[0] != table.shape[1] || matrix.shape[1] != table.shape[0]) return false;
  const auto rows = static_cast<size_t>(table.shape[0]), columns = static_cast<size_t>(table.shape[1]);
  const float *m = matrix.as<float>(), *t = table.as<float>();
  for (size_t i = 0; i < rows; ++i) {
    for (size_t j = 0; j < columns; ++j) {
      if (std::memcmp(&m[j * rows + i], &t[i * columns + j], sizeof(float)) != 0) return false;
    }
  }
  return true;
}

}  // namespace

Status TieTables(ir::Graph& graph, bool* changed) {
  const std::set<ir::ValueId> tables = TablesOf(graph);
  for (const auto& node : graph.nodes) {
    if (tables.empty() || node->code != schema::OpCode::MatMul) continue;
    const ir::ValueId weights = node->inputs[kWeights];
    if (!IsFloatMatrix(graph.value(weights)) || tables.count(weights) != 0) continue;
    auto& options = node->as<schema::MatMulOptionsT>();
    if (options.transpose_b) continue;
    const auto table = std::find_if(tables.begin(), tables.end(), [&](ir::ValueId id) {
      return IsTurned(graph.value(weights), graph.value(id));
    });
    if (table == tables.end()) continue;
    node->inputs[kWeights] = *table;
    options.transpose_b = true;
    *changed = true;
  }
  return Status();
}

}  // namespace micrort::passes
