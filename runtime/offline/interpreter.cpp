// Interpreter of a build without planning (MICRORT_PLANNING=OFF): runs what the file decided.

#include "micrort/interpreter.h"

#include <cinttypes>
#include <cstddef>
#include <string_view>
#include <utility>

#include "kernels/base/target.h"
#include "runtime/memory/aligned_memory.h"
#include "runtime/memory/device_sizes.h"
#include "runtime/memory/objects.h"
#include "runtime/model/check_cpu.h"
#include "runtime/model/model_impl.h"
#include "runtime/model/packed_in_file.h"
#include "runtime/offline/offline_program.h"
#include "runtime/ops/fused_functions.h"
#include "runtime/ops/work_control.h"

namespace micrort {

const FusedFunctions kFusedFunctions = {};

namespace {

Status CheckOptions(const InterpreterOptions& options) {
  if (options.threads != 1) {
    return MICRORT_ERROR(kUnsupported, "threads: expected 1 in a build without planning, found %d",
                         options.threads);
  }
  if (options.observer != nullptr || options.chooser != nullptr || options.whole_tensors ||
      options.keep_inputs || !options.input_values.empty()) {
    return MICRORT_ERROR(
        kUnsupported,
        "observers, choosers, whole tensors, kept inputs and values of inputs need a build with "
        "planning (MICRORT_PLANNING)");
  }
  if (reinterpret_cast<uintptr_t>(options.arena) % kAlignment == 0) return Status();
  return MICRORT_ERROR(kInvalidArgument, "expected an arena aligned to %zu bytes", kAlignment);
}

// There are no shapes but those of the file.
Status CheckShapes(const schema::Subgraph& graph, Span<const Shape> shapes) {
  const size_t count = CallerInputs(graph).size();
  if (shapes.size() != count) {
    return MICRORT_ERROR(kInvalidArgument, "expected %zu input shapes, found %zu", count, shapes.size());
  }
  for (size_t i = 0; i < count; ++i) {
    const schema::Tensor& input = InputTensor(graph, i);
    if (ShapeOf(input) == shapes[i]) continue;
    return MICRORT_ERROR(
        kUnsupported,
        "input '%.100s': expected shape %s, found %s: other shapes need a build with planning "
        "(MICRORT_PLANNING)",
        Text(input.name()), ShapeString(ShapeOf(input)).c_str(), ShapeString(shapes[i]).c_str());
  }
  return Status();
}

}  // namespace

class InterpreterImpl {
 public:
  explicit InterpreterImpl(ModelImpl& model) : model_(model) {}

  Status Init(const OpResolver& resolver, const InterpreterOptions& options) {
    MICRORT_RETURN_IF_ERROR(CheckOptions(options));
    const schema::Subgraph& graph = model_.entry();
    if (!options.input_shapes.empty()) MICRORT_RETURN_IF_ERROR(CheckShapes(graph, options.input_shapes));
    if (Count(graph.operators()) > options.limits.max_operators) {
      return MICRORT_ERROR(
          kUnsupported, "expected at most %" PRIu64 " operators (ModelLimits::max_operators), found %" PRIu32,
          options.limits.max_operators, Count(graph.operators()));
    }
    features_ = AvailableFeatures(options.features);
    if (model_.has_packed_only()) MICRORT_RETURN_IF_ERROR(KeepToTarget(model_.root(), &features_));
    MICRORT_RETURN_IF_ERROR(CheckCpu(features_));
    control_.SetLimits(options.limits);
    control_.BeginPlanning();
    PrepareTarget target;
    target.features = features_;
    target.control = &control_;
    return program_.Load(model_.root(), resolver, target);
  }

  Status TakeArena(void* arena, size_t bytes) {
    if (arena == nullptr) {
      MICRORT_RETURN_IF_ERROR(arena_.Allocate(program_.arena_bytes()).WithPrefix("arena"));
      arena = arena_.data();
    } else if (bytes < program_.arena_bytes()) {
      return MICRORT_ERROR(kOutOfMemory, "expected an arena of %zu bytes, found %zu", program_.arena_bytes(),
                           bytes);
    }
    program_.Bind(arena);
    return Status();
  }

  Status Run() {
    control_.BeginRun(StopSignal::kNoDeadline);
    const Status status = program_.Run();
    control_.EndRun();
    return Explain(status);
  }

  Status Explain(const Status& status) const {
    return status.ok() ? status : status.WithPrefix("%s", model_.label());
  }
  void Cancel() { control_.stop().Cancel(); }
  ModelImpl& model() const { return model_; }
  const OfflineProgram& program() const { return program_; }
  CpuFeatures features() const { return features_; }

 private:
  ModelImpl& model_;
  CpuFeatures features_ = 0;
  WorkControl control_;
  OfflineProgram program_;
  AlignedMemory arena_;
};

static_assert(sizeof(void*) != device_sizes::kPointer ||
                  (sizeof(InterpreterImpl) == device_sizes::kInterpreter &&
                   sizeof(OpResolver) == device_sizes::kResolver &&
                   sizeof(OfflineNode) == device_sizes::kNode && sizeof(Tensor) == device_sizes::kTensor &&
                   sizeof(Shape) == device_sizes::kShape && sizeof(std::string_view) == device_sizes::kName &&
                   sizeof(max_align_t) == device_sizes::kMaxAlign &&
                   alignof(max_align_t) == device_sizes::kAlignment),
              "what mnnconvert counts for a device");

Result<Interpreter> Interpreter::Create(const Model& model, const OpResolver& resolver,
                                        const InterpreterOptions& options) {
  const UseMemory use(model.impl().memory());
  auto* impl = NewObject<InterpreterImpl>(model.impl());
  if (impl == nullptr)
    return MICRORT_ERROR(kOutOfMemory, "cannot allocate %zu bytes", sizeof(InterpreterImpl));
  Interpreter interpreter(impl);
  Status status = impl->Init(resolver, options);
  if (status.ok()) status = impl->TakeArena(options.arena, options.arena_bytes);
  if (!status.ok()) return impl->Explain(status);
  return interpreter;
}

Result<size_t> Interpreter::RequiredArenaBytes(const Model& model, const OpResolver& resolver,
                                               const InterpreterOptions& options) {
  const UseMemory use(model.impl().memory());
  InterpreterImpl impl(model.impl());
  if (Status s = impl.Init(resolver, options); !s.ok()) return impl.Explain(s);
  return impl.program().arena_bytes();
}

Interpreter::Interpreter(Interpreter&& other) noexcept : impl_(std::exchange(other.impl_, nullptr)) {}

Interpreter& Interpreter::operator=(Interpreter&& other) noexcept {
  std::swap(impl_, other.impl_);
  return *this;
}

Interpreter::~Interpreter() { DeleteObject(impl_); }

size_t Interpreter::input_count() const { return CallerInputs(impl_->program().source()).size(); }
size_t Interpreter::output_count() const { return CallerOutputs(impl_->program().source()).size(); }

TensorView Interpreter::input(size_t i) const {
  return i < input_count() ? impl_->program().View(CallerInputs(impl_->program().source())[i]) : TensorView();
}

TensorView Interpreter::output(size_t i) const {
  return i < output_count() ? impl_->program().View(CallerOutputs(impl_->program().source())[i])
                            : TensorView();
}

Status Interpreter::Resize(Span<const Shape> input_shapes, Span<const void* const> input_values) {
  if (!input_values.empty()) {
    return MICRORT_ERROR(kUnsupported, "values of inputs need a build with planning (MICRORT_PLANNING)");
  }
  return impl_->Explain(CheckShapes(impl_->program().source(), input_shapes));
}

Status Interpreter::Run() { return impl_->Run(); }
Status Interpreter::RunFor(uint64_t) {
  return MICRORT_ERROR(kUnsupported, "a build without planning runs without deadlines");
}
void Interpreter::Cancel() { impl_->Cancel(); }

// A model that keeps values is refused.
size_t Interpreter::state_count() const { return 0; }
TensorView Interpreter::state(size_t) const { return TensorView(); }
size_t Interpreter::StateBytes() const { return 0; }
void Interpreter::ResetState() {}
Status Interpreter::SaveState(void*, size_t bytes) const {
  return bytes == 0 ? Status() : MICRORT_ERROR(kInvalidArgument, "the model keeps no state");
}
Status Interpreter::RestoreState(const void*, size_t bytes) {
  return bytes == 0 ? Status() : MICRORT_ERROR(kInvalidArgument, "the model keeps no state");
}
size_t Interpreter::StateLength() const { return 0; }
Status Interpreter::TruncateState(size_t) {
  return MICRORT_ERROR(kInvalidArgument, "the model has no caches");
}

size_t Interpreter::arena_bytes() const { return impl_->program().arena_bytes(); }
size_t Interpreter::scratch_bytes() const {
  return impl_->program().arena_bytes() - impl_->program().buffer_bytes();
}
size_t Interpreter::arena_lower_bound() const { return impl_->program().lower_bound(); }
size_t Interpreter::packed_in_place_bytes() const { return impl_->program().packed_in_place_bytes(); }
CpuFeatures Interpreter::features() const { return impl_->features(); }

}  // namespace micrort
