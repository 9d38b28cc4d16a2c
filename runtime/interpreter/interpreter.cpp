#include "micrort/interpreter.h"

#include <utility>

#include "runtime/interpreter/inspect.h"
#include "runtime/interpreter/interpreter_impl.h"
#include "runtime/memory/objects.h"

namespace micrort {

namespace {

TensorView ViewOfEntry(const InterpreterImpl& impl, Span<const int32_t> tensors, size_t i) {
  if (i >= tensors.size()) return TensorView();
  return ViewOf(impl.entry().graph().tensors[static_cast<size_t>(tensors[i])]);
}

Status CheckStateBytes(size_t expected, size_t found) {
  if (expected == found) return Status();
  return MICRORT_ERROR(kInvalidArgument, "expected room for a state of %zu bytes, found %zu", expected,
                       found);
}

}  // namespace

InterpreterImpl& ImplOf(const Interpreter& interpreter) { return *interpreter.impl_; }

const Subgraph& EntryOf(const Interpreter& interpreter) { return ImplOf(interpreter).entry(); }

size_t SearchesOf(const Interpreter& interpreter) {
  size_t searches = 0;
  for (const Subgraph& subgraph : ImplOf(interpreter).session().subgraphs) {
    searches += subgraph.graph().searches;
  }
  return searches;
}

size_t PreparationsOf(const Interpreter& interpreter) { return EntryOf(interpreter).graph().preparations; }

Result<Interpreter> Interpreter::Create(const Model& model, const OpResolver& resolver,
                                        const InterpreterOptions& options) {
  const UseMemory use(model.impl().memory());
  auto* impl = NewObject<InterpreterImpl>();
  if (impl == nullptr)
    return MICRORT_ERROR(kOutOfMemory, "cannot allocate %zu bytes", sizeof(InterpreterImpl));
  Interpreter interpreter(impl);
  MICRORT_RETURN_IF_ERROR(impl->Init(model.impl(), resolver, options));
  Session session;
  MICRORT_RETURN_IF_ERROR(impl->MakeFirstSession(options, &session));
  MICRORT_RETURN_IF_ERROR(impl->StartThreads());  // they pack weights
  MICRORT_RETURN_IF_ERROR(impl->Adopt(session));
  return interpreter;
}

Result<size_t> Interpreter::RequiredArenaBytes(const Model& model, const OpResolver& resolver,
                                               const InterpreterOptions& options) {
  const UseMemory use(model.impl().memory());
  InterpreterImpl impl;
  MICRORT_RETURN_IF_ERROR(impl.Init(model.impl(), resolver, options));
  Session session;
  MICRORT_RETURN_IF_ERROR(impl.MakeFirstSession(options, &session));
  return session.arena_bytes();
}

Interpreter::Interpreter(Interpreter&& other) noexcept : impl_(std::exchange(other.impl_, nullptr)) {}

Interpreter& Interpreter::operator=(Interpreter&& other) noexcept {
  std::swap(impl_, other.impl_);
  return *this;
}

Interpreter::~Interpreter() { DeleteObject(impl_); }

size_t Interpreter::input_count() const { return CallerInputs(impl_->entry().source()).size(); }
size_t Interpreter::output_count() const { return CallerOutputs(impl_->entry().source()).size(); }

TensorView Interpreter::input(size_t i) const {
  TensorView view = ViewOfEntry(*impl_, CallerInputs(impl_->entry().source()), i);
  if (void* data = impl_->session().input_values.data(i)) view.data = data;
  return view;
}

TensorView Interpreter::output(size_t i) const {
  return ViewOfEntry(*impl_, CallerOutputs(impl_->entry().source()), i);
}

Status Interpreter::Resize(Span<const Shape> input_shapes, Span<const void* const> input_values) {
  const UseMemory use(impl_->memory());
  return impl_->Resize(input_shapes, input_values);
}
Status Interpreter::Run() { return impl_->Run(0); }
Status Interpreter::RunFor(uint64_t microseconds) {
  if (microseconds == 0) return MICRORT_ERROR(kInvalidArgument, "expected a time of at least 1 microsecond");
#if defined(MICRORT_NO_HEAP)
  return MICRORT_ERROR(kUnsupported, "a build without a heap has no clock");
#else
  return impl_->Run(microseconds);
#endif
}
void Interpreter::Cancel() { impl_->Cancel(); }

size_t Interpreter::state_count() const { return impl_->session().state.count(); }
TensorView Interpreter::state(size_t i) const {
  return i < state_count() ? ViewOf(impl_->session().state.tensor(i)) : TensorView();
}
size_t Interpreter::StateBytes() const { return impl_->session().state.bytes(); }
void Interpreter::ResetState() { impl_->state().Reset(); }
Status Interpreter::SaveState(void* to, size_t bytes) const {
  MICRORT_RETURN_IF_ERROR(CheckStateBytes(StateBytes(), bytes));
  impl_->session().state.Save(to);
  return Status();
}
Status Interpreter::RestoreState(const void* from, size_t bytes) {
  return impl_->state().Restore(from, bytes);
}
size_t Interpreter::StateLength() const { return impl_->session().state.length(); }
Status Interpreter::TruncateState(size_t length) { return impl_->state().Truncate(length); }

size_t Interpreter::arena_bytes() const { return impl_->session().arena_bytes(); }
size_t Interpreter::scratch_bytes() const {
  const ProgramMemory& memory = impl_->entry().memory();
  return memory.layout.arena_bytes - memory.buffer_bytes;
}
size_t Interpreter::arena_lower_bound() const {
  return impl_->session().state.arena_bytes() + impl_->session().layout().lower_bound;
}
size_t Interpreter::packed_in_place_bytes() const { return impl_->session().packed_in_place_bytes(); }
CpuFeatures Interpreter::features() const { return impl_->features(); }

}  // namespace micrort
