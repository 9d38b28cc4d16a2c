#include "converter/frontend/torchscript/complex_views.h"

namespace micrort::frontend::torchscript {

namespace {

bool IsViewOf(const Tensor& view, const Tensor& whole, bool imaginary) {
  return view.base != nullptr && view.base == whole.parts[imaginary ? 1 : 0];
}

}  // namespace

ir::ValueId JoinParts(ir::Builder& build, ir::ValueId real, ir::ValueId imaginary) {
  const int rank = build.graph().value(real).rank();
  return build.Concat({build.InsertDim(real, rank), build.InsertDim(imaginary, rank)}, rank);
}

ir::ValueId PartOf(ir::Builder& build, ir::ValueId joined, bool imaginary) {
  const int rank = build.graph().value(joined).rank();
  return build.Gather(joined, build.Integer(imaginary ? 1 : 0), rank - 1);
}

void MakeComplexView(const Value& self, const Tensor& real, const Tensor& imaginary, Tensor* joined) {
  if (!self.is_tensor() || !self.tensor->is_complex) return;
  if (!IsViewOf(real, *self.tensor, false) || !IsViewOf(imaginary, *self.tensor, true)) return;
  joined->base = self.tensor;
  joined->base_version = self.tensor->version;
  joined->parts_deep = self.tensor->parts_deep + 1;
  if (real.read && imaginary.read) {
    joined->read = [re = real.read, im = imaginary.read](ir::Builder& build, ir::ValueId base) {
      return JoinParts(build, re(build, PartOf(build, base, false)), im(build, PartOf(build, base, true)));
    };
  }
  if (real.write && imaginary.write) {
    joined->write = [re = real.write, im = imaginary.write](ir::Builder& build, ir::ValueId base,
                                                            ir::ValueId part) {
      return JoinParts(build, re(build, PartOf(build, base, false), PartOf(build, part, false)),
                       im(build, PartOf(build, base, true), PartOf(build, part, true)));
    };
  }
}

}  // namespace micrort::frontend::torchscript
