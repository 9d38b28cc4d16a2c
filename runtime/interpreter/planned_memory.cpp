#include "runtime/interpreter/planned_memory.h"

#include "micrort/op_resolver.h"
#include "runtime/interpreter/interpreter_impl.h"
#include "runtime/interpreter/packed_weights.h"

namespace micrort {

Status PlanMemoryOfDevice(const Model& model, const InterpreterOptions& options, PlannedMemory* memory) {
  InterpreterImpl impl;
  MICRORT_RETURN_IF_ERROR(
      impl.InitForDevice(model.impl(), options.resolver == nullptr ? AllOps() : *options.resolver, options));
  Session session;
  MICRORT_RETURN_IF_ERROR(impl.MakeFirstSession(options, &session));
  const size_t lower_bound = session.state.arena_bytes() + session.layout().lower_bound;
  *memory = {session.arena_bytes(), lower_bound, 0, session.packed_in_place_bytes()};
  for (size_t i = 0; i < session.subgraphs.size(); ++i) {
    Graph& graph = session.subgraphs[i].graph();
    FixedArray<PackRequest> requests;
    MICRORT_RETURN_IF_ERROR(requests.Allocate(CountPackRequests(graph)));
    AddPackRequests(static_cast<int32_t>(i), graph, requests.data());
    for (const PackRequest& request : requests) memory->packed_bytes += request.key.bytes;
  }
  return Status();
}

}  // namespace micrort
