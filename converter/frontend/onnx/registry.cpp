#include "converter/frontend/onnx/registry.h"

#include <unordered_map>

namespace micrort::frontend {

namespace {

using Table = std::unordered_map<std::string, const OpImporter*>;

Table MakeTable() {
  const Span<const OpImporter> lists[] = {
      ActivationImporters(), ArithmeticImporters(), ConvImporters(),   DiagonalImporters(),
      EinsumImporters(),     GenerateImporters(),   IndexImporters(),  LayoutImporters(),
      LogicImporters(),      MatMulImporters(),     PadImporters(),    NormalizationImporters(),
      PoolImporters(),       QuantizeImporters(),   ReduceImporters(), ResizeImporters(),
      ShapeImporters(),      SoftmaxImporters(),
  };
  Table table;
  for (const auto& list : lists) {
    for (const OpImporter& importer : list) table.emplace(importer.op, &importer);
  }
  return table;
}

}  // namespace

std::string QualifiedOp(const std::string& domain, const std::string& op) {
  return domain.empty() || domain == "ai.onnx" ? op : domain + "." + op;
}

const OpImporter* FindImporter(const std::string& domain, const std::string& op) {
  static const Table table = MakeTable();
  const auto found = table.find(QualifiedOp(domain, op));
  return found == table.end() ? nullptr : found->second;
}

}  // namespace micrort::frontend
