#pragma once
// Dilated convolutions as TensorFlow spells them: SPACE_TO_BATCH_ND, a convolution without padding,
// BATCH_TO_SPACE_ND. The convolution is imported with dilation and padding, and the two others hand on what
// they read.

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "converter/frontend/tflite/model_file.h"

namespace micrort::frontend::tflite {

struct Dilation {
  int64_t h = 1, w = 1;
  int32_t top = 0, left = 0, bottom = 0, right = 0;  // padding
};

class DilatedConvs {
 public:
  // `outputs`: tensors that are read by others than the subgraph's operators.
  void Find(const ModelFile& file, const fb::SubGraph& graph, const std::vector<int32_t>& outputs);

  // Null for a convolution that is what it says.
  const Dilation* Of(const fb::Operator& conv) const;
  // Whether the operator only hands on what it reads.
  bool HandsOn(const fb::Operator& op) const { return handed_on_.count(&op) != 0; }

 private:
  std::map<const fb::Operator*, Dilation> convs_;
  std::set<const fb::Operator*> handed_on_;
};

}  // namespace micrort::frontend::tflite
