#pragma once
// The windows that convolutions and poolings slide over images.

#include "converter/frontend/caffe/layer_context.h"
#include "converter/frontend/common/window.h"

namespace micrort::frontend::caffe {

// What Caffe lets a layer say about one property of its window: a list with an entry for both dimensions or
// one for each, or the height and the width by themselves.
struct WindowField {
  const char* name;
  std::vector<int64_t> list;
  bool has_h = false, has_w = false;
  int64_t h = 0, w = 0;
};

// kInvalidModel if it is said twice or not in [low, kMaxExtent]; `otherwise` where it is not said.
Status ReadWindowField(const WindowField& field, int64_t low, int64_t otherwise, int64_t WindowAxis::*to,
                       Window* window);

}  // namespace micrort::frontend::caffe
