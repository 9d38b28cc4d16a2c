#include "converter/frontend/torchscript/registry.h"

#include <map>

namespace micrort::frontend::torchscript {

namespace {

using OpTable = std::map<std::string, const OpImporter*>;

OpTable MakeOpTable() {
  const Span<const OpImporter> lists[] = {
      ActivationOps(), ArithmeticOps(),     AttentionOps(), CastOps(),          ConvolutionOps(),
      DistanceOps(),   EmbeddingBagOps(),   ExpandOps(),    GenerateOps(),      IndexOps(),
      JoinOps(),       MatMulOps(),         MatrixOps(),    NormalizationOps(), OrderOps(),
      PadOps(),        PoolOps(),           PrepackedOps(), QuantizedOps(),     RandomOps(),
      RecurrentOps(),  ReductionOps(),      ResizeOps(),    ScatterOps(),       SelectionOps(),
      ShapeOps(),      SliceOps(),          SpecialOps(),   SpectralOps(),      UnaryOps(),
      VisionOps(),     WindowFunctionOps(), WindowOps()};
  OpTable table;
  for (const auto& list : lists) {
    for (const OpImporter& importer : list) table.emplace(importer.op, &importer);
  }
  return table;
}

const OpTable& OpsByName() {
  static const OpTable table = MakeOpTable();
  return table;
}

}  // namespace

const OpImporter* FindOpImporter(const std::string& op, bool* in_place) {
  const OpTable& table = OpsByName();
  *in_place = false;
  auto found = table.find(op);
  if (found == table.end() && op.size() > 1 && op.back() == '_') {
    found = table.find(op.substr(0, op.size() - 1));
    *in_place = found != table.end();
  }
  return found == table.end() ? nullptr : found->second;
}

const char* WhyNoOpImporter(const std::string& op) {
  if (op.find("rand") != std::string::npos || op == "bernoulli" || op == "multinomial") {
    return "these random numbers are not drawn here";
  }
  if (op.find("_backward") != std::string::npos)
    return "an operator for training; models are run, not trained";
  if (op.find("quantized::") == 0) return "this operator on quantized tensors cannot be converted";
  return "unknown operator";
}

std::vector<const OpImporter*> AllOpImporters() {
  std::vector<const OpImporter*> all;
  for (const auto& entry : OpsByName()) all.push_back(entry.second);
  return all;
}

}  // namespace micrort::frontend::torchscript
