#pragma once
// Runs the source model in float and the converted one on the same inputs.

#include <string>
#include <vector>

#include "converter/emit/aligned_bytes.h"
#include "converter/ir/graph.h"
#include "converter/observe/histogram.h"
#include "converter/observe/samples.h"
#include "converter/quantize/equalize.h"
#include "kernels/base/cpu_features.h"
#include "tools/io/similarity.h"

namespace micrort::report {

struct ComparedTensor {
  std::string name;
  io::Similarity similarity;
  bool is_float = false;  // and not integers, of which neighbours may mean different things
  // Of layers only:
  observe::Histogram values;  // of the reference
  double clipped_share =
      0.0;  // of the reference's values, those outside of the converted tensor's int8 range
};

struct VerifyInputs {
  const AlignedBytes* reference;  // the imported graph as it was, emitted
  const AlignedBytes* converted;
  const ir::Graph* graph;                       // of the converted model: how its values map to the source's
  const std::vector<observe::Sample>* samples;  // in the source's layout
  const quantize::ChannelScales* scales;        // of values of the converted model
  CpuFeatures features;
  bool layers;  // every value that both models have, in run order, not only outputs
  bool progress;
};

Status Verify(const VerifyInputs& inputs, std::vector<ComparedTensor>* compared);

// One line a tensor. `inputs` says on what: "12 samples".
std::string VerifyTable(const std::vector<ComparedTensor>& compared, const std::string& inputs);

}  // namespace micrort::report
