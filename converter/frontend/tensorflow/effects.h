#pragma once
// Which nodes read and change variables: these have to be imported in the order that control inputs say, and
// those that change one even where no output needs them.

#include <map>
#include <string>
#include <unordered_set>
#include <vector>

#include "converter/frontend/tensorflow/tensorflow.pb.h"

namespace micrort::frontend::tensorflow {

// Whether the operator gives a variable another value.
bool ChangesVariable(const std::string& op);

// The order in one graph or function; both empty where nothing changes a variable.
struct EffectOrder {
  std::unordered_set<std::string> nodes;  // whose control inputs among these come first
  std::vector<std::string> changing;      // as the graph lists them
};

class Effects {
 public:
  using Nodes = google::protobuf::RepeatedPtrField<::tensorflow::NodeDef>;

  // The library outlives this.
  explicit Effects(const ::tensorflow::FunctionDefLibrary& library);

  // The order in a function, all of whose nodes that change something run.
  EffectOrder OfFunction(const Nodes& nodes);
  // The order in a graph, of which only what these nodes need runs.
  EffectOrder OfGraph(const Nodes& nodes, const std::vector<std::string>& outputs);

 private:
  struct Effect {
    bool touches = false, changes = false;
  };
  Effect OfNode(const ::tensorflow::NodeDef& node, int depth);
  Effect OfCalled(const std::string& function, int depth);
  EffectOrder OrderOf(const std::vector<const ::tensorflow::NodeDef*>& nodes);

  std::map<std::string, const ::tensorflow::FunctionDef*> functions_;
  std::map<std::string, Effect> known_;
};

}  // namespace micrort::frontend::tensorflow
