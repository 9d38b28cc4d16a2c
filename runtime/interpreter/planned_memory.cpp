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
  FixedArray<PackRequest> requests;
  MICRORT_RETURN_IF_ERROR(AddAllPackRequests(session.subgraphs, &requests));
  return PlanPackedBytes(requests, &memory->packed_bytes);
}

}  // namespace micrort
