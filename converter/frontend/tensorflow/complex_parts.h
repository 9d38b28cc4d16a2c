#pragma once
// Operators that compute with complex numbers by what they do to real ones.

#include <vector>

#include "converter/frontend/tensorflow/registry.h"
#include "converter/frontend/tensorflow/tf_value.h"

namespace micrort::frontend::tensorflow {

// Whether the node is one of these, for such inputs.
bool WorksOnParts(const ::tensorflow::NodeDef& node, const TfValues& inputs);

// Imports the context's node, which works on parts. *is_complex: what it gives.
Status ImportOnParts(const OpImporter& importer, const AttrMap* call, const TfValues& inputs, OpContext& c,
                     bool* is_complex);

}  // namespace micrort::frontend::tensorflow
