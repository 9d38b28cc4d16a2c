#pragma once
// The converter's optimizer: every pass, in order.

#include <functional>

#include "converter/ir/graph.h"
#include "kernels/base/status.h"

namespace micrort::passes {

struct PipelineOptions {
  // Image inputs and outputs take the layout that the network works in, [N,H,W,C], instead of the source
  // model's.
  bool nhwc_io = false;
  // Operators on integers that the source model gives round as TensorFlow Lite's do.
  bool tflite_rounding = false;
  // Called after each pass that changed the graph, for messages and tests.
  std::function<void(const char* pass, const ir::Graph& graph)> on_change;
};

// Optimizes in place, the bodies of nodes too. Types and shapes are inferred first, and are known afterwards.
Status Optimize(ir::Module& module, const PipelineOptions& options);
Status Optimize(ir::Graph& graph, const PipelineOptions& options);

}  // namespace micrort::passes
