#include "converter/frontend/torchscript/ops/lstm_projection.h"

#include <algorithm>

#include "converter/ir/constant_values.h"

namespace micrort::frontend::torchscript {

namespace {

bool IsZero(OpContext& c, ir::ValueId id) {
  std::vector<float> elements;
  return ir::FloatsOf(c.build.graph().value(id), &elements) &&
         std::all_of(elements.begin(), elements.end(), [](float v) { return v == 0; });
}

// `h` [1,N,P] at the step where the direction begins, zeros at others: [T,N,P].
ir::ValueId AtFirstStep(OpContext& c, ir::ValueId h, bool is_reverse, ir::ValueId steps,
                        ir::ValueId lengths) {
  const ir::ValueId zero = c.Scalar(DType::kInt64, 0), one = c.Scalar(DType::kInt64, 1);
  const ir::ValueId step =
      c.build.Reshape(c.Onnx("Range", {zero, c.build.Reshape(steps, {}), one}), {ir::kInferDim, 1, 1});
  ir::ValueId first = zero;
  if (is_reverse) {
    const ir::ValueId counts = lengths == ir::kNoValue ? steps : c.CastTo(lengths, DType::kInt64);
    first = c.build.Reshape(c.Onnx("Sub", {counts, one}), {1, ir::kInferDim, 1});
  }
  return c.Onnx("Where", {c.Onnx("Equal", {step, first}), h, c.Scalar(DType::kFloat32, 0)});
}

}  // namespace

void FoldProjections(OpContext& c, const std::vector<ir::ValueId>& projections, ir::ValueId h,
                     ir::ValueId lengths, ir::ValueId* x, std::vector<ir::ValueId>* w,
                     std::vector<ir::ValueId>* r) {
  if (!c.status().ok()) return;
  const auto directions = static_cast<int64_t>(projections.size());
  if (!IsZero(c, h)) {
    const ir::ValueId steps = c.build.Slice(c.build.ShapeOf(*x), 0, 0, 1);
    std::vector<ir::ValueId> inputs = {*x};
    for (int64_t d = 0; d < directions; ++d) {
      const ir::ValueId before = directions == 1 ? h : c.build.Slice(h, 0, d, d + 1);
      inputs.push_back(AtFirstStep(c, before, d == 1, steps, lengths));
    }
    *x = c.build.Concat(inputs, 2);
    for (size_t d = 0; d < w->size(); ++d) {
      std::vector<ir::ValueId> columns = {(*w)[d]};
      const ir::ValueId none = c.Onnx("Mul", {(*r)[d], c.Scalar(DType::kFloat32, 0)});
      for (size_t other = 0; other < w->size(); ++other) columns.push_back(other == d ? (*r)[d] : none);
      (*w)[d] = c.build.Concat(columns, 1);
    }
  }
  for (size_t d = 0; d < r->size(); ++d) (*r)[d] = c.Onnx("MatMul", {(*r)[d], projections[d]});
}

ir::ValueId Project(OpContext& c, ir::ValueId y, ir::ValueId projections) {
  return c.Onnx("MatMul", {y, c.build.Transpose(projections, {0, 2, 1})});
}

}  // namespace micrort::frontend::torchscript
