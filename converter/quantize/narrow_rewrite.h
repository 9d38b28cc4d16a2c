#pragma once
// Puts a plan of nodes that compute in a narrower type than float32 into effect.

#include <map>

#include "converter/ir/graph.h"
#include "converter/quantize/narrow_plan.h"

namespace micrort::quantize {

// int8, int16 or half: what values, constants and layers become.
class NarrowType {
 public:
  virtual ~NarrowType() = default;
  virtual const char* suffix() const = 0;  // of the names of values in this type: "_int8"
  // `value`, a copy of `original` or itself, gets the type.
  virtual void SetType(ir::ValueId original, ir::Value* value) const = 0;
  // A float constant in the type.
  virtual ir::Value Constant(ir::ValueId id, const ir::Value& constant) const = 0;
  // Operators that convert to the type and back.
  virtual schema::OptionsUnion ToNarrow() const = 0;
  virtual schema::OptionsUnion ToFloat() const = 0;
  // How conversions to the type round.
  virtual schema::Rounding NarrowRounding() const { return schema::Rounding::Exact; }
  // Whether a layer can give float32 directly.
  virtual bool LayersGiveFloats() const { return true; }
  // Whatever else changes of a node that computes in the type.
  virtual void Change(ir::Graph* graph, ir::Node* node, Int8Role role, bool narrow_output) const = 0;
};

// Values between nodes of the plan get the type; a layer with a reader outside the plan gives float32
// directly, if it can. Conversions are added where a value is needed in the other form, one of each a value
// at most. Graph outputs keep name and type. Returns the float forms of values that have the type now.
std::map<ir::ValueId, ir::ValueId> RewriteToNarrow(ir::Graph* graph, const NarrowPlan& plan,
                                                   const NarrowType& type);

}  // namespace micrort::quantize
