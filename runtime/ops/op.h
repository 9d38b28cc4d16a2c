#pragma once
// What an operator is to the interpreter: parse, prepare, pack, run.
//
//   parse    once, when an interpreter is created: reads the options of the file into the op's state and
//            checks all that does not depend on shapes (kInvalidModel on nonsense).
//   prepare  at every planning of shapes: checks types and shapes of the inputs, sets the outputs, chooses
//            the algorithm, asks for scratch and packed weights. Reads no tensor data but what `contents`
//            allows. Called again in Run(), right before run, where each run decides sizes (see below).
//   pack     once a model and layout: writes a packed form of constant inputs.
//   run      computes. Checks only what data decides; allocates nothing.
//
// Errors need not name the node: the caller adds file, node and operator.
//
// Extents (runtime/ops/extent.h). A dimension is fixed, bounded or data-dependent. An operator such as
// NonZero states the largest output that it may have, with extents that are bounded, and memory is planned
// for that; its run gives the size that came out with SetOutputShape. Every later node that reads such a
// tensor is prepared again in Run(), for the shapes that its inputs then have: it needs no code of its own
// for that, as long as its prepare
//   - allocates nothing, and may be called any number of times on one state;
//   - asks for no more scratch for smaller shapes, and for the same packed weights (PlanConvLayer keeps to
//     the algorithm planned with).
// More memory than planned is an error of that run. In-place outputs are not offered to such nodes.
//
// An operand that decides the output's size is read by KnownIntegers. An operator that can bound its output
// without it (Slice) does so unless its contents() are fixed, and is prepared again once the operand is
// computed. One that cannot (Reshape) takes even an example of the operand's value; where there is none, its
// output is data-dependent, so that the converter marks the inputs of the graph that decide it: their values
// are then known at planning.
//
// Operators that run graphs of their own (runtime/ops/body.h) are not prepared again: their bodies' nodes
// are, and before run, outputs show the shapes that prepare gave them.

#include <cstddef>
#include <cstdint>

#include "kernels/base/cpu_features.h"
#include "kernels/base/dtype.h"
#include "kernels/base/int4.h"
#include "kernels/base/kernel_ids.h"
#include "kernels/base/parallel.h"
#include "kernels/base/shape.h"
#include "kernels/base/span.h"
#include "kernels/base/status.h"
#include "micrort/algorithm_chooser.h"
#include "micrort/tensor_view.h"
#include "runtime/ops/extent.h"
#include "runtime/ops/kernel_call.h"

namespace micrort {

namespace schema {
struct Operator;
}

class Body;
class BodyPlan;
class OpResolver;
struct ConvCall;
struct FusedFunctions;
class WorkControl;

constexpr int kMaxPacked = 2;
constexpr int kMaxInPlace = 8;  // outputs behind the first eight never take over an input

// A tensor inside the interpreter or the converter.
struct Tensor {
  const char* name = "";
  DType dtype = DType::kUnknown;
  Int4Grid grid;  // of int4
  Shape shape;
  QuantizationView quantization;  // of int4 without scales and zero points, which are in `grid`
  void* data = nullptr;           // null while planning, unless prepare may read it
  bool constant = false;          // data lies in the model file and never changes
  bool packed_only = false;       // a constant without data: the file holds it in packed form alone
  Contents contents = Contents::kUnknown;
  Extents extents;  // of `shape`
  // What the file says; null: nothing. -1 where a dimension is dynamic, -1 - n where it is that and data
  // decide it, up to n.
  const Shape* declared = nullptr;

  bool is_readable() const { return contents != Contents::kUnknown; }
  // Whether all that planning knows of it holds in every run.
  bool is_settled() const { return extents.all_fixed() && contents != Contents::kExample; }
  size_t elements() const { return static_cast<size_t>(shape.elements()); }
  size_t bytes() const { return elements() * SizeOf(dtype); }
  template <typename T>
  T* as() const {
    return static_cast<T*>(data);
  }
};

// When prepare is called.
enum class PrepareStage : uint8_t {
  kInfer,  // by the converter, which wants to know what follows from shapes
  kPlan,   // before memory is planned
  kRun,    // in Run(), where that decides what inputs are like; all inputs have their data
};

// An output that may lie over an input, at the cost of time and of so much scratch in all.
struct InPlaceCandidate {
  int8_t input = -1;  // -1: there is none
  size_t scratch_bytes = 0;
};

// What prepare asks for; filled through PrepareContext.
struct PrepareResult {
  struct Packed {
    size_t bytes = 0;
    AlgorithmVariant layout = 0;
    const char* layout_name = "";  // in static storage
    int input = -1;                // the constant that run does not read, because this holds it
  };
  size_t scratch_bytes = 0;
  Packed packed[kMaxPacked];
  int8_t in_place[kMaxInPlace] = {-1, -1, -1, -1, -1, -1, -1, -1};  // input whose memory output i may take
  InPlaceCandidate in_place_candidate;                              // see AddInPlaceCandidate
  KernelCall call;  // all of run; lies in the operator's state
  // What the operator is to rewrites of a program (runtime/program/rewrites), beside in-place candidates:
  const ConvCall* conv = nullptr;         // in its state, if run is this call on the operands of a layer
  const FusedFunctions* fused = nullptr;  // what runs element-wise calls as one; null: it is not among them
  int8_t concat_axis = -1;   // output 0 is the inputs, as they are, one after another along this axis
  uint32_t deciders = 0;     // inputs whose values decide data-dependent extents, a bit each
  bool takes_long = false;   // not to be computed while shapes are planned, even if all inputs are readable
  bool in_input = false;     // see LeaveInInput
  bool keeps_sizes = false;  // see KeepSizes
  bool reads_contents = false;  // prepare asked what may be read of an input
  bool awaits_data = false;     // prepare could not read what decides, though the output has one size only
  const char* algorithm = "";
  int64_t multiply_adds = 0;
  uint64_t work = 0;         // see SetWork
  double cost = 0;           // estimated time, in the unit of kernels/conv/cost.h; 0: not estimated
  uint64_t layer = 0;        // what an AlgorithmChooser knows the node's layer by; 0: there is no choice
  uint8_t algorithm_id = 0;  // of the layer (Conv2DAlgorithmId)
#if defined(MICRORT_XNNPACK)
  const ConvCall* external = nullptr;  // in its state: its layer, if another library computes that
#endif
};

// What an operator is prepared for.
struct PrepareTarget {
  CpuFeatures features = 0;
  int workers = 1;
  const AlgorithmChooser* chooser = nullptr;  // null: estimated cost decides
  size_t scratch_limit = SIZE_MAX;            // algorithms that need more are left out if others need less
  uint8_t algorithm = 0;                      // that a layer must have (Conv2DAlgorithmId); 0: any
  const char* only_layout = nullptr;          // of packed weights, where the file has no others; null: any
  AlgorithmVariant only_variant = 0;          // what it is; 0: this library does not know it
  WorkControl* control = nullptr;             // null: nothing is bounded
  bool bounds_only = false;                   // prepared again before memory is planned; see InferGoal
  bool external = false;  // layers may be another library's (kernels/conv_call/external_library.h)
};

// Whether a shape is as the file declares it, with -1 for dynamic dimensions. Those that a run decides are
// compared once it has.
bool MatchesFile(const Shape& declared, const Shape& shape, Extents extents = {});

bool HaveFixedExtents(Span<Tensor* const> tensors);

// What OpResolver calls operators on such elements.
const char* TypesName(DType dtype);
// kUnsupported: the resolver was not given `types`, as its names for them, of the operator.
Status NotLinked(const char* types);

// What prepare asks for, and says of the node.
class PrepareRequests {
 public:
  explicit PrepareRequests(PrepareResult* result) : result_(result) {}

  // One block of scratch for run, aligned to 64 bytes. Bodies have their arena at its start.
  void RequestScratch(size_t bytes) { result_->scratch_bytes = bytes; }
  // Slots hold what `input`, a constant, is packed into; run leaves its data alone.
  void RequestPacked(int slot, size_t bytes, AlgorithmVariant layout, const char* layout_name, int input) {
    result_->packed[slot] = {bytes, layout, layout_name, input};
  }
  // Allows the planner to give output i the memory of `input` where that input dies here and has the same
  // bytes: run must then work with equal pointers.
  void AllowInPlace(int output, int input) {
    if (output < kMaxInPlace) result_->in_place[output] = static_cast<int8_t>(input);
  }
  // The same for output 0, at the cost of time and of so much scratch in all. It is taken up only where the
  // arena becomes smaller.
  void AddInPlaceCandidate(int input, size_t scratch_bytes) {
    result_->in_place_candidate = {static_cast<int8_t>(input), scratch_bytes};
  }
  // Name of the chosen algorithm (static storage) and the work, for profiles.
  void SetAlgorithm(const char* name) { result_->algorithm = name; }
  void SetMultiplyAdds(int64_t n) { result_->multiply_adds = n; }
  // What run does beside its multiply-adds and looking at every element of inputs and outputs, in the unit of
  // ModelLimits. Every operator says so whose time these do not bound.
  void SetWork(uint64_t work) { result_->work = work; }
  // Declares a convolution on x, weights, bias, residual, slopes.
  void SetConvCall(const ConvCall* call) { result_->call = result_->conv = call; }
  void SetCall(KernelCall call) { result_->call = call; }
  // Says with SetCall that run is an element-wise call that may run with others as one.
  void SetFused(const FusedFunctions* functions) { result_->fused = functions; }
  void SetConcatAxis(int axis) { result_->concat_axis = static_cast<int8_t>(axis); }
  void SetTakesLong() { result_->takes_long = true; }
  // Output 0 is no memory of the arena: run points it to memory of an input that the file keeps others from.
  void LeaveInInput() { result_->in_input = true; }
  // The sizes of the outputs are those of every run, though a run decides sizes or elements of inputs.
  void KeepSizes() { result_->keeps_sizes = true; }
  void SetCost(double cost) { result_->cost = cost; }
  void SetLayer(uint64_t layer, uint8_t algorithm_id) {
    result_->layer = layer;
    result_->algorithm_id = algorithm_id;
  }
#if defined(MICRORT_XNNPACK)
  void SetExternal(const ConvCall* layer) { result_->external = layer; }
#endif

 protected:
  PrepareResult* result_;
};

class PrepareContext : public PrepareRequests {
 public:
  // inputs: null where an optional input is absent.
  PrepareContext(Span<Tensor* const> inputs, Span<Tensor* const> outputs, void* state,
                 const PrepareTarget& target, PrepareStage stage, PrepareResult* result,
                 Span<BodyPlan* const> bodies = {})
      : PrepareRequests(result),
        inputs_(inputs),
        outputs_(outputs),
        bodies_(bodies),
        state_(state),
        target_(target),
        stage_(stage) {}

  template <typename State>
  State& state() const {
    return *static_cast<State*>(state_);
  }
  // RequestScratch; kUnsupported for kTooManyBytes.
  Status RequestCheckedScratch(size_t bytes);
  int input_count() const { return static_cast<int>(inputs_.size()); }
  int output_count() const { return static_cast<int>(outputs_.size()); }
  bool has_input(int i) const { return i < input_count() && inputs_[i] != nullptr; }
  const Tensor& input(int i) const { return *inputs_[i]; }
  const Tensor& output(int i) const { return *outputs_[i]; }
  int body_count() const { return static_cast<int>(bodies_.size()); }
  BodyPlan& body(int i) const { return *bodies_[static_cast<size_t>(i)]; }
  const PrepareTarget& target() const { return target_; }
  CpuFeatures features() const { return target_.features; }
  int workers() const { return target_.workers; }
  PrepareStage stage() const { return stage_; }

  // kInvalidModel unless there are [min, max] inputs, the first `min` of them present, and exactly `outputs`
  // outputs.
  Status ExpectArity(int min_inputs, int max_inputs, int outputs) const;
  // kInvalidModel if the file gives the output another type or another static shape. A type that is not
  // decided yet (kUnknown, while the converter infers) becomes `dtype`.
  Status SetOutput(int i, DType dtype, const Shape& shape);
  // The same for a shape that need not be fixed.
  //   bounded:         run must call SetOutputShape, unless prepare is called with stage kRun and all is
  //   fixed
  //                    then.
  //   data-dependent:  where the file states the largest sizes, these bound them. Else for the converter,
  //                    which takes from `shape` the rank and the other dimensions; elsewhere kUnsupported.
  //                    `deciders` are the inputs whose values decide, a bit each.
  Status SetOutput(int i, DType dtype, const Shape& shape, Extents extents, uint32_t deciders = 0);
  // For an operator that is prepared again once it knows the size of output i: dimensions that are bounded
  // till then are planned as the file fixes or bounds them. What exceeds that is an error of the run.
  void BoundByFile(int i, Extents extents, Shape* shape) const;
  // What may be read of input i now.
  Contents contents(int i) const {
    result_->reads_contents = true;
    return stage_ == PrepareStage::kRun ? Contents::kFixed : input(i).contents;
  }
  // Those of the inputs, a bit each, that are present and cannot be read now.
  uint32_t Unreadable(uint32_t inputs) const;
  // kUnsupported unless input i can be read now; reads int32 or int64 elements, at most `capacity`.
  Status KnownIntegers(int i, int64_t* values, size_t capacity, size_t* count) const;

 private:
  // The error that the first of these inputs, a bit each, cannot be read.
  Status MustBeKnown(uint32_t inputs) const;
  // Data-dependent dimensions take the largest sizes that the file states; false where it does not.
  bool BoundDataDependent(const Tensor& output, Extents* extents, Shape* shape) const;

  Span<Tensor* const> inputs_;
  Span<Tensor* const> outputs_;
  Span<BodyPlan* const> bodies_;
  void* state_;
  PrepareTarget target_;
  PrepareStage stage_;
};

struct PackContext {
  Span<Tensor* const> inputs;
  const void* state;
  int slot;
  void* destination;

  template <typename State>
  const State& get() const {
    return *static_cast<const State*>(state);
  }
};

struct RunContext {
  Span<Tensor* const> inputs;
  Span<Tensor* const> outputs;
  const void* state_data;
  void* scratch;                   // as large as requested
  const void* packed[kMaxPacked];  // null unless requested
  const Parallel* parallel;
  Span<Body* const> bodies;
  WorkControl* control = nullptr;  // null: nothing is bounded

  template <typename State>
  const State& state() const {
    return *static_cast<const State*>(state_data);
  }
  bool has_input(int i) const { return i < static_cast<int>(inputs.size()) && inputs[i] != nullptr; }
  const Tensor& input(int i) const { return *inputs[i]; }
  Tensor& output(int i) const { return *outputs[i]; }
  Body& body(int i) const { return *bodies[static_cast<size_t>(i)]; }
  // Work that SetWork could not tell, because data decide it.
  Status Spend(uint64_t work) const;
  // The size that a bounded output has got; kInternal unless it is within the bound.
  Status SetOutputShape(int i, const Shape& shape) const;
};

struct OpRegistration {
  int code;          // schema::OpCode
  const char* name;  // "Conv2D"
  // State is plain data: zeroed memory before parse, never destroyed.
  size_t state_bytes;
  Status (*parse)(const schema::Operator& op, void* state);
  Status (*prepare)(PrepareContext& context);
  Status (*pack)(const PackContext& context);  // null if the op never requests packed weights
  Status (*run)(const RunContext& context);
  // run reads nothing of its inputs but their shapes and dtypes, so it may run while shapes are planned, with
  // inputs whose data is null. Its outputs can then be read.
  bool shape_only = false;
  // Once after parse, or null: finds what the operator needs of the resolver that it came from.
  Status (*bind)(const schema::Operator& op, const OpResolver& resolver, void* state) = nullptr;
};

// Defines ops::name(): the registration of that operator of the schema, with its fields after the name.
// `space` has what these fields refer to; it keeps apart files that are compiled as one.
#define MICRORT_OPERATOR(name, space, ...)                                                          \
  const OpRegistration& ops::name() {                                                               \
    using namespace space;                                                                          \
    static constexpr OpRegistration kRegistration = {static_cast<int>(schema::OpCode::name), #name, \
                                                     __VA_ARGS__};                                  \
    return kRegistration;                                                                           \
  }

}  // namespace micrort
