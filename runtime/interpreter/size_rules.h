#pragma once
// The file's rules about the sizes of inputs (schema: SizeRule).

#include "kernels/base/shape.h"
#include "kernels/base/span.h"
#include "kernels/base/status.h"
#include "runtime/model/schema_text.h"

namespace micrort {

// kInvalidArgument, with the rule, its node and what was found, unless the shapes keep all rules.
Status CheckSizeRules(const schema::Subgraph& graph, Span<const Shape> shapes);

// Gives dimensions that rules are about sizes that keep all of these: all of them, or one, the least number
// for which they do, and 1 to the others, but to those that follow from others. False if that finds none.
bool KeepSizeRules(const schema::Subgraph& graph, Span<Shape> shapes);

}  // namespace micrort
