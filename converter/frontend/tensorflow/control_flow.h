#pragma once
// Branches and loops whose bodies are functions: If, Case, While.

#include "converter/frontend/tensorflow/graph_importer.h"

namespace micrort::frontend::tensorflow {

// Whether the operator is one of these, stateless or not.
bool IsControlFlow(const std::string& op);

// Where the condition is settled, the functions are put in place; else they become graphs inside operators.
Status ImportControlFlow(GraphImporter& graphs, Scope& scope, const ::tensorflow::NodeDef& node,
                         const std::vector<TfValue>& inputs, std::vector<TfValue>* results);

// A loop runs `condition` on what it hands on, and then `body`.
Status ImportWhile(GraphImporter& graphs, Scope& scope, const ::tensorflow::NodeDef& node,
                   const ::tensorflow::NameAttrList& condition, const ::tensorflow::NameAttrList& body,
                   const std::vector<TfValue>& inputs, std::vector<TfValue>* results);

// What TensorFlow takes for true: a bool, or a number that is not 0, of one element.
Status ConditionOf(GraphAssembler& assembler, const std::string& name, const TfValue& value,
                   ir::ValueId* out);

// The same values, for a graph inside the one at hand.
std::vector<TfValue> FromAround(std::vector<TfValue> values);

// An operator that cannot be imported is in what was just appended.
bool IsComplete(const std::vector<TfValue>& values);
Status OperatorInside();

}  // namespace micrort::frontend::tensorflow
