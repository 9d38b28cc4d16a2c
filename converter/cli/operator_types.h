#pragma once
// Which types an operator of a file computes in: what OpResolver::Add…() is given, so that a program links no
// more.

#include "micrort/op_types.h"
#include "schema/micrort_generated.h"

namespace micrort::cli {

// Whether all is there that the functions below look at: loading a file leaves that to the operators.
bool HasOperands(const schema::Operator& op);

// kAllTypes for operators without code of their own for any type.
OpTypes TypesOf(const schema::Subgraph& graph, const schema::Operator& op);

// Whether a Conv2D has one filter a channel, as DepthwiseConv2D has: it is computed as that is.
bool IsDepthwise(const schema::Subgraph& graph, const schema::Operator& op);

}  // namespace micrort::cli
