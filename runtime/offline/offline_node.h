#pragma once
// One operator of a file whose program is decided, with all that preparing and running it takes. It is made
// anew each time, in memory that all operators share, so that nothing of it stays between two of them.

#include "runtime/model/schema_text.h"
#include "runtime/ops/op.h"

namespace micrort {

// What all operators of a subgraph have in common.
struct OfflineGraph {
  const schema::Model* model = nullptr;
  const schema::Subgraph* source = nullptr;
  const schema::Program* program = nullptr;
  const OpResolver* resolver = nullptr;  // null where no operator looks into it
  uint8_t* arena = nullptr;              // null while planning

  const schema::Tensor& tensor(int32_t i) const { return *source->tensors()->Get(static_cast<uint32_t>(i)); }
  bool is_constant(int32_t i) const { return tensor(i).buffer() != 0; }
  // In the arena.
  size_t offset(int32_t i) const;
  size_t bytes(int32_t i) const;
};

// The tensor as the file says it; data that lie in the arena are null while planning.
void MakeTensor(const OfflineGraph& graph, int32_t index, Tensor* tensor);

struct OfflineNode {
  const schema::Operator* source = nullptr;
  const OpRegistration* registration = nullptr;
  Span<Tensor* const> inputs;  // null where an optional input is absent
  Span<Tensor* const> outputs;
  void* state = nullptr;
  const void* packed[kMaxPacked] = {};
  PrepareResult prepared;

  // What Make takes.
  static size_t BytesFor(const schema::Operator& op, const OpRegistration& registration);
  // Makes the operator in `memory`, parses and prepares it, and finds its packed weights in the file.
  static Status Make(const OfflineGraph& graph, uint32_t index, const OpRegistration& registration,
                     const PrepareTarget& target, void* memory, OfflineNode** node);

  // The input that output `k` may be written over; -1: none.
  int in_place(size_t k) const { return k < kMaxInPlace ? prepared.in_place[k] : -1; }
  Status Run(void* scratch, WorkControl* control) const;
  // The error with the operator's name before it.
  Status Explain(const Status& status) const {
    return status.WithPrefix("node '%.100s' (%s)", Text(source->name()), registration->name);
  }

 private:
  Status Prepare(const OfflineGraph& graph, uint32_t index, PrepareTarget target);
  Status FindPackedWeights(const schema::Model& model);
};

}  // namespace micrort
