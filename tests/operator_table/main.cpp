// Prints docs/operators.md.

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "converter/frontend/onnx/model_reader.h"
#include "converter/frontend/onnx/registry.h"
#include "converter/frontend/tflite/registry.h"
#include "micrort/op_resolver.h"
#include "runtime/ops/op.h"
#include "tests/operator_table/caffe_layers.h"
#include "tests/operator_table/imported_types.h"
#include "tests/operator_table/onnx_opsets.h"
#include "tests/operator_table/tensorflow_ops.h"
#include "tests/operator_table/torchscript_ops.h"

namespace micrort {
namespace {

using frontend::TypeSet;
using frontend::onnx::OpImporter;

constexpr char kIntroduction[] =
    "# Operators\n\n"
    "Generated from the registry of importers (`./dev docs`); a test keeps it current.\n\n"
    "An ONNX model's opset may be %d to %d. An operator is imported with the meaning that it has in the "
    "model's "
    "opset; the\n"
    "column says in which of these opsets ONNX has it. Types are those of its main input: *floats* are "
    "float32,\n"
    "float16, bfloat16 and float64, *integers* int8 to int64 and uint8 to uint64, *numbers* both, *all* with "
    "bool. What\n"
    "is not supported is refused with a message that names the node: exit code 3, and nothing is written.\n\n"
    "Not supported anywhere: strings, complex numbers and floats of 4 or 8 bits; sequences, optionals and "
    "maps as inputs\n"
    "or outputs of the model; operators for training.\n";

// Groups first, then what is left.
std::string TypesText(TypeSet types) {
  if (types == 0) return "–";
  if (types == frontend::kAllTypes) return "all";
  struct Group {
    TypeSet types;
    const char* name;
  };
  constexpr Group kGroups[] = {
      {frontend::kNumbers, "numbers"}, {frontend::kFloats, "floats"}, {frontend::kIntegers, "integers"}};
  std::string text;
  const auto add = [&](const char* name) { text += (text.empty() ? "" : ", ") + std::string(name); };
  for (const Group& group : kGroups) {
    if ((types & group.types) != group.types) continue;
    add(group.name);
    types &= ~group.types;
  }
  for (int t = 1; t < kDTypeCount; ++t) {
    if (types & frontend::TypesOf(static_cast<DType>(t))) add(Name(static_cast<DType>(t)));
  }
  return text;
}

std::string OpsetsText(const OpImporter& importer) {
  OpsetRange opsets = {importer.support.since, importer.support.until};
  if (DomainOf(importer).empty()) {
    const OpsetRange defined = OnnxOpsets(importer.op);
    opsets.first = std::max({opsets.first, defined.first, frontend::onnx::kMinOnnxOpset});
    if (opsets.last == 0) opsets.last = defined.last != 0 ? defined.last : frontend::onnx::kMaxOnnxOpset;
  }
  const std::string first = std::to_string(opsets.first);
  return opsets.last <= opsets.first ? first : first + "–" + std::to_string(opsets.last);
}

std::string Rows(const std::vector<const OpImporter*>& importers) {
  std::string rows;
  for (const OpImporter* importer : importers) {
    const frontend::OpSupport& support = importer->support;
    rows += "| " + NameOf(*importer) + " | " + OpsetsText(*importer) + " | " +
            TypesText(support.types != 0 ? support.types : ImportedTypes(*importer)) + " | " +
            support.without + " |\n";
  }
  return rows;
}

void PrintDomain(const std::string& domain) {
  std::vector<const OpImporter*> importers;
  for (const OpImporter* importer : frontend::onnx::Importers().All()) {
    if (DomainOf(*importer) == domain) importers.push_back(importer);
  }
  std::printf(
      "\n## %s\n\n%zu operators.\n\n| operator | opsets | types | not supported |\n| --- | --- | --- | --- "
      "|\n%s",
      domain.empty() ? "ONNX" : domain.c_str(), importers.size(), Rows(importers).c_str());
}

// Formats whose operators have no versions that matter here.
template <typename Importer>
void PrintFormat(const char* title, const std::vector<const Importer*>& importers) {
  std::printf("\n## %s\n\n%zu operators.\n\n| operator | types | not supported |\n| --- | --- | --- |\n",
              title, importers.size());
  for (const Importer* importer : importers) {
    std::printf("| %s | %s | %s |\n", importer->op, TypesText(importer->support.types).c_str(),
                importer->support.without);
  }
}

void PrintRuntimeOperators() {
  std::vector<std::string> names;
  for (int code = 0; code <= static_cast<int>(schema::OpCode::MAX); ++code) {
    if (const OpRegistration* op = AllOps().Find(code)) names.push_back(op->name);
  }
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : " ") + ("`" + name + "`");
  std::printf(
      "\n## Operators of the runtime\n\nThe converter expresses all of the above by these %zu.\n\n%s\n",
      names.size(), list.c_str());
}

void Print() {
  std::printf(kIntroduction, frontend::onnx::kMinOnnxOpset, frontend::onnx::kMaxOnnxOpset);
  std::vector<std::string> domains;
  for (const OpImporter* importer : frontend::onnx::Importers().All()) domains.push_back(DomainOf(*importer));
  std::sort(domains.begin(), domains.end());
  domains.erase(std::unique(domains.begin(), domains.end()), domains.end());
  for (const std::string& domain : domains) PrintDomain(domain);
  PrintFormat("TFLite", frontend::tflite::Importers().All());
  PrintCaffeLayers();
  PrintTensorflowOps();
  PrintTorchscriptOps();
  PrintRuntimeOperators();
}

}  // namespace
}  // namespace micrort

int main() { micrort::Print(); }
