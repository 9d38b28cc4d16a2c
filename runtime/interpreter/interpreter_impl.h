#pragma once

#include "kernels/base/fixed_array.h"
#include "micrort/interpreter.h"
#include "runtime/interpreter/external_layers.h"
#include "runtime/interpreter/input_values.h"
#include "runtime/interpreter/kept_state.h"
#include "runtime/interpreter/packed_weights.h"
#include "runtime/interpreter/subgraph.h"
#include "runtime/memory/aligned_memory.h"
#include "runtime/model/model_impl.h"
#include "runtime/ops/work_control.h"
#include "runtime/threads/thread_pool.h"

namespace micrort {

// All subgraphs of a model, prepared for one set of input shapes. What it knows of them is made for others
// once these come, as far as they differ.
struct Session {
  InputValues input_values;
  FixedArray<Subgraph> subgraphs;  // the first is the entry, whose arena holds all
  KeptState state;                 // at the start of the arena; the entry's own follows
  FixedArray<TensorView> views;    // for an observer
#if defined(MICRORT_XNNPACK)
  ExternalLayers external;
#endif

  const MemoryLayout& layout() const { return subgraphs[0].memory().layout; }
  size_t arena_bytes() const {
    size_t bytes = state.arena_bytes() + layout().arena_bytes;
#if defined(MICRORT_XNNPACK)
    bytes += external.arena_bytes();
#endif
    return bytes;
  }
  size_t packed_in_place_bytes() const {
    size_t bytes = 0;
    for (const Subgraph& subgraph : subgraphs) bytes += PackedInPlaceBytes(subgraph.graph());
    return bytes;
  }
};

class InterpreterImpl {
 public:
  // The model outlives this. Options are checked and copied, but for their resolver.
  Status Init(ModelImpl& model, const OpResolver& resolver, const InterpreterOptions& options);
  // The same with exactly the features in the options, which are another CPU's: sessions tell what they take
  // there, and cannot be adopted.
  Status InitForDevice(ModelImpl& model, const OpResolver& resolver, const InterpreterOptions& options);
  // A session for the shapes and values in the options; without shapes, all dynamic dimensions are 1. It does
  // not become the one in force.
  Status MakeFirstSession(const InterpreterOptions& options, Session* session) const;
  // Gets the memory and the packed weights that the session needs, then puts it in force and leaves the
  // former one in its place. On error that stays in force.
  Status Adopt(Session& session);
  Status StartThreads();

  Status Resize(Span<const Shape> input_shapes, Span<const void* const> input_values);
  // `timeout` in microseconds; 0: none.
  Status Run(uint64_t timeout);
  void Cancel() { control_.stop().Cancel(); }

  const Session& session() const { return session_; }
  const MemorySource& memory() const { return model_->memory(); }
  KeptState& state() { return session_.state; }
  const Subgraph& entry() const { return session_.subgraphs[0]; }
  CpuFeatures features() const { return options_.features; }

 private:
  Status CheckOperators() const;
  // `session` is new, or was made for other shapes. `former`: one for other shapes, whose places it is given
  // where it can; null: they are searched.
  Status MakeSession(Span<const Shape> input_shapes, Span<const void* const> input_values,
                     const Session* former, Session* session) const;
  // The same, with a search only where that of the session in force leads to more memory than there may be.
  Status MakeNextSession(Span<const Shape> input_shapes, Span<const void* const> input_values,
                         Session* session) const;
  bool HasRoomFor(const Session& session) const;
  Status ResizeTo(Span<const Shape> input_shapes, Span<const void* const> input_values);
  Status GetPackedWeights(Session& session);
  // The caller's arena, our own, or a new one, left in *grown.
  Status GetArena(size_t bytes, AlignedMemory* grown, void** arena) const;

  ModelImpl* model_ = nullptr;
  InterpreterOptions options_;
  OpResolver resolver_;
  mutable WorkControl control_;
  ThreadPool pool_;
  AlignedMemory own_arena_;
  Session session_;
  // The one before it, which is made into the next one.
  Session former_session_;
#if defined(MICRORT_XNNPACK)
  bool offers_external_ = false;
#endif
};

}  // namespace micrort
