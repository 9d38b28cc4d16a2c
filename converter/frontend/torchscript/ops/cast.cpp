// Types, copies, and what changes nothing in a model that is run.

#include "converter/frontend/torchscript/element_types.h"
#include "converter/frontend/torchscript/ops/promotion.h"
#include "converter/frontend/torchscript/registry.h"

namespace micrort::frontend::torchscript {

namespace {

// The tensor itself: changed in place, it changes its argument.
void ImportSame(OpContext& c) { c.ReturnValue(c.arg(0)); }

// Another tensor with the same elements.
void ImportCopyOf(OpContext& c) { c.Return(c.TensorAt(0)); }

// PyTorch returns the tensor itself if its elements lie in order already, else a copy.
void ImportContiguous(OpContext& c) {
  const ir::ValueId x = c.TensorAt(0);
  if (c.Int(1, 0) != 0) return ImportCopyOf(c);
  if (IsSpread(c)) return c.ReturnInOrder(x);
  if (!MayBeReordered(c)) return ImportSame(c);
  c.ReturnView(x, nullptr, nullptr);  // a copy or not: nothing may rely on either
}

void ReturnAs(OpContext& c, DType dtype) {
  const ir::ValueId x = c.TensorAt(0);
  if (c.dtype(x) == dtype) return ImportSame(c);
  c.Return(c.build.Cast(x, dtype));
}

// to(dtype, ...), to(device, dtype, ...), to(other, ...): the type is where it is found
void ImportTo(OpContext& c) {
  DType dtype = c.dtype(c.TensorAt(0));
  for (size_t i = 1; i <= 2; ++i) {
    if (c.arg(i).is_known_int()) {
      dtype = c.Type(i, dtype);
      break;
    }
    if (c.arg(i).is_tensor()) dtype = c.dtype(c.TensorAt(i));
  }
  if (c.Has(6)) dtype = c.Type(6, dtype);
  ReturnAs(c, dtype);
}

void ImportTypeAs(OpContext& c) { ReturnAs(c, c.dtype(c.TensorAt(1))); }

template <DType dtype>
void ImportAs(OpContext& c) {
  ReturnAs(c, dtype);
}

// (input, p, train)
void ImportDropout(OpContext& c) {
  if (c.Bool(2, false) && c.Float(1, 0.5) > 0) {
    c.Fail(Unsupported("random numbers of training; call model.eval() before saving it"));
  }
  ImportSame(c);
}

// (self, src): what it holds from now on
void ImportCopy(OpContext& c) {
  const ir::ValueId self = c.TensorAt(0);
  const ir::ValueId source = c.CastTo(c.TensorAt(1), c.dtype(self));
  const bool same_shape = c.value(self).is_static() && c.value(self).shape == c.value(source).shape;
  c.Return(same_shape ? source : c.Onnx("Expand", {source, c.build.ShapeOf(self)}));
}

}  // namespace

const ImporterList CastOps = {
    {"_cast_Float", "self non_blocking", ImportAs<DType::kFloat32>},
    {"_cast_Int", "self non_blocking", ImportAs<DType::kInt32>},
    {"_cast_Long", "self non_blocking", ImportAs<DType::kInt64>},
    {"alias", "self", ImportSame},
    {"alpha_dropout", "input p train", ImportDropout},
    {"clone", "self memory_format", ImportCopyOf},
    {"contiguous", "self memory_format", ImportContiguous},
    {"copy", "self src non_blocking", ImportCopy},
    {"cpu", "self", ImportSame},
    {"detach", "self", ImportSame},
    {"dropout", "input p train", ImportDropout, "training"},
    {"dropout2d", "input p train", ImportDropout},
    {"feature_dropout", "input p train", ImportDropout, "training"},
    {"lift_fresh", "self", ImportSame},
    {"positive", "self", ImportSame},
    {"prim::data", "self", ImportSame},
    {"requires_grad", "self requires_grad", ImportSame},
    {"resolve_conj", "self", ImportSame},
    {"resolve_neg", "self", ImportSame},
    {"to", "self a b c d e dtype layout device pin_memory non_blocking copy memory_format", ImportTo},
    {"type_as", "self other", ImportTypeAs},
};

}  // namespace micrort::frontend::torchscript
