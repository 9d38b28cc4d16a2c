#pragma once
// A graph or the body of a function while it is imported: its nodes by name, and what they have become.

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "converter/frontend/tensorflow/effects.h"
#include "converter/frontend/tensorflow/op_context.h"
#include "converter/frontend/tensorflow/tensor_ref.h"
#include "converter/frontend/tensorflow/tf_value.h"

namespace micrort::frontend::tensorflow {

class Scope {
 public:
  using Nodes = google::protobuf::RepeatedPtrField<::tensorflow::NodeDef>;

  // prefix: of names, "call/" of what a call holds. call: attributes of the call, or null. All outlive this.
  Scope(std::string prefix, const AttrMap* call, int depth)
      : prefix_(std::move(prefix)), call_(call), depth_(depth) {}
  // kInvalidModel if two nodes have one name.
  Status AddNodes(const Nodes& nodes);

  const std::string& prefix() const { return prefix_; }
  const AttrMap* call() const { return call_; }
  int depth() const { return depth_; }  // of calls inside calls
  bool is_function() const { return depth_ > 0; }

  // Null if there is none.
  const ::tensorflow::NodeDef* Find(const std::string& name) const;

  // How many of the node's outputs other nodes read, at least one.
  size_t CountOutputsRead(const std::string& node);

  // A tensor that is given from outside: an argument, or a feed.
  void Give(const std::string& tensor, TfValue value) { given_[tensor] = std::move(value); }
  // What the reference stands for as far as that is known; null if its node is still to be imported.
  const TfValue* Known(const TensorRef& ref) const;

  // Whether the node's control inputs have to come first; see effects.h.
  void SetOrder(EffectOrder order) { order_ = std::move(order); }
  bool IsOrdered(const std::string& node) const { return order_.nodes.count(node) != 0; }
  const std::vector<std::string>& changing() const { return order_.changing; }

  bool IsDone(const std::string& node) const { return results_.count(node) != 0; }
  void SetResults(const std::string& node, TfValues values) { results_[node] = std::move(values); }
  const TfValues& results(const std::string& node) const { return results_.at(node); }

 private:
  const std::string prefix_;
  const AttrMap* const call_;
  const int depth_;
  std::unordered_map<std::string, const ::tensorflow::NodeDef*> nodes_;
  std::unordered_map<std::string, size_t> outputs_read_;  // once one is asked for; of those with several
  bool has_counted_ = false;
  std::map<std::string, TfValue> given_;
  EffectOrder order_;
  std::unordered_map<std::string, TfValues> results_;
};

}  // namespace micrort::frontend::tensorflow
