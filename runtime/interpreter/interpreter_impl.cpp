#include "runtime/interpreter/interpreter_impl.h"

#include <cstdio>
#include <utility>

#include "kernels/base/checked_math.h"

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

// Dynamic dimensions become 1.
Status FirstShapes(const schema::Subgraph& subgraph, FixedArray<Shape>* shapes) {
  const Span<const int32_t> inputs = Ints(subgraph.inputs());
  MICRORT_RETURN_IF_ERROR(shapes->Allocate(inputs.size()));
  for (size_t i = 0; i < inputs.size(); ++i) {
    Shape& shape = (*shapes)[i];
    shape = ShapeOf(*subgraph.tensors()->Get(static_cast<uint32_t>(inputs[i])));
    for (int d = 0; d < shape.rank; ++d) shape[d] = shape[d] < 0 ? 1 : shape[d];
  }
  return Status();
}

}  // namespace

Status InterpreterImpl::Init(ModelImpl& model, const InterpreterOptions& options) {
  MICRORT_RETURN_IF_ERROR(CheckOptions(options));
  model_ = &model;
  options_ = options;
  options_.features &= DetectCpuFeatures();
  resolver_ = options.resolver == nullptr ? AllOps() : *options.resolver;
  return CheckOperators();
}

Status InterpreterImpl::CheckOperators() const {
  constexpr int kCodes = static_cast<int>(schema::OpCode::MAX) + 1;
  int missing[kCodes] = {};
  bool complete = true;
  for (const schema::Subgraph* subgraph : *model_->root().subgraphs()) {
    for (uint32_t i = 0; i < Count(subgraph->operators()); ++i) {
      const int code = static_cast<int>(subgraph->operators()->Get(i)->code());
      if (resolver_.Find(code) != nullptr) continue;
      ++missing[code];
      complete = false;
    }
  }
  if (complete) return Status();
  char list[Status::kMaxMessage] = "";
  size_t used = 0;
  for (int code = 0; code < kCodes && used < sizeof list; ++code) {
    if (missing[code] == 0) continue;
    used += static_cast<size_t>(
        std::snprintf(list + used, sizeof list - used, "%s%s (%d nodes)", used == 0 ? "" : ", ",
                      schema::EnumNameOpCode(static_cast<schema::OpCode>(code)), missing[code]));
  }
  return MICRORT_ERROR(kUnsupported, "%s: operators that the resolver lacks: %s", model_->label(), list);
}

Status InterpreterImpl::MakeFirstSession(Session* session) const {
  FixedArray<Shape> shapes;
  MICRORT_RETURN_IF_ERROR(FirstShapes(*model_->root().subgraphs()->Get(0), &shapes));
  return MakeSession(shapes, session);
}

Status InterpreterImpl::MakeSession(Span<const Shape> input_shapes, Session* session) const {
  MICRORT_RETURN_IF_ERROR(session->subgraphs.Allocate(Count(model_->root().subgraphs())));
  size_t views = 0;
  for (size_t i = 0; i < session->subgraphs.size(); ++i) {
    Subgraph& subgraph = session->subgraphs[i];
    FixedArray<Shape> first_shapes;
    if (i != 0) {
      MICRORT_RETURN_IF_ERROR(
          FirstShapes(*model_->root().subgraphs()->Get(static_cast<uint32_t>(i)), &first_shapes));
    }
    if (Status s = MakeSubgraph(i, i == 0 ? input_shapes : Span<const Shape>(first_shapes), &subgraph);
        !s.ok()) {
      return s.WithPrefix("%s", model_->label());
    }
    session->arena_bytes += subgraph.layout().arena_bytes;
    session->scratch_bytes += subgraph.scratch_bytes();
    session->lower_bound += subgraph.layout().lower_bound;
    views = views < subgraph.max_views() ? subgraph.max_views() : views;
  }
  return session->views.Allocate(options_.observer == nullptr ? 0 : views);
}

Status InterpreterImpl::MakeSubgraph(size_t index, Span<const Shape> input_shapes, Subgraph* subgraph) const {
  const schema::Model& model = model_->root();
  MICRORT_RETURN_IF_ERROR(
      subgraph->Init(model, *model.subgraphs()->Get(static_cast<uint32_t>(index)), resolver_));
  const int workers = ThreadPool::WorkersOf(options_.threads);
  MICRORT_RETURN_IF_ERROR(subgraph->Prepare(input_shapes, options_.features, workers));
  return subgraph->Plan(PlanRequest());
}

Status InterpreterImpl::Adopt(Session session) {
  AlignedMemory grown;
  void* arena = nullptr;
  Status status = GetArena(session.arena_bytes, &grown, &arena);
  if (status.ok()) status = GetPackedWeights(session);
  if (!status.ok()) return status.WithPrefix("%s", model_->label());
  auto* base = static_cast<uint8_t*>(arena);
  for (Subgraph& subgraph : session.subgraphs) {
    subgraph.Bind(base);
    base += subgraph.layout().arena_bytes;
  }
  if (grown.data() != nullptr) own_arena_ = std::move(grown);
  session_ = std::move(session);
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
  if (Status s = grown->Allocate(bytes); !s.ok()) return s.WithPrefix("arena");
  *arena = grown->data();
  return Status();
}

Status InterpreterImpl::GetPackedWeights(Session& session) {
  size_t count = 0;
  for (Subgraph& subgraph : session.subgraphs) count += subgraph.CountPackRequests();
  FixedArray<PackRequest> requests;
  MICRORT_RETURN_IF_ERROR(requests.Allocate(count));
  count = 0;
  for (size_t i = 0; i < session.subgraphs.size(); ++i) {
    count += session.subgraphs[i].AddPackRequests(static_cast<int32_t>(i), requests.data() + count);
  }
  size_t failed = 0;
  const Status status = model_->packed().Acquire(requests, &failed);
  if (status.ok() || failed == requests.size()) return status;
  const PackKey& key = requests[failed].key;
  return session.subgraphs[static_cast<size_t>(key.subgraph)].nodes()[static_cast<size_t>(key.op)].Explain(
      status);
}

Status InterpreterImpl::CheckShapes(Span<const Shape> input_shapes) const {
  const Span<const int32_t> inputs = Ints(entry().source().inputs());
  if (input_shapes.size() != inputs.size()) {
    return MICRORT_ERROR(kInvalidArgument, "expected %zu shapes, one an input, found %zu", inputs.size(),
                         input_shapes.size());
  }
  for (size_t i = 0; i < inputs.size(); ++i) {
    const size_t tensor = static_cast<size_t>(inputs[i]);
    const Shape& declared = entry().declared_shape(tensor);
    const Shape& shape = input_shapes[i];
    const char* name = entry().tensor(tensor).name;
    if (shape.rank != declared.rank) {
      return MICRORT_ERROR(kInvalidArgument, "input %zu ('%.100s'): expected rank %d (%s), found %d", i, name,
                           declared.rank, ShapeString(declared).c_str(), shape.rank);
    }
    for (int d = 0; d < shape.rank; ++d) {
      if (declared[d] >= 0 && shape[d] != declared[d]) {
        return MICRORT_ERROR(kInvalidArgument,
                             "input %zu ('%.100s'), dimension %d: expected %lld, found %lld", i, name, d,
                             static_cast<long long>(declared[d]), static_cast<long long>(shape[d]));
      }
      if (shape[d] < 0) {
        return MICRORT_ERROR(kInvalidArgument,
                             "input %zu ('%.100s'), dimension %d: expected 0 or more, found %lld", i, name, d,
                             static_cast<long long>(shape[d]));
      }
    }
  }
  return Status();
}

Status InterpreterImpl::Resize(Span<const Shape> input_shapes) {
  if (Status s = CheckShapes(input_shapes); !s.ok()) return s.WithPrefix("%s", model_->label());
  Session session;
  MICRORT_RETURN_IF_ERROR(MakeSession(input_shapes, &session));
  return Adopt(std::move(session));
}

Status InterpreterImpl::Run() {
  const Status status = entry().Run(pool_, options_.observer, session_.views);
  return status.ok() ? status : status.WithPrefix("%s", model_->label());
}

}  // namespace micrort
