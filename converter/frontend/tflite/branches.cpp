#include "converter/frontend/tflite/branches.h"

#include <utility>

#include "converter/frontend/common/undecided_branches.h"

namespace micrort::frontend::tflite {

namespace {

Status ImportBranch(CalledSubgraph& branch, const std::vector<TensorValue>& arguments,
                    const std::set<std::string>& changed) {
  MICRORT_RETURN_IF_ERROR(branch.BindOuter(arguments));
  MICRORT_RETURN_IF_ERROR(branch.ImportOperators());
  std::vector<TensorValue> results;
  MICRORT_RETURN_IF_ERROR(branch.TakeResults(&results));
  if (branch.importer().is_incomplete()) return Status();
  for (size_t i = 0; i < results.size(); ++i) {
    if (results[i].variable.empty()) MICRORT_RETURN_IF_ERROR(branch.AddOutput(i));
  }
  for (const std::string& variable : changed) MICRORT_RETURN_IF_ERROR(branch.AddVariableOutput(variable));
  return Status();
}

}  // namespace

Status ImportBranches(SubgraphImporter& caller, const int64_t (&subgraphs)[2],
                      const std::vector<TensorValue>& arguments, ImportedBranches* out) {
  // What one branch changes, the other hands on, so once that is known, both are imported again.
  for (bool again = true; again;) {
    std::set<std::string> found = out->changed;
    const auto import = [&](size_t k, ImportedBody* body) {
      const auto import_inside = [&](CalledSubgraph& branch) {
        const Status status = ImportBranch(branch, arguments, out->changed);
        for (const std::string& variable : branch.importer().variables().assigned()) {
          if (caller.variables().IsDeclared(variable)) found.insert(variable);
        }
        return status;
      };
      return CalledSubgraph::ImportInside(caller, subgraphs[k], arguments.size(), import_inside, body)
          .WithPrefix(k == 0 ? "then" : "else");
    };
    MICRORT_RETURN_IF_ERROR(ImportEachBranch(import, &out->bodies));
    again = found != out->changed;
    out->changed = std::move(found);
  }
  return Status();
}

}  // namespace micrort::frontend::tflite
