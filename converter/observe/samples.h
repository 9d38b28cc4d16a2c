#pragma once
// Inputs to run a model on: the user's, or random ones.

#include <string>
#include <vector>

#include "converter/ir/graph.h"
#include "tools/io/load.h"

namespace micrort::observe {

// One array an input, in the order of the model's inputs.
using Sample = std::vector<io::NamedArray>;

std::vector<io::InputSpec> InputSpecsOf(const ir::Graph& graph);

// Each of `paths` is PATH or NAME=PATH; a folder means its files of known formats and those of the folders in
// it, in the order of their names. A path without a name belongs to the only input; an .npz without one to
// every input. The i-th array of each input makes the i-th sample; an input with a single array gets it in
// every sample. Errors: kIo; kInvalidArgument, naming file or input, if shapes or counts do not fit, if a
// value is NaN or if there is no sample. `files` gets what was read.
Status LoadSampleSet(const std::vector<std::string>& paths, const std::vector<io::InputSpec>& inputs,
                     const io::Preprocess& preprocess, std::vector<Sample>* samples,
                     std::vector<std::string>* files = nullptr);

// Seeded; dynamic dimensions become 1.
Status RandomSample(const std::vector<io::InputSpec>& inputs, uint64_t seed, Sample* sample);

}  // namespace micrort::observe
