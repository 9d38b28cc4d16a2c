#pragma once
// What the values of a function are called where it is put in place of a call.

#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "converter/frontend/onnx/function_definition.h"

namespace micrort::frontend::onnx {

// All names of a model, so that new ones are different.
class NameSet {
 public:
  // Takes the names of a graph and of those inside its nodes.
  void Reserve(const ::onnx::GraphProto& graph);
  // `wanted`, with a suffix if that is taken; taken from now on.
  std::string Take(const std::string& wanted);

 private:
  void Reserve(const ::onnx::NodeProto& node);

  std::unordered_set<std::string> taken_;
  std::unordered_map<std::string, int> next_suffix_;  // by the name that was wanted
};

// The names of one call: inputs and outputs of the function are those of the call, everything inside is
// called after the call ("norm/mean").
class FunctionNames {
 public:
  FunctionNames(const FunctionDefinition& function, const ::onnx::NodeProto& call, NameSet* taken);

  // Renames all that a copy of a node of the body reads and writes, in the graphs inside it too.
  void Rename(::onnx::NodeProto* node);

  // What no node of the body writes: outputs of the function that are its inputs.
  std::vector<::onnx::NodeProto> OutputsThatAreInputs() const;

 private:
  std::string NameOf(const std::string& inside);
  void Rename(::onnx::GraphProto* graph);

  NameSet& taken_;
  const std::string prefix_;
  std::unordered_map<std::string, std::string> names_;               // by the name in the function
  std::vector<std::pair<std::string, std::string>> passed_through_;  // input and output of the call
};

}  // namespace micrort::frontend::onnx
