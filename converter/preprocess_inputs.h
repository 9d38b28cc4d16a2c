#pragma once
// Puts what --mean, --scale, --color and --resize do to pictures into the model (--preprocess), or states it
// in the file.

#include "converter/ir/graph.h"
#include "converter/options.h"
#include "kernels/base/status.h"
#include "tools/io/image.h"

namespace micrort {

// Every float input that a picture fits (one sample, 1 or 3 channels, first or last) takes pixels of uint8, 0
// to 255, in RGB or grey, under its own name; (pixel - mean) * scale is computed from them. kInvalidArgument
// if the graph has no such input, or if there are more values than channels.
Status EmbedPreprocess(const io::Preprocess& preprocess, ir::Graph* graph);

// What is left to do to pictures outside of the model.
io::Preprocess PreprocessOutside(const ConvertOptions& options);

// Into the file, so that programs do it without being told (tools/io/stated_pictures.h).
void StatePictures(const ConvertOptions& options, ir::Module* module);

}  // namespace micrort
