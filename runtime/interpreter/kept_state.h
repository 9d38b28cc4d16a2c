#pragma once
// What a model keeps from one run to the next: the values of its states, at the start of the arena, where
// nothing else is ever placed. Runs only read them; what a run computed takes their place once it has
// succeeded.

#include "kernels/base/fixed_array.h"
#include "runtime/interpreter/subgraph.h"

namespace micrort {

// The shapes of all inputs, from those of the caller's: a dynamic dimension of a state has the size of the
// caller's dimension of the same name.
Status WithStateShapes(const schema::Subgraph& graph, Span<const Shape> caller_shapes,
                       FixedArray<Shape>* shapes);

// Bytes of the arena that the states of a graph without dynamic dimensions take.
Status StateArenaBytes(const schema::Subgraph& graph, size_t* bytes);

class KeptState {
 public:
  // The graph is prepared, and outlives this. kInvalidModel, naming the tensors, if what a run computes for a
  // state has another shape than the state.
  Status Init(const schema::Model& model, Subgraph& graph);

  size_t count() const { return entries_.size(); }
  // As the next run will find it.
  const Tensor& tensor(size_t i) const { return *entries_[i].value; }
  size_t arena_bytes() const { return arena_bytes_; }  // a multiple of kAlignment
  size_t bytes() const { return bytes_; }              // of the values alone

  // Takes the first arena_bytes() of `arena`. The values of `former` stay if it has the same shapes; else all
  // values are initial ones. The memory of `former` may be the same or another, which still holds its values.
  void Bind(void* arena, const KeptState& former);
  void Reset();
  // After a run that succeeded: its values become those that the next run reads. If one came out with another
  // shape (kOutOfRange), all stay what they were.
  Status Keep();
  // bytes() of values, one after the other.
  void Save(void* to) const;
  void Restore(const void* from);

 private:
  struct Entry {
    const Tensor* value = nullptr;     // an input of the graph
    const Tensor* computed = nullptr;  // an output
    const uint8_t* initial = nullptr;  // or null

    bool fits() const { return computed->shape == value->shape; }
  };

  bool HasShapesOf(const KeptState& o) const;

  Subgraph* graph_ = nullptr;
  FixedArray<Entry> entries_;
  size_t arena_bytes_ = 0, bytes_ = 0;
};

}  // namespace micrort
