#include "converter/frontend/tflite/registry.h"

#include "converter/frontend/tflite/operator_names.h"

namespace micrort::frontend::tflite {

const ImporterTable<OpImporter>& Importers() {
  static const ImporterTable<OpImporter> table({MICRORT_TFLITE_IMPORTERS});
  return table;
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
             : "no operator of TFLite; if your program implements it, add --custom-domain tflite";
}

}  // namespace micrort::frontend::tflite
