#include "converter/frontend/onnx/registry.h"

namespace micrort::frontend::onnx {

const ImporterTable<OpImporter>& Importers() {
  static const ImporterTable<OpImporter> table({MICRORT_ONNX_IMPORTERS});
  return table;
}

std::string QualifiedOp(const std::string& domain, const std::string& op) {
  return domain.empty() || domain == "ai.onnx" ? op : domain + "." + op;
}

const OpImporter* FindImporter(const std::string& domain, const std::string& op) {
  return Importers().Find(QualifiedOp(domain, op));
}

const char* WhyNoImporter(const std::string& domain, const std::string& op) {
  if (domain == "ai.onnx.preview.training") return "an operator for training; models are run, not trained";
  if (domain == "ai.onnx.ml") return "this operator of classical machine learning is not supported";
  if (!domain.empty() && domain != "ai.onnx")
    return "unknown operator; if your program implements it, add --custom-domain with its domain";
  if (op == "ImageDecoder") return "pictures in files are not supported; decode them before the model runs";
  const bool on_strings = op.rfind("String", 0) == 0 || op == "RegexFullMatch";
  return on_strings ? "strings are not supported" : "unknown operator";
}

}  // namespace micrort::frontend::onnx
