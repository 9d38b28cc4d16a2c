// Elements chosen by conditions, and in order.

#include "converter/frontend/torchscript/numbers.h"
#include "converter/frontend/torchscript/ops/promotion.h"
#include "converter/frontend/torchscript/registry.h"

namespace micrort::frontend::torchscript {

namespace {

// (condition, self, other)
void ImportWhere(OpContext& c) {
  if (!c.Has(1)) {  // the positions of what is not zero, one tensor a dimension
    const ir::ValueId x = c.TensorAt(0);
    const ir::ValueId positions = c.Onnx("NonZero", {x});
    std::vector<ir::ValueId> parts;
    for (int i = 0; i < c.rank(x); ++i) {
      parts.push_back(c.Onnx("Gather", {positions, c.build.Integer(i)}, {{"axis", int64_t{0}}}));
    }
    return c.ReturnList(parts);
  }
  const std::vector<ir::ValueId> x = Promoted(c, {c.arg(1), c.arg(2)});
  c.Return(c.build.Select({c.CastTo(c.TensorAt(0), DType::kBool), x[0], x[1]}));
}

// (self, mask, value)
void ImportMaskedFill(OpContext& c) {
  const ir::ValueId x = c.TensorAt(0);
  const Value& given = c.arg(2);
  const bool is_number = given.is_scalar() && !given.is_computed();
  const ir::ValueId value = is_number ? NumberAs(c, c.dtype(x), given) : c.CastTo(c.TensorAt(2), c.dtype(x));
  c.Return(c.build.Select({c.CastTo(c.TensorAt(1), DType::kBool), value, x}));
}

// (self, k, dim, largest, sorted)
void ImportTopK(OpContext& c) {
  const ir::ValueId x = c.TensorAt(0);
  const int axis = c.Axis(2, c.rank(x), -1);
  c.ReturnTuple(c.OnnxMany("TopK", {x, c.IntegerTensor(c.arg(1))},
                           {{"axis", int64_t{axis}}, {"largest", int64_t{c.Bool(3, true)}}}, 2));
}

// (self, dim, descending), (self, stable, dim, descending); by its name, `stable` comes last
std::vector<ir::ValueId> Sorted(OpContext& c) {
  const ir::ValueId x = c.TensorAt(0);
  // A stable order is one of the orders.
  const size_t first = c.arg(1).Is(Kind::kBool) ? 2 : 1;
  const int axis = c.Axis(first, c.rank(x), -1);
  const bool descending = c.Bool(first + 1, false);
  const ir::ValueId all =
      c.dim(x, axis) == ir::kDynamic ? c.build.SizesOf(x, axis, axis + 1) : c.Integers({c.dim(x, axis)});
  return c.OnnxMany("TopK", {x, all}, {{"axis", int64_t{axis}}, {"largest", int64_t{descending}}}, 2);
}

void ImportSort(OpContext& c) { c.ReturnTuple(Sorted(c)); }
void ImportArgSort(OpContext& c) { c.Return(Sorted(c)[1]); }

// (self, diagonal)
template <bool upper>
void ImportTriangle(OpContext& c) {
  const ir::ValueId x = c.TensorAt(0);
  const bool is_computed = c.Has(1) && c.arg(1).is_computed();
  const ir::ValueId diagonal =
      is_computed ? c.CastTo(c.TensorAt(1), DType::kInt64) : c.build.Integer(c.Int(1, 0));
  const bool is_bool = c.dtype(x) == DType::kBool;
  const ir::ValueId y =
      c.Onnx("Trilu", {is_bool ? c.build.Cast(x, DType::kInt32) : x, diagonal}, {{"upper", int64_t{upper}}});
  c.Return(is_bool ? c.build.Cast(y, DType::kBool) : y);
}

void ImportNonZero(OpContext& c) { c.Return(c.Onnx("Transpose", {c.Onnx("NonZero", {c.TensorAt(0)})})); }

// (input, grid, interpolation_mode, padding_mode, align_corners)
void ImportGridSampler(OpContext& c) {
  static const char* const kModes[] = {"linear", "nearest", "cubic"};
  static const char* const kPadding[] = {"zeros", "border", "reflection"};
  const int64_t mode = c.Int(2, 0), padding = c.Int(3, 0);
  if (mode < 0 || mode > 2 || padding < 0 || padding > 2)
    return c.Fail(Invalid("mode {}, padding {}", mode, padding));
  c.Return(c.Onnx("GridSample", {c.TensorAt(0), c.TensorAt(1)},
                  {{"mode", std::string(kModes[mode])},
                   {"padding_mode", std::string(kPadding[padding])},
                   {"align_corners", int64_t{c.Bool(4, false)}}}));
}

// (theta, size, align_corners)
void ImportAffineGrid(OpContext& c) {
  c.Return(c.Onnx("AffineGrid", {c.TensorAt(0), c.IntegerTensor(c.arg(1))},
                  {{"align_corners", int64_t{c.Bool(2, false)}}}));
}

}  // namespace

const ImporterList SelectionOps = {
    {"affine_grid_generator", "theta size align_corners", ImportAffineGrid},
    {"argsort", "self dim descending a stable", ImportArgSort},
    {"grid_sampler", "input grid interpolation_mode padding_mode align_corners", ImportGridSampler},
    {"masked_fill", "self mask value", ImportMaskedFill},
    {"nonzero", "self", ImportNonZero},
    {"sort", "self dim descending a stable", ImportSort},
    {"topk", "self k dim largest sorted", ImportTopK},
    {"tril", "self diagonal", ImportTriangle<false>},
    {"triu", "self diagonal", ImportTriangle<true>},
    {"where", "condition self other", ImportWhere},
};

}  // namespace micrort::frontend::torchscript
