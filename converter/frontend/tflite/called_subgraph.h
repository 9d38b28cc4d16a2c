#pragma once
// A subgraph that an operator runs: put in the operator's place, or imported as a graph inside it. Numbers of
// subgraphs are as the file has them.

#include <functional>
#include <string>
#include <vector>

#include "converter/frontend/common/imported_body.h"
#include "converter/frontend/tflite/subgraph_importer.h"

namespace micrort::frontend::tflite {

class CalledSubgraph {
 public:
  // Appends its operators as if they stood where the operator does.
  static Status Inline(SubgraphImporter& caller, int64_t subgraph, const std::vector<TensorValue>& arguments,
                       std::vector<TensorValue>* results);
  // What `import` makes of it, as a graph inside the operator.
  using Import = std::function<Status(CalledSubgraph& inside)>;
  static Status ImportInside(SubgraphImporter& caller, int64_t subgraph, size_t arguments,
                             const Import& import, ImportedBody* out);

  SubgraphImporter& importer() { return importer_; }

  // Its inputs stand for values of the graph around; those that are bound already stay.
  Status BindOuter(const std::vector<TensorValue>& arguments) { return Bind(arguments, true); }
  Status ImportOperators() { return importer_.ImportOperators(outputs_, false); }
  // What it gives. An output that was not reached makes the importer incomplete.
  Status TakeResults(std::vector<TensorValue>* results);
  // Makes its output i one of the graph inside, as real numbers where it is quantized; then a variable.
  Status AddOutput(size_t i);
  Status AddVariableOutput(const std::string& variable);

 private:
  CalledSubgraph(SubgraphImporter& caller, int64_t subgraph, ir::Graph* graph);

  Status Bind(const std::vector<TensorValue>& arguments, bool from_around);

  SubgraphImporter importer_;
  const std::vector<int32_t> inputs_, outputs_;
};

}  // namespace micrort::frontend::tflite
