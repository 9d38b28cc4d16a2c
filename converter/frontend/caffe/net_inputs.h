#pragma once
// The inputs of a network, which Caffe has four ways to declare: `input` with `input_dim` or with
// `input_shape`, Input layers, and layers that read data.

#include <set>
#include <string>
#include <vector>

#include "converter/frontend/caffe/phase.h"

namespace micrort::frontend::caffe {

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
