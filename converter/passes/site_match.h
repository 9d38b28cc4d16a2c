#pragma once
// Matching small expressions backwards from a value.

#include "converter/passes/match.h"
#include "converter/passes/rewrite.h"

namespace micrort::passes {

// Equal up to how differently exporters round a constant.
bool Near(float a, float b);

// Who writes the value; null for graph inputs and constants.
ir::Node* ProducerOf(const Site& site, ir::ValueId id);

// v where the value is ...; kNoValue where it is not. Constants may have any shape of one element.
ir::ValueId OperandOfUnary(const Site& site, ir::ValueId id, schema::UnaryKind kind);  // kind(v)
ir::ValueId OperandOfSum(const Site& site, ir::ValueId id, float c);                   // v + c
ir::ValueId OperandOfProduct(const Site& site, ir::ValueId id, float c);               // v * c, v / (1 / c)
ir::ValueId OperandOfPower(const Site& site, ir::ValueId id, float c);  // v ^ c; 2, 3: v * v, v * v * v
// 1 / v
ir::ValueId OperandOfReciprocal(const Site& site, ir::ValueId id);

// The node becomes Unary, of `x`.
void BecomeUnary(const Site& site, schema::UnaryKind kind, ir::ValueId x, float a = 0, float b = 0);

}  // namespace micrort::passes
