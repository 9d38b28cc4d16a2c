#pragma once
// What operators keep inside themselves from run to run, in TensorFlow Lite Micro: samples of streams.

#include <vector>

#include "converter/frontend/tflite/stated_operator.h"
#include "converter/ir/graph.h"

namespace micrort::frontend::tflite {

// Types, shapes and first elements (null: zeros); none for operators that keep nothing. kInvalidModel where
// options or the stated shape of input 0 contradict the operator.
Status HiddenStatesOf(const StatedOperator& op, std::vector<ir::Value>* out);

// SignalFramer: frames of `size` elements every `step` of them.
struct FramerOptions {
  int64_t size = 0, step = 0;
  bool prefill = false;

  // Elements that are kept: what is before the newest step of the oldest frame.
  int64_t kept() const { return (prefill ? size : Steps() * step) - step; }
  // Steps after which there is a first frame.
  int64_t Steps() const { return (size + step - 1) / step; }
};
Result<FramerOptions> ReadFramer(const StatedOperator& op);

// SignalStacker: `frames` frames after each other, every `step` of them.
struct StackerOptions {
  int64_t channels = 0, left = 0, frames = 0, step = 0;
};
Result<StackerOptions> ReadStacker(const StatedOperator& op);

// CIRCULAR_BUFFER: the runs after which what follows runs, too.
Result<int32_t> ReadCycles(const StatedOperator& op);

}  // namespace micrort::frontend::tflite
