#include "tests/operator_table/tensorflow_ops.h"

#include <cstdio>
#include <string>

#include "converter/frontend/tensorflow/registry.h"

namespace micrort {

void PrintTensorflowOps() {
  std::string rows;
  const auto importers = frontend::tensorflow::AllOpImporters();
  for (const frontend::tensorflow::OpImporter* importer : importers) {
    rows += "| " + std::string(importer->op) + " | " + importer->without + " |\n";
  }
  std::printf(
      "\n## TensorFlow\n\n"
      "%zu operators, besides constants, variables, calls of functions, and branches by constant conditions. "
      "Operators that\n"
      "the outputs do not need are not looked at.\n\n"
      "| operator | not supported |\n| --- | --- |\n%s",
      importers.size(), rows.c_str());
}

}  // namespace micrort
