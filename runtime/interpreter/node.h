#pragma once
// One operator of a subgraph, ready to run.

#include "runtime/memory/aligned_memory.h"
#include "runtime/model/schema_text.h"
#include "runtime/ops/op.h"

namespace micrort {

struct Node {
  const schema::Operator* source = nullptr;
  const OpRegistration* registration = nullptr;
  Span<Tensor* const> inputs;  // null where an optional input is absent
  Span<Tensor* const> outputs;
  void* state = nullptr;
  PrepareResult prepared;
  void* scratch = nullptr;
  const void* packed[kMaxPacked] = {};
  // Its outputs' sizes, or values that were known while planning, are decided by each run.
  bool varies = false;
  // Outputs that depend on shapes and constants alone are computed while planning; this holds them.
  bool skipped = false;
  AlignedMemory known_outputs;

  RunContext MakeRunContext(const Parallel& parallel) const {
    RunContext context{inputs, outputs, state, scratch, {}, &parallel};
    for (int slot = 0; slot < kMaxPacked; ++slot) context.packed[slot] = packed[slot];
    return context;
  }
  // The error with the node's name and operator before it.
  Status Explain(const Status& status) const {
    return status.WithPrefix("node '%.100s' (%s)", Text(source->name()), registration->name);
  }
};

}  // namespace micrort
