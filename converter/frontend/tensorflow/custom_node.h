#pragma once
// Operators that TensorFlow does not have, of programs that registered them (mnnconvert --custom-domain
// tensorflow).

#include "converter/frontend/tensorflow/tensorflow.pb.h"
#include "kernels/base/status.h"
#include "micrort/custom_op.h"
#include "schema/micrort_generated.h"

namespace micrort::frontend::tensorflow {

// Their domain here; a GraphDef has none.
constexpr char kCustomDomain[] = "tensorflow";
constexpr size_t kMaxCustomOutputs = MICRORT_MAX_CUSTOM_TENSORS;

// outputs: how many the graph reads. Shapes are stated where the graph was written with them
// (_output_shapes), types where the operator has one type for all (T). kUnsupported for attributes that are
// no numbers or texts.
Status CustomOptionsOf(const ::tensorflow::NodeDef& node, size_t outputs, schema::CustomOptionsT* options);

}  // namespace micrort::frontend::tensorflow
