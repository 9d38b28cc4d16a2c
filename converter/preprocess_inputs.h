#pragma once
// --preprocess: what --mean, --scale and --color do to pictures becomes a part of the model.

#include "converter/ir/graph.h"
#include "kernels/base/status.h"
#include "tools/io/image.h"

namespace micrort {

// Every float input that a picture fits (one sample, 1 or 3 channels, first or last) takes pixels of uint8, 0
// to 255, in RGB or grey, under its own name; (pixel - mean) * scale is computed from them. kInvalidArgument
// if the graph has no such input, or if there are more values than channels.
Status EmbedPreprocess(const io::Preprocess& preprocess, ir::Graph* graph);

// The part of preprocessing that is left for pictures that such a model reads.
io::Preprocess WithoutNormalization(const io::Preprocess& preprocess);

}  // namespace micrort
