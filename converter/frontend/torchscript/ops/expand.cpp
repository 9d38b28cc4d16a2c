// Tensors of which several places are one element.

#include "converter/frontend/torchscript/registry.h"

namespace micrort::frontend::torchscript {

namespace {

// Several places are one element, so that none can be written.
void ReturnExpanded(OpContext& c, ir::ValueId y) {
  const std::vector<int64_t> shape = c.value(y).shape;
  const auto read = [shape](ir::Builder& build, ir::ValueId base) {
    return build.Expand({base, build.Integers(shape)});
  };
  c.ReturnView(y, c.value(y).is_static() ? OpContext::ReadPart(read) : nullptr, nullptr);
  MarkSpread(c);
}

// (self, size, implicit): -1 keeps a dimension
void ImportExpand(OpContext& c) {
  const ir::ValueId x = c.TensorAt(0);
  if (!c.arg(1).is_sequence()) return c.Fail(Invalid("a size that is no list"));
  std::vector<Value> sizes = *c.arg(1).items;
  for (Value& size : sizes) {
    if (size == Value::Int(-1)) size = Value::Int(1);
  }
  if (OpContext::IsKnown(c.arg(1)) && static_cast<int>(sizes.size()) == c.rank(x)) {
    bool same = true;
    for (size_t i = 0; i < sizes.size(); ++i)
      same &= sizes[i].integer == 1 || sizes[i].integer == c.dim(x, static_cast<int>(i));
    if (same) {
      c.ReturnValue(c.arg(0));
      return;
    }
  }
  ReturnExpanded(c, c.Onnx("Expand", {x, c.IntegerTensor(Value::Sequence(Kind::kList, sizes))}));
}

void ImportExpandAs(OpContext& c) {
  const ir::ValueId x = c.TensorAt(0), like = c.TensorAt(1);
  if (c.value(x).is_static() && c.value(x).shape == c.value(like).shape) return c.ReturnValue(c.arg(0));
  ReturnExpanded(c, c.Onnx("Expand", {x, c.build.ShapeOf(like)}));
}

}  // namespace

const ImporterList ExpandOps = {
    {"broadcast_to", "self size", ImportExpand},
    {"expand", "self size implicit", ImportExpand},
    {"expand_as", "self other", ImportExpandAs},
};

}  // namespace micrort::frontend::torchscript
