#pragma once
// Which layers of a network exist when it is run rather than trained.

#include <string>
#include <vector>

#include "converter/frontend/caffe/model_reader.h"

namespace micrort::frontend::caffe {

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

}  // namespace micrort::frontend::caffe
