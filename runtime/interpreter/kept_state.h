#pragma once
// What a model keeps from one run to the next: the values of its states, at the start of the arena, where
// nothing else is ever placed. Runs only read them; what a run computed takes their place once it has
// succeeded. Caches are longer than what is taken of them: runs write behind that, and once one has
// succeeded, more of them counts as taken. Rings lose rows with that, also by a run that fails.

#include "kernels/base/fixed_array.h"
#include "runtime/interpreter/subgraph.h"
#include "runtime/ops/kept_ring.h"

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
  // Bytes of the values without padding; a cache counts its taken rows, and a ring those that the next may
  // see.
  size_t bytes() const { return BytesOf(length()); }
  // Rows of the caches that are taken; 0 without caches.
  size_t length() const;

  // Takes the first arena_bytes() of `arena`. The values of `former` stay if it has the same shapes; else all
  // values are initial ones. The memory of `former` may be the same or another, which still holds its values.
  void Bind(void* arena, const KeptState& former);
  void Reset();
  // Before a run. kInvalidArgument if a caller has written a length for which rings have no rows any more.
  Status CheckRings() const;
  // After a run that succeeded: its values become those that the next run reads. If one came out with another
  // shape, or more rows are said to be taken than a cache has (kOutOfRange), all stay what they were.
  Status Keep();
  // After a run that failed.
  void Lose();
  // kInvalidArgument if fewer than `rows` are taken, a ring has not what the next one sees, or there are no
  // caches.
  Status Truncate(size_t rows);
  // bytes() of values, one after the other.
  void Save(void* to) const;
  // kInvalidArgument, and all stay what they were, unless they are as Save() left them.
  Status Restore(const void* from, size_t bytes);

 private:
  struct Entry {
    const Tensor* value = nullptr;     // an input of the graph
    const Tensor* computed = nullptr;  // an output
    const uint8_t* initial = nullptr;  // or null
    size_t row_bytes = 0;              // of a cache; else 0
    KeptRing ring;

    bool is_cache() const { return row_bytes != 0; }
    bool fits() const { return is_cache() || computed->shape == value->shape; }
  };

  void InitCache(int32_t input, Entry* entry);
  bool HasShapesOf(const KeptState& o) const;
  Status CheckLength(int64_t length) const;
  // Bytes that Save() writes of it.
  static size_t BytesOf(const Entry& entry, size_t length);
  size_t BytesOf(size_t length) const;
  Status CheckRings(size_t length) const;

  Subgraph* graph_ = nullptr;
  FixedArray<Entry> entries_;
  const Tensor* length_ = nullptr;  // the first of the values; null without caches
  int64_t capacity_ = INT64_MAX;    // of the shortest cache that is no ring
  size_t arena_bytes_ = 0;
};

}  // namespace micrort
