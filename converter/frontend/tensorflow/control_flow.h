#pragma once
// Branches and loops whose bodies are functions: If, Case, While.

#include "converter/frontend/tensorflow/graph_importer.h"

namespace micrort::frontend::tensorflow {

// Whether the operator is one of these, stateless or not.
bool IsControlFlow(const std::string& op);

// Where the condition is settled, the functions are put in place; else they become graphs inside operators.
Result<TfValues> ImportControlFlow(GraphImporter& graphs, Scope& scope, const ::tensorflow::NodeDef& node,
                                   const TfValues& inputs);

// A loop runs `condition` on what it hands on, and then `body`.
Result<TfValues> ImportWhile(GraphImporter& graphs, Scope& scope, const ::tensorflow::NodeDef& node,
                             const ::tensorflow::NameAttrList& condition,
                             const ::tensorflow::NameAttrList& body, const TfValues& inputs);

// What TensorFlow takes for true: a bool, or a number that is not 0, of one element.
Result<ir::ValueId> ConditionOf(GraphAssembler& assembler, const std::string& name, const TfValue& value);

// The same values, for a graph inside the one at hand.
TfValues FromAround(TfValues values);

Status OperatorInside();

}  // namespace micrort::frontend::tensorflow
