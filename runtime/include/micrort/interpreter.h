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
  const char* algorithm = "";  // "implicit_gemm_f32/gemm_f32_avx2"; empty if there is only one
  uint64_t layer = 0;          // as LayerAlgorithms::layer; 0 if there is only one algorithm
  int64_t multiply_adds = 0;
};

// One executed step of the program, as an observer sees it: an operator, or several that run as one.
struct OpInfo {
  int index = 0;                 // of the first operator
  Span<const OpSource> sources;  // at least one, in run order
  const char* type = "";         // of the first one
  const char* node = "";         // of the first one
  const char* algorithm = "";    // as in OpSource; for several operators: how they run together
  uint64_t layer = 0;            // 0 for several operators
  int64_t multiply_adds = 0;     // of all operators
  // Inputs of the first operator. These have no data: absent optional inputs, weights that the file holds
  // packed only, and tensors that are not whole in memory (see InterpreterOptions::whole_tensors).
  Span<const TensorView> inputs;
  // Outputs of the last operator. One that is written as a part of another tensor has no data.
  Span<const TensorView> outputs;
};

// Called around each step, on the thread that called Run(). All of the step happens between the two
// calls. An observer may read tensors, and must not write them. It sees the same program, in the same arena,
// as runs without it. If a run decides sizes, outputs have the sizes of this run in AfterOp only.
class OpObserver {
 public:
  virtual void BeforeOp(const OpInfo&) {}
  virtual void AfterOp(const OpInfo&) {}

 protected:
  ~OpObserver() = default;
};

struct InterpreterOptions {
  // Number of threads, including the calling one; 1..64. A build without threads computes the same on one.
  int threads = 1;
  // The CPUs that the interpreter's own threads run on (micrort/cpus.h); the calling thread stays where it
  // is. 0: the system decides; on ARM under Linux and Android, if cores differ, threads run on the big ones
  // (BigCpus()), if there are at least as many as threads.
  uint64_t cpus = 0;
  // Waiting threads spin for some tens of microseconds before they sleep. Without spinning, a run takes less
  // CPU time, and longer.
  bool spin = true;
  // Null: AllOps(). Create() copies it. Set it right before Create(), so that the optimizer sees it and links
  // no other operators: a call between both may change it, as far as a compiler knows.
  const OpResolver* resolver = nullptr;
  // The caller's arena, aligned to 64 bytes and at least RequiredArenaBytes() long. It must outlive the
  // interpreter. Null: the interpreter allocates one block.
  void* arena = nullptr;
  size_t arena_bytes = 0;
  // One shape for each input, as for Resize(); read during Create() only. Empty: dynamic dimensions of the
  // model start at 1, which some models refuse; dimensions that the rules of its file restrict start at the
  // least number that meets these.
  Span<const Shape> input_shapes;
  // One pointer for each input, as for Resize(): the elements of inputs that decide shapes
  // (Model::decides_shapes), and null for all others. Read during Create() only. May be empty if there are no
  // such inputs.
  Span<const void* const> input_values;
  // Instruction sets that may be used; sets that the CPU lacks are ignored.
  CpuFeatures features = ~CpuFeatures{0};
  OpObserver* observer = nullptr;  // outlives the interpreter
  // Each operator runs by itself, and its outputs are whole in memory afterwards, for observers that read
  // them. Without it, convolutions may run together in stripes of rows, or write directly into the output of
  // a Concat, which takes less time and a smaller arena.
  bool whole_tensors = false;
  // Run() leaves inputs as the caller wrote them, so that unchanged inputs need not be written again.
  // Without it, their memory is reused, which makes the arena smaller; the plan in the file assumes that.
  bool keep_inputs = false;
  // Chooses the algorithms of layers, for instance TunedChoices; it must outlive the interpreter. Null: the
  // lowest estimated cost decides.
  const AlgorithmChooser* chooser = nullptr;
  // Limits for the model; an error (kUnsupported) names the limit that it exceeds.
  ModelLimits limits;
};

class InterpreterImpl;

// Inline, so that the optimizer sees in the caller whether a resolver is set: only then AllOps(), and with it
// every operator, is not linked.
inline const OpResolver& ResolverOf(const InterpreterOptions& options) {
  return options.resolver == nullptr ? AllOps() : *options.resolver;
}

// Only Cancel() is thread-safe: an interpreter is used by one thread at a time. Movable, not copyable.
class Interpreter {
 public:
  // Errors: kUnsupported, which names the operators that the resolver lacks; kInvalidModel; kInvalidArgument
  // for wrong options; kOutOfMemory if an allocation fails or the caller's arena is too small.
  static Result<Interpreter> Create(const Model& model, const InterpreterOptions& options = {}) {
    return Create(model, ResolverOf(options), options);
  }
  // The exact `arena_bytes` that Create() needs, including tensors and scratch; one byte less is an
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

  // Sets the shape of every input (one entry for each). Only dynamic dimensions may change, and dimensions of
  // one name must have one size. An error names input, dimension, expected and found; the interpreter then
  // keeps its former shapes. The current plan is kept as far as possible: tensors keep their places in the
  // arena, or at least their order, and get others only if there is too little room. An arena of
  // RequiredArenaBytes() for the shapes is always enough. `input_values` has the values of every input that
  // decides shapes, and null for the others; they are copied. Without them, these inputs keep their values,
  // and must keep their shapes.
  Status Resize(Span<const Shape> input_shapes, Span<const void* const> input_values = {});

  // Reads the inputs, writes the outputs. Makes no heap allocation. After an error the outputs are
  // unspecified, and the interpreter may run again. Inputs that decide shapes hold their values since
  // planning, and need not be written; another value is an error (kInvalidArgument). If the size of an output
  // depends on data, its shape is an upper bound until the first Run(), and afterwards that of the last run;
  // a size over the bound is an error (kOutOfRange).
  Status Run();
  // The same, but ends with kDeadlineExceeded if it is not done after that many microseconds. This is checked
  // between operators, between iterations, and inside large operators.
  Status RunFor(uint64_t microseconds);
  // May be called by any thread: the current run ends with kCancelled as soon as it can, or, if there is
  // none, the next one. The interpreter must not be moved or destroyed meanwhile.
  void Cancel();

  // State: values that the model carries from one run to the next (mnnconvert --state). They are neither
  // inputs nor outputs: each run finds the values that the last successful run left, the first run zeros or
  // the model's initial values. A failing run leaves them unchanged. Resize() keeps them if their shapes
  // stay, and resets them otherwise. They are in the arena.
  size_t state_count() const;
  // The value that the next run will find; it may be read and written between runs.
  TensorView state(size_t i) const;
  void ResetState();  // back to zeros or initial values
  // Save and restore all values, to put a sequence aside and to continue it later, in this or another
  // interpreter of the model with the same shapes. Of caches, only the rows in use are saved, so StateBytes()
  // grows with them. SaveState: kInvalidArgument if `bytes` is not StateBytes(). RestoreState:
  // kInvalidArgument for anything that SaveState did not write; then nothing changes.
  size_t StateBytes() const;
  Status SaveState(void* to, size_t bytes) const;
  Status RestoreState(const void* from, size_t bytes);
  // Caches (mnnconvert --kv-cache) are states to which runs append rows, one for each token. Returns how many
  // are in use; 0 without caches. A run that finds no room is an error (kOutOfRange), and appends nothing.
  size_t StateLength() const;
  // Keeps the first `length` rows; states that are not caches stay. kInvalidArgument if fewer rows are in
  // use, without caches, or if a cache is a ring that has no longer what the next row's window sees.
  Status TruncateState(size_t length);

  // In use now: RequiredArenaBytes() for the shapes that the interpreter was created with. After Resize() it
  // may be more than the current shapes need, because places for larger ones are kept.
  size_t arena_bytes() const;
  size_t scratch_bytes() const;      // of these, needed only because of scratch
  size_t arena_lower_bound() const;  // the largest sum of bytes alive at once, scratch included
  // Packed weights that are read in place from the file; others are counted in Model::packed_bytes().
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
