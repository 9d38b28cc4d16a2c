#pragma once
// Runs a model.

#include <cstddef>
#include <cstdint>

#include "kernels/base/cpu_features.h"
#include "kernels/base/span.h"
#include "kernels/base/status.h"
#include "micrort/algorithm_chooser.h"
#include "micrort/model.h"
#include "micrort/model_limits.h"
#include "micrort/op_resolver.h"
#include "micrort/tensor_view.h"

namespace micrort {

// An operator of the model.
struct OpSource {
  const char* type = "";       // "Conv2D"
  const char* node = "";       // name of the source node; may be empty
  const char* algorithm = "";  // "implicit_gemm_f32/gemm_f32_avx2"; empty where there is no choice
  uint64_t layer = 0;          // as LayerAlgorithms::layer; 0 where there is no choice
  int64_t multiply_adds = 0;
};

// One executed step of the program, as an observer sees it: an operator, or several that run as one.
struct OpInfo {
  int index = 0;                 // of the first operator
  Span<const OpSource> sources;  // at least one, in run order
  const char* type = "";         // of the first one
  const char* node = "";         // of the first one
  const char* algorithm = "";    // as OpSource says; of several: how they run together
  uint64_t layer = 0;            // 0 of several, too
  int64_t multiply_adds = 0;     // of all
  // Those of the first operator. Optional inputs that are absent have no data, nor do weights that the file
  // holds packed only, nor what is not whole in memory (see InterpreterOptions::whole_tensors).
  Span<const TensorView> inputs;
  // Those of the last operator; one that is written as a part of another tensor has no data.
  Span<const TensorView> outputs;
};

// Called on the thread that called Run(), around each step, with all that the step takes between the two
// calls. May read tensors, must not write them. It sees the program that runs without it, in the same arena.
// Where each run decides sizes, outputs have those of this run in AfterOp only.
class OpObserver {
 public:
  virtual void BeforeOp(const OpInfo&) {}
  virtual void AfterOp(const OpInfo&) {}

 protected:
  ~OpObserver() = default;
};

struct InterpreterOptions {
  // The calling thread included; 1..64. A build without threads computes the same on one.
  int threads = 1;
  // The CPUs that the interpreter's own threads run on (micrort/cpus.h); the calling thread stays where it
  // is. 0: as the system decides; on ARM under Linux and Android, where cores differ, on the big ones
  // (BigCpus()) if they are as many as threads.
  uint64_t cpus = 0;
  // Threads that wait look out for work for some tens of microseconds before they sleep. Without it a run
  // takes less CPU time, and longer.
  bool spin = true;
  const OpResolver* resolver = nullptr;  // null: AllOps(). Copied by Create()
  // The caller's arena, aligned to 64 bytes and at least RequiredArenaBytes() long; it must outlive the
  // interpreter. Null: the interpreter allocates one block.
  void* arena = nullptr;
  size_t arena_bytes = 0;
  // One an input, as for Resize(); read during Create() only. Empty: dimensions that the model leaves dynamic
  // start at 1, which not every model can take; those that rules of its file are about, at the least number
  // that keeps these.
  Span<const Shape> input_shapes;
  // One an input, as for Resize(): the elements of the inputs that decide shapes (Model::decides_shapes),
  // each of its shape; null for all others. Read during Create() only. May be empty where there are no such
  // inputs.
  Span<const void* const> input_values;
  // Instruction sets that may be used; those that the CPU lacks are ignored.
  CpuFeatures features = ~CpuFeatures{0};
  OpObserver* observer = nullptr;  // outlives the interpreter
  // Each operator runs by itself and its outputs are whole in memory when it has, for observers that read
  // them. Else convolutions may run together in stripes of rows, or write into what would join their outputs,
  // which takes less time and a smaller arena.
  bool whole_tensors = false;
  // Run() leaves inputs as the caller wrote them, so that those that stay the same need not be written again.
  // Else their memory is used again, which makes a smaller arena; the plan in the file is for that.
  bool keep_inputs = false;
  // Chooses the algorithms of layers, for instance TunedChoices; it must outlive the interpreter. Null: the
  // lowest estimated cost decides.
  const AlgorithmChooser* chooser = nullptr;
  // What the model may ask for; an error (kUnsupported) names the limit it goes over.
  ModelLimits limits;
};

class InterpreterImpl;

// Decided in the caller, where an optimizer sees a resolver that is set: only then AllOps(), and with it
// every operator, is not linked.
inline const OpResolver& ResolverOf(const InterpreterOptions& options) {
  return options.resolver == nullptr ? AllOps() : *options.resolver;
}

// Not thread-safe itself, but for Cancel(): one interpreter is used by one thread at a time. Movable, not
// copyable.
class Interpreter {
 public:
  // Errors: kUnsupported names the operators that the resolver lacks; kInvalidModel; kInvalidArgument for
  // wrong options; kOutOfMemory if an allocation fails or the caller's arena is too small.
  static Result<Interpreter> Create(const Model& model, const InterpreterOptions& options = {}) {
    return Create(model, ResolverOf(options), options);
  }
  // Exactly what Create() would need as `arena_bytes`, tensors and scratch included; one byte less is an
  // error.
  static Result<size_t> RequiredArenaBytes(const Model& model, const InterpreterOptions& options = {}) {
    return RequiredArenaBytes(model, ResolverOf(options), options);
  }

  Interpreter(Interpreter&& other) noexcept;
  Interpreter& operator=(Interpreter&& other) noexcept;
  ~Interpreter();

  size_t input_count() const;
  size_t output_count() const;
  TensorView input(size_t i) const;
  TensorView output(size_t i) const;

  // Gives every input its shape (one entry an input). What is planned stays where the shapes let it: tensors
  // keep their places in the arena, or else their order, and are given others only where there is too little
  // room. An arena of RequiredArenaBytes() for the shapes is always enough. Only dynamic dimensions may
  // change, and those of one name are of one size. On error, which names input, dimension, expected and
  // found, the interpreter keeps its former shapes. `input_values` has the value of every input that decides
  // shapes, and null for the others; they are copied. Without values, these inputs keep their values, and
  // must keep their shapes.
  Status Resize(Span<const Shape> input_shapes, Span<const void* const> input_values = {});

  // Reads the inputs, writes the outputs. Makes no heap allocation. After an error outputs are unspecified
  // and the interpreter may run again.
  // Inputs that decide shapes hold their values from planning on, and need not be written; one that holds
  // another value is an error (kInvalidArgument). The shape of an output whose size depends on data is a
  // bound until the first Run(), then the size that the last one gave it; one that comes to more than its
  // bound is an error (kOutOfRange).
  Status Run();
  // The same, but ends with kDeadlineExceeded when it is not done after so many microseconds: between
  // operators, between iterations, and inside of large operators.
  Status RunFor(uint64_t microseconds);
  // By any thread: the run in progress ends with kCancelled as soon as it can, or, where none is, the next
  // one. Allowed as long as the interpreter is neither moved nor destroyed.
  void Cancel();

  // Values that the model carries from one run to the next (mnnconvert --state). They are no inputs and
  // outputs: each run finds what the last one that succeeded left, the first one zeros or the model's initial
  // values. A run that fails leaves them as they were. Resize() keeps them where that leaves their shapes;
  // else they start anew. They lie in the arena.
  size_t state_count() const;
  // As the next run will find it; may be read and written between runs.
  TensorView state(size_t i) const;
  void ResetState();  // back to zeros or initial values
  // All values together, for putting a sequence aside and taking it up again, in this or another interpreter
  // of the model with the same shapes. Of caches that is what is taken, so that StateBytes() grows with them.
  // SaveState: `bytes` other than StateBytes() is an error (kInvalidArgument). RestoreState: kInvalidArgument
  // for anything that SaveState does not write, and nothing changes.
  size_t StateBytes() const;
  Status SaveState(void* to, size_t bytes) const;
  Status RestoreState(const void* from, size_t bytes);
  // Caches (mnnconvert --kv-cache) are states of which runs take row after row, a token each: how many are
  // taken; 0 without caches. A run for which there is no room is an error (kOutOfRange) and takes none.
  size_t StateLength() const;
  // Gives rows back, so that as many are taken; states that are no caches stay. kInvalidArgument if fewer are
  // taken, or without caches.
  Status TruncateState(size_t length);

  // In use now: RequiredArenaBytes() for the shapes that the interpreter was created with. After Resize() it
  // may be more than for the shapes in force, as places for larger ones are kept.
  size_t arena_bytes() const;
  size_t scratch_bytes() const;      // of these, needed only because of scratch
  size_t arena_lower_bound() const;  // the largest sum of bytes alive at once, scratch included
  // Packed weights that are read in place from the file; others are in Model::packed_bytes().
  size_t packed_in_place_bytes() const;
  CpuFeatures features() const;  // instruction sets in use

 private:
  friend InterpreterImpl& ImplOf(const Interpreter& interpreter);  // for the runtime itself
  static Result<Interpreter> Create(const Model& model, const OpResolver& resolver,
                                    const InterpreterOptions& options);
  static Result<size_t> RequiredArenaBytes(const Model& model, const OpResolver& resolver,
                                           const InterpreterOptions& options);
  explicit Interpreter(InterpreterImpl* impl) : impl_(impl) {}
  InterpreterImpl* impl_ = nullptr;
};

}  // namespace micrort
