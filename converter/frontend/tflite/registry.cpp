#include "converter/frontend/tflite/registry.h"

#include "converter/frontend/common/importer_table.h"
#include "converter/frontend/tflite/operator_names.h"

namespace micrort::frontend::tflite {

namespace {

const ImporterTable<OpImporter>& Table() {
  static const ImporterTable<OpImporter> table({MICRORT_TFLITE_IMPORTERS}, &OpImporter::op);
  return table;
}

}  // namespace

const OpImporter* FindImporter(const std::string& op) { return Table().Find(op); }

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

std::vector<const OpImporter*> AllImporters() { return Table().All(); }

}  // namespace micrort::frontend::tflite
