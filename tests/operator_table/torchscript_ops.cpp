#include "tests/operator_table/torchscript_ops.h"

#include <cstdio>
#include <string>

#include "converter/frontend/torchscript/registry.h"

namespace micrort {

void PrintTorchscriptOps() {
  std::string rows;
  const auto importers = frontend::torchscript::AllOpImporters();
  for (const frontend::torchscript::OpImporter* importer : importers) {
    const std::string op = importer->op;
    rows +=
        "| " + (op.find("::") == std::string::npos ? "aten::" + op : op) + " | " + importer->without + " |\n";
  }
  std::printf(
      "\n## TorchScript\n\n"
      "%zu operators, each in place (`relu_`), too, besides those on numbers, strings, lists and "
      "dictionaries, which are "
      "run\n"
      "while the model is converted.\n\n"
      "| operator | not supported |\n| --- | --- |\n%s",
      importers.size(), rows.c_str());
}

}  // namespace micrort
