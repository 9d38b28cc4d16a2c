#pragma once
// Names for a subgraph, its inputs and its outputs.

#include <map>
#include <string>

#include "converter/frontend/common/offer.h"
#include "converter/frontend/tflite/model_file.h"

namespace micrort::frontend::tflite {

struct EntryPoint {
  size_t subgraph = 0;
  std::map<int32_t, std::string> inputs = {}, outputs = {};  // names by tensor; the others keep their own
};

// The signature of this name; without a name, the first subgraph as it is. kInvalidArgument if there is none.
Status FindEntryPoint(const ModelFile& file, const std::string& signature, EntryPoint* out);

void ListEntryPoints(const ModelFile& file, std::vector<Offer>* out);

}  // namespace micrort::frontend::tflite
