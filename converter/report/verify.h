#pragma once
// Runs the source model in float and the converted one on the same inputs.

#include <string>
#include <vector>

#include "converter/emit/aligned_bytes.h"
#include "converter/ir/graph.h"
#include "converter/observe/samples.h"
#include "converter/observe/sized_references.h"
#include "converter/quantize/equalize.h"
#include "converter/report/compared_tensor.h"
#include "converter/report/task_quality.h"
#include "kernels/base/cpu_features.h"

namespace micrort::report {

struct VerifyInputs {
  const AlignedBytes* reference;  // the imported graph as it was, emitted
  const AlignedBytes* converted;
  const ir::Graph* graph;                       // of the converted model: how its values map to the source's
  const std::vector<observe::Sample>* samples;  // in the source's layout
  const std::vector<int64_t>* labels;           // right answers, one a sample; or none
  const std::vector<observe::SizedReference>* sized;  // compared by their outputs alone
  const quantize::ChannelScales* scales;              // of values of the converted model
  CpuFeatures features;
  bool layers;  // every value that both models have, in run order, not only outputs
  bool progress;
};

// kInternal where the converted model does not run at sizes at
// which the source does, or has outputs of other shapes there.
Status Verify(const VerifyInputs& inputs, std::vector<ComparedTensor>* compared, TaskQuality* task);

// A line a tensor under `title`.
std::string ComparisonTable(const std::vector<ComparedTensor>& compared, const std::string& title);

}  // namespace micrort::report
