#include "runtime/interpreter/interpreter_impl.h"

#include <algorithm>
#include <cinttypes>
#include <utility>
#if MICRORT_ERROR_STRINGS
#include <cstdio>
#endif

#include "kernels/base/checked_math.h"
#include "kernels/base/target.h"
#include "runtime/interpreter/input_shapes.h"
#include "runtime/model/check_cpu.h"
#include "runtime/model/packed_in_file.h"
#include "runtime/threads/affinity.h"

namespace micrort {

namespace {

Status CheckOptions(const InterpreterOptions& options) {
  if (options.threads < 1 || options.threads > kMaxThreads) {
    return MICRORT_ERROR(kInvalidArgument, "threads: expected 1 to %d, found %d", kMaxThreads,
                         options.threads);
  }
  if (reinterpret_cast<uintptr_t>(options.arena) % kAlignment != 0) {
    return MICRORT_ERROR(kInvalidArgument, "expected an arena aligned to %zu bytes", kAlignment);
  }
  return Status();
}

}  // namespace

Status InterpreterImpl::Init(ModelImpl& model, const OpResolver& resolver,
                             const InterpreterOptions& options) {
  InterpreterOptions here = options;
  here.features = AvailableFeatures(options.features);
  MICRORT_RETURN_IF_ERROR(CheckCpu(here.features));
#if defined(MICRORT_XNNPACK)
  offers_external_ = ExternalLayers::MayOffer(here);
#endif
  return InitForDevice(model, resolver, here);
}

Status InterpreterImpl::InitForDevice(ModelImpl& model, const OpResolver& resolver,
                                      const InterpreterOptions& options) {
  MICRORT_RETURN_IF_ERROR(CheckOptions(options));
  model_ = &model;
  options_ = options;
  options_.resolver = nullptr;  // this and the shapes belong to the caller
  options_.input_shapes = {};
  options_.input_values = {};
  control_.SetLimits(options.limits);
  if (model.has_packed_only()) {
    if (Status s = KeepToTarget(model.root(), &options_.features); !s.ok())
      return s.WithPrefix("%s", model.label());
  }
  resolver_ = resolver;
  return CheckOperators();
}

Status InterpreterImpl::CheckOperators() const {
  constexpr int kCodes = static_cast<int>(schema::OpCode::MAX) + 1;
  int missing[kCodes] = {};
  bool complete = true;
  uint64_t operators = 0;
  for (const schema::Subgraph* subgraph : *model_->root().subgraphs()) {
    operators += Count(subgraph->operators());
    for (uint32_t i = 0; i < Count(subgraph->operators()); ++i) {
      const int code = static_cast<int>(subgraph->operators()->Get(i)->code());
      if (resolver_.Find(code) != nullptr) continue;
      ++missing[code];
      complete = false;
    }
  }
  if (operators > options_.limits.max_operators) {
    return MICRORT_ERROR(kUnsupported,
                         "%s: expected at most %" PRIu64
                         " operators (ModelLimits::max_operators), found %" PRIu64,
                         model_->label(), options_.limits.max_operators, operators);
  }
  if (complete) return Status();
#if MICRORT_ERROR_STRINGS
  char list[Status::kMaxMessage] = "";
  size_t used = 0;
  for (int code = 0; code < kCodes && used < sizeof list; ++code) {
    if (missing[code] == 0) continue;
    used += static_cast<size_t>(
        std::snprintf(list + used, sizeof list - used, "%s%s (%d nodes)", used == 0 ? "" : ", ",
                      schema::EnumNameOpCode(static_cast<schema::OpCode>(code)), missing[code]));
  }
  return MICRORT_ERROR(kUnsupported, "%s: operators that the resolver lacks: %s", model_->label(), list);
#else
  return Status::Error(StatusCode::kUnsupported);
#endif
}

Status InterpreterImpl::MakeFirstSession(const InterpreterOptions& options, Session* session) const {
  FixedArray<Shape> shapes;
  Span<const Shape> input_shapes = options.input_shapes;
  if (input_shapes.empty()) {
    MICRORT_RETURN_IF_ERROR(DefaultInputShapes(model_->entry(), &shapes));
    input_shapes = shapes;
  }
  Status status = MakeSession(input_shapes, options.input_values, nullptr, session);
  if (status.ok()) status = control_.CheckMemory(session->arena_bytes());
  return status.WithPrefix("%s", model_->label());
}

Status InterpreterImpl::MakeNextSession(Span<const Shape> input_shapes, Span<const void* const> input_values,
                                        Session* session) const {
  Status status = MakeSession(input_shapes, input_values, &session_, session);
  if (status.code() == StatusCode::kOutOfMemory || (status.ok() && !HasRoomFor(*session))) {
    *session = Session();
    status = MakeSession(input_shapes, input_values, nullptr, session);
  }
  return status.ok() ? control_.CheckMemory(session->arena_bytes()) : status;
}

bool InterpreterImpl::HasRoomFor(const Session& session) const {
  const size_t bytes = session.arena_bytes();
  return control_.CheckMemory(bytes).ok() && (options_.arena == nullptr || bytes <= options_.arena_bytes);
}

Status InterpreterImpl::MakeSession(Span<const Shape> input_shapes, Span<const void* const> input_values,
                                    const Session* former, Session* session) const {
  MICRORT_RETURN_IF_ERROR(CheckInputShapes(model_->entry(), input_shapes));
  InputValues own_values;
  MICRORT_RETURN_IF_ERROR(own_values.Init(model_->entry(), input_shapes, input_values));
  session->input_values = std::move(own_values);
  session->state = KeptState();
  if (session->subgraphs.empty()) {
    MICRORT_RETURN_IF_ERROR(
        InitSubgraphs(model_->root(), resolver_, &session->subgraphs, model_->constants()));
  }
  for (Subgraph& subgraph : session->subgraphs) subgraph.Forget();
  if (former != nullptr) {
    for (size_t i = 0; i < session->subgraphs.size(); ++i)
      session->subgraphs[i].PlaceAs(&former->subgraphs[i].memory());
  }
  Subgraph& entry = session->subgraphs[0];
  FixedArray<Shape> shapes;
  MICRORT_RETURN_IF_ERROR(WithStateShapes(model_->entry(), input_shapes, &shapes));
  PrepareTarget target = {options_.features, ThreadPool::WorkersOf(options_.threads), options_.chooser};
  target.control = &control_;
#if defined(MICRORT_XNNPACK)
  target.external = offers_external_;
#endif
  const Span<const void* const> values = session->input_values.planned();
  // The file decided by estimated cost, and for those who read outputs only and write inputs before each run.
  const bool may_be_decided = options_.chooser == nullptr && !options_.whole_tensors && !options_.keep_inputs;
  control_.BeginPlanning();
  const bool is_decided = may_be_decided && entry.TakeDecisions(shapes, values, target);
  if (!is_decided) {
    control_.BeginPlanning();
    MICRORT_RETURN_IF_ERROR(entry.Prepare(shapes, values, target));
  }
  MICRORT_RETURN_IF_ERROR(control_.CheckRun(entry.body().work()));
  MICRORT_RETURN_IF_ERROR(session->state.Init(model_->root(), entry));
  if (!is_decided) {
    entry.program().keeps_inputs = options_.keep_inputs;
    MICRORT_RETURN_IF_ERROR(entry.Rewrite(!options_.whole_tensors));
    MICRORT_RETURN_IF_ERROR(entry.Plan());
  }
#if defined(MICRORT_XNNPACK)
  session->external.CountIn(entry.graph());
#endif
  return session->views.Allocate(options_.observer == nullptr ? 0 : entry.max_views());
}

Status InterpreterImpl::Adopt(Session& session) {
  AlignedMemory grown;
  void* arena = nullptr;
  Status status = GetArena(session.arena_bytes(), &grown, &arena);
  if (status.ok()) status = GetPackedWeights(session);
  if (!status.ok()) return status.WithPrefix("%s", model_->label());
  session.subgraphs[0].Bind(static_cast<uint8_t*>(arena) + session.state.arena_bytes());
#if defined(MICRORT_XNNPACK)
  status = session.external.Create(session.subgraphs[0].graph(), ThreadPool::WorkersOf(options_.threads));
  if (!status.ok()) return status.WithPrefix("%s", model_->label());
#endif
  session.state.Bind(arena, session_.state);
  if (grown.data() != nullptr) own_arena_ = std::move(grown);
  std::swap(session_, session);
  return Status();
}

Status InterpreterImpl::GetArena(size_t bytes, AlignedMemory* grown, void** arena) const {
  if (options_.arena != nullptr) {
    if (options_.arena_bytes < bytes) {
      return MICRORT_ERROR(kOutOfMemory, "expected an arena of %zu bytes, found %zu", bytes,
                           options_.arena_bytes);
    }
    *arena = options_.arena;
    return Status();
  }
  *arena = own_arena_.data();
  if (bytes <= own_arena_.size()) return Status();
  // Sizes that grow step by step rarely need another block.
  const size_t ample = own_arena_.size() + own_arena_.size() / 4;
  const bool is_ample = ample > bytes && control_.CheckMemory(ample).ok() && grown->Allocate(ample).ok();
  if (!is_ample) {
    if (Status s = grown->Allocate(bytes); !s.ok()) return s.WithPrefix("arena");
  }
  *arena = grown->data();
  return Status();
}

Status InterpreterImpl::GetPackedWeights(Session& session) {
  FixedArray<PackRequest> requests;
  MICRORT_RETURN_IF_ERROR(AddAllPackRequests(session.subgraphs, &requests));
  size_t failed = 0;
  const Status status = model_->packed().Acquire(requests, pool_, &failed);
  if (status.ok() || failed == requests.size()) return status;
  const PackKey& key = requests[failed].key;
  const Graph& graph = session.subgraphs[static_cast<size_t>(key.subgraph)].graph();
  return graph.nodes[static_cast<size_t>(key.op)].Explain(status);
}

Status InterpreterImpl::Resize(Span<const Shape> input_shapes, Span<const void* const> input_values) {
  const Status status = ResizeTo(input_shapes, input_values);
#if defined(MICRORT_XNNPACK)
  const bool may_be_used_again = false;  // its operators are made once
#else
  const bool may_be_used_again = status.ok();
#endif
  if (!may_be_used_again) former_session_ = Session();
  return status;
}

Status InterpreterImpl::ResizeTo(Span<const Shape> input_shapes, Span<const void* const> input_values) {
  const bool keeps = input_values.empty() && session_.input_values.KeepShapes(entry().source(), input_shapes);
  if (keeps) input_values = session_.input_values.planned();
  Status status = MakeNextSession(input_shapes, input_values, &former_session_);
  if (status.code() == StatusCode::kInvalidModel) {
    // The model has run with other shapes, so it is these that are wrong.
    status = MICRORT_ERROR(kInvalidArgument, "cannot take these input shapes: %s", status.message());
  }
  if (!status.ok()) return status.WithPrefix("%s", model_->label());
  return Adopt(former_session_);
}

Status InterpreterImpl::StartThreads() {
  pool_.EndEarly(&control_.stop());
  pool_.SetSpin(options_.spin);
  return pool_.Start(options_.threads, options_.cpus != 0 ? options_.cpus : DefaultCpus(options_.threads));
}

Status InterpreterImpl::Run(uint64_t timeout) {
  Status status = session_.input_values.Check(entry().source());
  if (status.ok()) status = session_.state.CheckRings();
  control_.BeginRun(timeout == 0 ? StopSignal::kNoDeadline : StopSignal::Now() + timeout);
  if (status.ok()) status = session_.subgraphs[0].Run(pool_, options_.observer, session_.views);
  control_.EndRun();
  if (status.ok()) status = session_.state.Keep();
  if (!status.ok()) session_.state.Lose();
  return status.ok() ? status : status.WithPrefix("%s", model_->label());
}

}  // namespace micrort
