#include "runtime/interpreter/node_work.h"

namespace micrort {

uint64_t OwnWorkOf(const Node& node) {
  return WorkOfCall(*node.registration, node.inputs, node.outputs,
                    node.body_count == 0 ? node.prepared : PrepareResult());
}

uint64_t WorkOf(const Node& node) {
  return node.body_count == 0 ? OwnWorkOf(node) : AddWork(OwnWorkOf(node), node.prepared.work);
}

}  // namespace micrort
