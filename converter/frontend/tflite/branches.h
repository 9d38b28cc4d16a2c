#pragma once
// The two subgraphs of an IF as graphs inside it.

#include <set>
#include <string>
#include <vector>

#include "converter/frontend/tflite/called_subgraph.h"

namespace micrort::frontend::tflite {

// Outputs: those of the subgraphs, as SubgraphImporter::PassedArgument has them, then the variables that one
// of them changes.
struct ImportedBranches {
  ImportedBody bodies[2];  // then, else
  std::set<std::string> changed;
};

Status ImportBranches(SubgraphImporter& caller, const int64_t (&subgraphs)[2],
                      const std::vector<TensorValue>& arguments, ImportedBranches* out);

}  // namespace micrort::frontend::tflite
