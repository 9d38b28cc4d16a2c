#pragma once
// Nodes by name, and functions made of some of them.

#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "converter/frontend/tensorflow/tensor_ref.h"
#include "converter/frontend/tensorflow/tensorflow.pb.h"

namespace micrort::frontend::tensorflow {

using NodeList = google::protobuf::RepeatedPtrField<::tensorflow::NodeDef>;

// Valid as long as the list does not lose nodes.
class NodeGraph {
 public:
  explicit NodeGraph(NodeList* nodes);

  // One that the list has got since.
  void Add(::tensorflow::NodeDef* node);

  const std::vector<::tensorflow::NodeDef*>& nodes() const { return all_; }
  // The node that a tensor comes from; null if there is none, or if it is a control input.
  ::tensorflow::NodeDef* Source(const std::string& tensor) const;
  ::tensorflow::NodeDef* Find(const std::string& name) const;
  // Each of them once, in the order of the list.
  const std::vector<::tensorflow::NodeDef*>& readers(const std::string& name) const;
  // A name like this one that no node has.
  std::string Unused(const std::string& name) const;

 private:
  void AddReader(::tensorflow::NodeDef* node);

  std::vector<::tensorflow::NodeDef*> all_;
  std::unordered_map<std::string, ::tensorflow::NodeDef*> nodes_;
  std::unordered_map<std::string, std::vector<::tensorflow::NodeDef*>> readers_;
};

// "node:0" and "node" are one tensor.
std::string TensorKey(const std::string& tensor);

// A function under construction: the nodes that its results need, up to its arguments.
class FunctionBuilder {
 public:
  FunctionBuilder(const NodeGraph& graph, std::string name);

  // A tensor that the function gets under this name.
  void AddArgument(const std::string& tensor, const std::string& name) {
    arguments_[TensorKey(tensor)] = name;
  }
  // In order: arguments that the signature has, and tensors that it gives.
  void Declare(const std::string& argument) {
    function_.mutable_signature()->add_input_arg()->set_name(argument);
  }
  void AddResult(const std::string& tensor);

  const ::tensorflow::FunctionDef& function() const { return function_; }

 private:
  std::string Inside(const std::string& tensor);

  const NodeGraph& graph_;
  ::tensorflow::FunctionDef function_;
  std::map<std::string, std::string> arguments_;
  std::set<std::string> copied_;
};

// Sets an attribute of a node to a function whose nodes have their names already.
void SetFunction(const std::string& function, ::tensorflow::AttrValue* attribute);

}  // namespace micrort::frontend::tensorflow
