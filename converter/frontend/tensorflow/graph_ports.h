#pragma once
// Inputs and outputs of a graph that has no signature.

#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "converter/frontend/frontend.h"
#include "converter/frontend/tensorflow/model_reader.h"

namespace micrort::frontend::tensorflow {

// What the model, the configuration or the flags name; else the tensors that no node reads, and the
// placeholders that these need, in the order of the file.
Status FindPorts(const TensorflowModel& model, const ImportOptions& options, std::vector<Port>* inputs,
                 std::vector<Port>* outputs);

// Placeholders that the outputs need beside the inputs, unless a branch that is not taken needs them.
std::set<std::string> MissingPlaceholders(const ::tensorflow::GraphDef& graph,
                                          const std::vector<Port>& inputs, const std::vector<Port>& outputs);

// Shapes of placeholders that tell none, from what their readers expect: images of convolutions, rows of
// matrix products with constant weights, scalars of arithmetic. Valid as long as the graph does not change.
class ShapeGuesser {
 public:
  explicit ShapeGuesser(const ::tensorflow::GraphDef& graph);

  // False if the readers do not say.
  bool Guess(const std::string& placeholder, std::vector<int64_t>* shape) const;

 private:
  struct Reader {
    const ::tensorflow::NodeDef* node;
    bool is_first;  // the placeholder is the first input of several
  };

  int64_t ConstantDim(const std::string& name, int axis) const;

  std::unordered_map<std::string, const ::tensorflow::NodeDef*> nodes_;
  std::unordered_map<std::string, std::vector<Reader>> readers_;
};

}  // namespace micrort::frontend::tensorflow
