#pragma once
// How much work a node takes, in the unit of ModelLimits.

#include "runtime/interpreter/node.h"
#include "runtime/ops/call_work.h"
#include "runtime/ops/work_control.h"

namespace micrort {

// The work of one call, all iterations and graphs inside included.
uint64_t WorkOf(const Node& node);
// The same without graphs inside, whose nodes count for themselves.
uint64_t OwnWorkOf(const Node& node);

}  // namespace micrort
