#pragma once
// The subgraphs that an operator runs.

#include <cstdint>

#include "schema/micrort_generated.h"

namespace micrort {

constexpr int kMaxBodies = 2;

// In the order in which the operator knows them; returns how many there are.
inline int BodiesOf(const schema::Operator& op, uint32_t (&bodies)[kMaxBodies]) {
  if (const auto* branches = op.options_as_IfOptions()) {
    bodies[0] = branches->then_graph();
    bodies[1] = branches->else_graph();
    return 2;
  }
  if (const auto* loop = op.options_as_LoopOptions()) {
    bodies[0] = loop->body();
    return 1;
  }
  return 0;
}

}  // namespace micrort
