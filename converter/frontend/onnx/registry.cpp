#include "converter/frontend/onnx/registry.h"

#include <map>

namespace micrort::frontend::onnx {

namespace {

using Table = std::map<std::string, const OpImporter*>;

Table MakeTable() {
  const Span<const OpImporter> lists[] = {
      ActivationImporters(),
      AffineGridImporters(),
      ArithmeticImporters(),
      AttentionImporters(),
      BatchNormalizationImporters(),
      CenterCropPadImporters(),
      Col2ImImporters(),
      ContribAttentionImporters(),
      ContribLayerImporters(),
      ControlFlowImporters(),
      ConvImporters(),
      ConvTransposeImporters(),
      DeformConvImporters(),
      DeterminantImporters(),
      DiagonalImporters(),
      EinsumImporters(),
      ExperimentalImporters(),
      FourierImporters(),
      GatherScatterImporters(),
      GenerateImporters(),
      GroupQueryAttentionImporters(),
      IndexImporters(),
      IntegerProductImporters(),
      LayerNormalizationImporters(),
      LayoutImporters(),
      LogicImporters(),
      LossImporters(),
      MatMulImporters(),
      MatMulNBitsImporters(),
      MaxRoiPoolImporters(),
      MelWeightMatrixImporters(),
      NormalizationImporters(),
      OptionalImporters(),
      PadImporters(),
      PoolImporters(),
      QLinearImporters(),
      QuantizeImporters(),
      QuantizedLstmImporters(),
      RandomImporters(),
      RecurrentImporters(),
      ReduceImporters(),
      ResizeImporters(),
      ReverseSequenceImporters(),
      RotaryEmbeddingImporters(),
      SamplingImporters(),
      ScanImporters(),
      SelectionImporters(),
      SequenceImporters(),
      ShapeImporters(),
      SoftmaxImporters(),
      TensorScatterImporters(),
      TfIdfImporters(),
      UnpoolImporters(),
      WindowImporters(),
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

std::string QualifiedOp(const std::string& domain, const std::string& op) {
  return domain.empty() || domain == "ai.onnx" ? op : domain + "." + op;
}

const OpImporter* FindImporter(const std::string& domain, const std::string& op) {
  const Table& table = AllByName();
  const auto found = table.find(QualifiedOp(domain, op));
  return found == table.end() ? nullptr : found->second;
}

const char* WhyNoImporter(const std::string& domain, const std::string& op) {
  if (domain == "ai.onnx.preview.training") return "an operator for training; models are run, not trained";
  if (domain == "ai.onnx.ml") return "classical machine learning (ai.onnx.ml) is not supported";
  if (!domain.empty() && domain != "ai.onnx") {
    return "unknown operator (--custom-domain lets those of a program's own through)";
  }
  if (op == "ImageDecoder") return "pictures in files are not supported; decode them before the model runs";
  const bool on_strings = op.rfind("String", 0) == 0 || op == "RegexFullMatch";
  return on_strings ? "strings are not supported" : "unknown operator";
}

std::vector<const OpImporter*> AllImporters() {
  std::vector<const OpImporter*> all;
  for (const auto& entry : AllByName()) all.push_back(entry.second);
  return all;
}

}  // namespace micrort::frontend::onnx
