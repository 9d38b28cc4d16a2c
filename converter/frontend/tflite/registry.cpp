#include "converter/frontend/tflite/registry.h"

#include <map>

#include "converter/frontend/tflite/operator_names.h"

namespace micrort::frontend::tflite {

namespace {

using Table = std::map<std::string, const OpImporter*>;

Table MakeTable() {
  const Span<const OpImporter> lists[] = {
      ArithmeticImporters(),
      BidirectionalImporters(),
      BitImporters(),
      ComplexImporters(),
      MatrixImporters(),
      RandomImporters(),
      SignalImporters(),
      VolumeImporters(),
      ControlFlowImporters(),
      ConvImporters(),
      DetectionImporters(),
      FullyConnectedImporters(),
      JoinImporters(),
      LayoutImporters(),
      NonMaxSuppressionImporters(),
      NormalizationImporters(),
      PadImporters(),
      PoolImporters(),
      QuantizeImporters(),
      RecurrentImporters(),
      ReduceImporters(),
      ResizeImporters(),
      ScatterImporters(),
      SelectImporters(),
      SliceImporters(),
      SoftmaxImporters(),
      SpaceBatchImporters(),
      StridedSliceImporters(),
      UnaryImporters(),
      VariableImporters(),
      LandmarkImporters(),
      MediaPipeImageImporters(),
      SignalFilterBankImporters(),
      SignalStreamImporters(),
      EmbeddingSparseImporters(),
      ReduceWindowImporters(),
      StablehloConvolutionImporters(),
      StablehloElementImporters(),
      StablehloGatherImporters(),
      StablehloShapeImporters(),
      StablehloSortImporters(),
      UpdateSliceImporters(),
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
  if (op.rfind("STABLEHLO_", 0) == 0) return "one of the operators of StableHLO that are not supported";
  if (op == "CONCAT_EMBEDDINGS") return "TensorFlow Lite has no kernel for it";
  if (op.rfind("HASHTABLE", 0) == 0 || op == "LSH_PROJECTION" || op == "SKIP_GRAM")
    return "strings and tables are not supported";
  if (op == "DELEGATE" || op == "ethos-u" || op == "edgetpu-custom-op")
    return "compiled for an accelerator; convert the model before that";
  return IsOperatorName(op)
             ? "unknown operator"
             : "no operator of TFLite; if it is one of the program's own, --custom-domain tflite";
}

std::vector<const OpImporter*> AllImporters() {
  std::vector<const OpImporter*> all;
  for (const auto& entry : AllByName()) all.push_back(entry.second);
  return all;
}

}  // namespace micrort::frontend::tflite
