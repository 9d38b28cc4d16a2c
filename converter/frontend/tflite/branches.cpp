#include "converter/frontend/tflite/branches.h"

#include <utility>

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
    for (int k = 0; k < 2; ++k) {
      const auto import = [&](CalledSubgraph& branch) {
        const Status status = ImportBranch(branch, arguments, out->changed);
        for (const std::string& variable : branch.importer().variables().assigned()) {
          if (caller.variables().IsDeclared(variable)) found.insert(variable);
        }
        return status;
      };
      const Status status =
          CalledSubgraph::ImportInside(caller, subgraphs[k], arguments.size(), import, &out->bodies[k]);
      MICRORT_RETURN_IF_ERROR(status.WithPrefix(k == 0 ? "then" : "else"));
    }
    again = found != out->changed;
    out->changed = std::move(found);
  }
  return Status();
}

}  // namespace micrort::frontend::tflite
