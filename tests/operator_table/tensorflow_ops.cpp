#include "tests/operator_table/tensorflow_ops.h"

#include <cstdio>
#include <string>

#include "converter/frontend/tensorflow/list_ops.h"
#include "converter/frontend/tensorflow/registry.h"

namespace micrort {

void PrintTensorflowOps() {
  std::string rows, lists;
  const auto importers = frontend::tensorflow::Importers().All();
  for (const frontend::tensorflow::OpImporter* importer : importers) {
    rows += "| " + std::string(importer->op) + " | " + importer->support.without + " |\n";
  }
  for (const std::string& op : frontend::tensorflow::AllListOps()) lists += "| " + op + " |\n";
  std::printf(
      "\n## TensorFlow\n\n"
      "%zu operators, besides constants, variables, calls of functions, branches (If, StatelessIf, Case,\n"
      "StatelessCase; Switch and Merge), loops (While, StatelessWhile; Enter to Exit), and the operators on\n"
      "lists of tensors below. Operators that no output depends on are ignored.\n\n"
      "| operator | not supported |\n| --- | --- |\n%s\n"
      "Operators on lists of tensors:\n\n| operator |\n| --- |\n%s",
      importers.size(), rows.c_str(), lists.c_str());
}

}  // namespace micrort
