#include "tests/operator_table/torchscript_ops.h"

#include <cstdio>
#include <string>
#include <vector>

#include "converter/frontend/torchscript/aliases.h"
#include "converter/frontend/torchscript/compositions.h"
#include "converter/frontend/torchscript/registry.h"

namespace micrort {

namespace {

std::string WithNamespace(const std::string& op) {
  return op.find("::") == std::string::npos ? "aten::" + op : op;
}

std::string Listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + WithNamespace(name);
  return text;
}

}  // namespace

void PrintTorchscriptOps() {
  using frontend::torchscript::Numbering;
  std::string rows;
  const auto importers = frontend::torchscript::Importers().All();
  for (const frontend::torchscript::OpImporter* importer : importers)
    rows += "| " + WithNamespace(importer->op) + " | " + importer->without + " |\n";
  const auto composed = frontend::torchscript::AllCompositions();
  const auto aliases = frontend::torchscript::AllAliases();
  std::printf(
      "\n## TorchScript\n\n"
      "%zu operators, and their in-place forms (`relu_`). Operators on numbers, strings, lists and\n"
      "dictionaries run while the model is converted.\n\n"
      "| operator | not supported |\n| --- | --- |\n%s\n"
      "%zu more operators are composed of these: %s.\n\n"
      "%zu more names stand for operators above: %s.\n\n"
      "Complex numbers are supported by linear operators, products, Fourier transforms, and: %s.\n",
      importers.size() + composed.size() + aliases.size(), rows.c_str(), composed.size(),
      Listed(composed).c_str(), aliases.size(), Listed(aliases).c_str(),
      Listed(frontend::torchscript::AllCompositions(Numbering::kComplex)).c_str());
}

}  // namespace micrort
