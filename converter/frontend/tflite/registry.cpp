#include "converter/frontend/tflite/registry.h"

#include <map>

namespace micrort::frontend::tflite {

namespace {

using Table = std::map<std::string, const OpImporter*>;

Table MakeTable() {
  const Span<const OpImporter> lists[] = {
      ArithmeticImporters(),     ControlFlowImporters(), ConvImporters(),     DetectionImporters(),
      FullyConnectedImporters(), JoinImporters(),        LayoutImporters(),   NonMaxSuppressionImporters(),
      NormalizationImporters(),  PadImporters(),         PoolImporters(),     QuantizeImporters(),
      RecurrentImporters(),      ReduceImporters(),      ResizeImporters(),   ScatterImporters(),
      SelectImporters(),         SliceImporters(),       SoftmaxImporters(),  SpaceBatchImporters(),
      StridedSliceImporters(),   UnaryImporters(),       VariableImporters(),
  };
  Table table;
  for (const auto& list : lists) {
    for (const OpImporter& importer : list) table.emplace(importer.op, &importer);
  }
  return table;
}

const Table& AllByName() {
  static const Table table = MakeTable();
  return table;
}

}  // namespace

const OpImporter* FindImporter(const std::string& op) {
  const Table& table = AllByName();
  const auto found = table.find(op);
  return found == table.end() ? nullptr : found->second;
}

const char* WhyNoImporter(const std::string& op) {
  if (op.rfind("Flex", 0) == 0)
    return "an operator of TensorFlow itself; convert the model with TFLite's built-in operators only";
  if (op.rfind("STABLEHLO_", 0) == 0) return "operators of StableHLO are not supported";
  if (op.rfind("HASHTABLE", 0) == 0) return "strings and tables are not supported";
  return "unknown operator";
}

std::vector<const OpImporter*> AllImporters() {
  std::vector<const OpImporter*> all;
  for (const auto& entry : AllByName()) all.push_back(entry.second);
  return all;
}

}  // namespace micrort::frontend::tflite
