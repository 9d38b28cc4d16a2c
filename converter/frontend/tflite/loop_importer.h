#pragma once
// The subgraphs of a WHILE as the body of a Loop: outputs are whether to go on, then the carried values.

#include <set>
#include <string>
#include <vector>

#include "converter/frontend/tflite/called_subgraph.h"
#include "converter/frontend/tflite/quantized_values.h"

namespace micrort::frontend::tflite {

// What iterations of a loop hand on: a tensor, or a variable that the loop's subgraphs change.
struct CarriedValue : Carried {
  int position = -1;  // among the loop's inputs; -1: a variable
  std::string variable = {};
  StoredForm form = {};  // of the variable
};

class LoopImporter {
 public:
  // `caller` has the operator, `builder` is for nodes before it. *carried: the tensors that the loop carries;
  // the variables that it changes are added.
  LoopImporter(SubgraphImporter& caller, const std::vector<TensorValue>& arguments, ir::Builder& builder,
               std::vector<CarriedValue>* carried)
      : caller_(caller), arguments_(arguments), builder_(builder), carried_(*carried) {}

  Status Import(int64_t condition, int64_t body, ImportedBody* out);

 private:
  Status ImportIteration(CalledSubgraph& body, int64_t condition);
  Status ImportCondition(SubgraphImporter& body, int64_t condition, const std::vector<TensorValue>& results);
  Status AddInput(const CarriedValue& carried, SubgraphImporter& body);
  Status CarryVariables(const std::set<std::string>& assigned, bool* changed);
  bool IsCarried(const std::string& variable) const;

  SubgraphImporter& caller_;
  const std::vector<TensorValue>& arguments_;
  ir::Builder& builder_;
  std::vector<CarriedValue>& carried_;
};

}  // namespace micrort::frontend::tflite
