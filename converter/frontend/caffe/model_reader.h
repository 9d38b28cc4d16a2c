#pragma once
// NetParameter from a .prototxt or a .caffemodel, in today's form whatever its age.

#include <map>
#include <string>

#include "converter/frontend/caffe/caffe.pb.h"
#include "kernels/base/span.h"
#include "kernels/base/status.h"

namespace micrort::frontend::caffe {

struct CaffeNet {
  ::caffe::NetParameter proto;  // its `layers` are empty: all are in `layer`
  bool is_text = false;
  // By index of the layer: a field that we do not know and that may matter.
  std::map<int, std::string> unknown_fields;
};

// After comments, text begins with a field of a network.
bool LooksLikeNetText(Span<const uint8_t> bytes);
// The first field of a message is the network's name, a layer or an input.
bool LooksLikeNetMessage(Span<const uint8_t> bytes);

// kInvalidModel if the bytes are no network.
Status ReadNet(Span<const uint8_t> bytes, CaffeNet* out);

}  // namespace micrort::frontend::caffe
