#pragma once
// A subgraph, its inputs and its outputs, with the names that a signature gives them.

#include <cstdint>
#include <string>
#include <vector>

#include "converter/frontend/common/offer.h"
#include "converter/frontend/tflite/model_file.h"

namespace micrort::frontend::tflite {

// An input or output of the model. Several may be one tensor.
struct Port {
  int32_t tensor = 0;
  std::string name = {};
};

struct EntryPoint {
  size_t subgraph = 0;
  std::vector<Port> inputs = {}, outputs = {};
};

// The signature of this name; without a name, the first subgraph as it is. kInvalidArgument if there is none.
Status FindEntryPoint(const ModelFile& file, const std::string& signature, EntryPoint* out);

void ListEntryPoints(const ModelFile& file, std::vector<Offer>* out);

}  // namespace micrort::frontend::tflite
