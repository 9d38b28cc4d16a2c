#pragma once
// Operators on lists of tensors: TensorList..., and the TensorArray of TensorFlow 1.

#include "converter/frontend/common/graph_assembler.h"
#include "converter/frontend/tensorflow/scope.h"

namespace micrort::frontend::tensorflow {

bool IsListOp(const std::string& op);

// All of them, sorted.
std::vector<std::string> AllListOps();

Result<TfValues> ImportListOp(GraphAssembler& assembler, const Scope& scope,
                              const ::tensorflow::NodeDef& node, const TfValues& inputs);

}  // namespace micrort::frontend::tensorflow
