#include "converter/frontend/torchscript/registry.h"

namespace micrort::frontend::torchscript {

const ImporterTable<OpImporter>& Importers() {
  static const ImporterTable<OpImporter> table({MICRORT_TORCHSCRIPT_IMPORTERS});
  return table;
}

const OpImporter* FindOpImporter(const std::string& op, bool* in_place) {
  *in_place = false;
  const OpImporter* found = Importers().Find(op);
  if (found == nullptr && op.size() > 1 && op.back() == '_') {
    found = Importers().Find(op.substr(0, op.size() - 1));
    *in_place = found != nullptr;
  }
  return found;
}

const char* WhyNoOpImporter(const std::string& op) {
  if (op.find("rand") != std::string::npos || op == "bernoulli" || op == "multinomial")
    return "these random numbers are not drawn here";
  if (op.find("_backward") != std::string::npos)
    return "an operator for training; models are run, not trained";
  if (op.find("quantized::") == 0) return "this operator on quantized tensors cannot be converted";
  return "unknown operator";
}

}  // namespace micrort::frontend::torchscript
