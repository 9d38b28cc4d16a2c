#pragma once
// One operator of a subgraph, ready to run.

#include "kernels/base/fixed_array.h"
#include "runtime/memory/aligned_memory.h"
#include "runtime/model/operator_bodies.h"
#include "runtime/model/schema_text.h"
#include "runtime/ops/body.h"

namespace micrort {

struct Node {
  const schema::Operator* source = nullptr;
  const OpRegistration* registration = nullptr;
  Span<Tensor* const> inputs;  // null where an optional input is absent
  Span<Tensor* const> outputs;
  void* state = nullptr;
  PrepareResult prepared;
  uint64_t own_work = 0, work = 0;  // with the shapes planned, as OwnWorkOf and WorkOf
  void* scratch = nullptr;
  const void* packed[kMaxPacked] = {};
  bool packed_in_file[kMaxPacked] = {};  // and used in place
  // Each run decides its outputs' sizes, or values of which planning has an example.
  bool data_dependent = false;
  bool keeps_sizes = false;  // that of its outputs, all the same
  bool sequential = false;   // runs on one thread, because more need more scratch than the file allows
  bool kept = false;         // as it was prepared for the sizes before, which are the same to it
  // Outputs that depend on shapes and constants alone are computed while planning; this holds them.
  bool skipped = false;
  AlignedMemory known_outputs;
  // The graphs that the operator runs, in both of their aspects.
  BodyPlan* body_plans[kMaxBodies] = {};
  Body* bodies[kMaxBodies] = {};
  size_t body_count = 0;
  FixedArray<Shape> bounds;  // of its outputs, if it has bodies and is data-dependent

  // Whether somebody has yet to pack this for the node.
  bool WantsPacked(int slot) const {
    return !skipped && !kept && prepared.packed[slot].bytes != 0 && !packed_in_file[slot];
  }
  Span<BodyPlan* const> BodyPlans() const { return {body_plans, body_count}; }
  Span<Body* const> Bodies() const { return {bodies, body_count}; }
  RunContext MakeRunContext(const Parallel& parallel, WorkControl* control) const {
    RunContext context{inputs, outputs, state, scratch, {}, &parallel, {bodies, body_count}, control};
    for (int slot = 0; slot < kMaxPacked; ++slot) context.packed[slot] = packed[slot];
    return context;
  }
  // The error with the node's name and operator before it.
  Status Explain(const Status& status) const {
    return status.WithPrefix("node '%.100s' (%s)", Text(source->name()), registration->name);
  }
};

}  // namespace micrort
