#pragma once
// Inputs and outputs of a graph that has no signature.

#include <string>
#include <vector>

#include "converter/frontend/frontend.h"
#include "converter/frontend/tensorflow/model_reader.h"

namespace micrort::frontend::tensorflow {

// What the model, the configuration or the flags name; else the tensors that no node reads, and the
// placeholders that these need, in the order of the file.
Status FindPorts(const TensorflowModel& model, const ImportOptions& options, std::vector<Port>* inputs,
                 std::vector<Port>* outputs);

// The shape of a placeholder that tells none, from what its readers expect: images of convolutions, rows of
// matrix products with constant weights, scalars of arithmetic. False if they do not say.
bool GuessShape(const ::tensorflow::GraphDef& graph, const std::string& placeholder,
                std::vector<int64_t>* shape);

}  // namespace micrort::frontend::tensorflow
