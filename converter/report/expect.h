#pragma once
// Compares the converted model with what another program computed.

#include <vector>

#include "converter/emit/aligned_bytes.h"
#include "converter/ir/graph.h"
#include "converter/observe/expected_values.h"
#include "converter/observe/samples.h"
#include "converter/quantize/equalize.h"
#include "converter/report/compared_tensor.h"
#include "kernels/base/cpu_features.h"

namespace micrort::report {

struct ExpectInputs {
  const AlignedBytes* converted;
  const ir::Graph* graph;                       // of the converted model
  const std::vector<observe::Sample>* samples;  // in the source's layout
  const std::vector<observe::ExpectedTensor>* expected;
  const quantize::ChannelScales* scales;  // of values of the converted model
  CpuFeatures features;
  bool progress;
};

// In run order, outputs last. Tensors that the converted model does not compute any more, because their layer
// became part of another one, are missing; `missing` gets their names.
Status CompareWithExpected(const ExpectInputs& inputs, std::vector<ComparedTensor>* compared,
                           std::vector<std::string>* missing);

}  // namespace micrort::report
