#pragma once
// The inputs of a network, which Caffe has four ways to declare: `input` with `input_dim` or with
// `input_shape`, Input layers, and layers that read data.

#include <set>
#include <string>
#include <vector>

#include "converter/frontend/caffe/model_reader.h"

namespace micrort::frontend::caffe {

// Which layers of a network exist when it is run rather than trained.

struct TestLayer {
  const ::caffe::LayerParameter* layer;
  std::string unknown_field;  // see CaffeNet; empty: none
};

// The layers that `include` and `exclude` leave in the TEST phase. kInvalidModel if a layer has rules of both
// kinds.
Status TestLayers(const CaffeNet& net, std::vector<TestLayer>* out);

// Layers that only training needs: losses, Accuracy and their like.
bool IsForTraining(const std::string& type);

// Layers whose tops are the network's input.
bool ReadsData(const std::string& type);

struct NetInput {
  std::string name;
  bool has_shape = false;
  std::vector<int64_t> shape;
};

// In the order of the file. `read`: names that layers other than those for training read; of layers that read
// data, tops after the first one are labels, which are inputs only if they are among these.
Status FindNetInputs(const ::caffe::NetParameter& net, const std::vector<TestLayer>& layers,
                     const std::set<std::string>& read, std::vector<NetInput>* out);

}  // namespace micrort::frontend::caffe
