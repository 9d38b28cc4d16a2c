#include "converter/frontend/onnx/ops/resize_target.h"

#include <algorithm>

namespace micrort::frontend::onnx {

namespace {

using schema::BinaryKind;
using schema::ReduceKind;
using schema::UnaryKind;

// What the node says, one entry for each of `axes`.
struct Request {
  std::vector<int> axes;
  ir::ValueId roi = ir::kNoValue;
  ir::ValueId scales = ir::kNoValue;
  ir::ValueId sizes = ir::kNoValue;
};

// Opset 10 has no input but the scales; in opset 11 an absent one is empty.
ir::ValueId NonEmpty(const NodeContext& c, size_t i) {
  const bool empty = !c.has_input(i) || (c.x(i).is_static() && c.x(i).elements() == 0);
  return empty ? ir::kNoValue : c.input(i);
}

Status CheckEntries(const NodeContext& c, const char* what, ir::ValueId list, size_t expected) {
  if (list == ir::kNoValue) return Status();
  const ir::Value& v = c.value(list);
  const bool fits =
      v.rank() == 1 && (v.shape[0] == ir::kDynamic || v.shape[0] == static_cast<int64_t>(expected));
  if (fits) return Status();
  return Invalid("{}: expected {} entries, found {}", what, expected,
                 v.is_static() ? std::to_string(v.elements()).c_str() : "another shape");
}

Status ReadAxes(NodeContext& c, std::vector<int>* axes) {
  const std::vector<int64_t> listed = c.Ints("axes");
  *axes = ir::AxesFrom(0, c.x().rank());
  if (listed.empty()) return Status();
  MICRORT_RETURN_IF_ERROR(NormalizeAxes(listed, c.x().rank(), axes));
  return CheckDistinct(*axes);
}

// Up to opset 8: one list, or, up to opset 6, a number for each side of an image.
std::vector<float> AttributeScales(NodeContext& c) {
  if (c.opset() >= 7) return c.Floats("scales");
  std::vector<float> scales(static_cast<size_t>(c.x().rank()), 1.0f);
  if (scales.size() != 4) return {};
  scales[2] = c.Float("height_scale", 1.0f);
  scales[3] = c.Float("width_scale", 1.0f);
  return scales;
}

Status ReadRequest(NodeContext& c, bool crops, Request* out) {
  MICRORT_RETURN_IF_ERROR(ReadAxes(c, &out->axes));
  // Attributes, up to opset 10: input 1, later: input 2, or sizes as input 3.
  const std::vector<float> attribute = AttributeScales(c);
  if (!attribute.empty()) {
    out->scales = c.build.Constant({static_cast<int64_t>(attribute.size())}, attribute);
  } else {
    out->scales = NonEmpty(c, c.opset() < 11 ? 1 : 2);
  }
  out->sizes = NonEmpty(c, 3);
  if (crops) {
    out->roi = NonEmpty(c, 1);
    if (out->roi == ir::kNoValue) return Invalid("tf_crop_and_resize needs a roi");
    if (c.x(1).dtype != DType::kFloat32) out->roi = c.build.Cast(out->roi, DType::kFloat32);
  }
  if (out->sizes != ir::kNoValue) out->scales = ir::kNoValue;
  const size_t count = out->axes.size();
  MICRORT_RETURN_IF_ERROR(CheckEntries(c, "scales", out->scales, count));
  MICRORT_RETURN_IF_ERROR(CheckEntries(c, "sizes", out->sizes, count));
  return CheckEntries(c, "roi", out->roi, 2 * count);
}

// The dimensions of x that `axes` name.
ir::ValueId DimsOf(NodeContext& c, const std::vector<int>& axes) {
  const std::vector<int64_t> indices(axes.begin(), axes.end());
  return c.build.Gather(c.build.ShapeOf(c.input(0)), c.build.Integers(indices), 0);
}

// Sizes that keep the aspect ratio: the smallest or the largest scale that an axis asks for, for all of them.
Status ApplyAspectPolicy(NodeContext& c, Request* r) {
  const std::string policy = c.String("keep_aspect_ratio_policy", "stretch");
  if (policy == "stretch" || r->sizes == ir::kNoValue) return Status();
  if (policy != "not_larger" && policy != "not_smaller")
    return Invalid("keep_aspect_ratio_policy '{}'", policy);
  // In double precision, as sizes half way between two integers are common.
  const ir::ValueId dims = c.build.Cast(DimsOf(c, r->axes), DType::kFloat64);
  const ir::ValueId wanted = c.build.Cast(r->sizes, DType::kFloat64);
  const ReduceKind choice = policy == "not_larger" ? ReduceKind::Min : ReduceKind::Max;
  const ir::ValueId scale = c.build.Reduce(choice, c.build.Binary(BinaryKind::Div, wanted, dims), {0}, true);
  const ir::ValueId scaled = c.build.Binary(BinaryKind::Mul, dims, scale);
  const ir::ValueId half = c.build.Constant<double>({}, {0.5});
  const ir::ValueId rounded = c.build.Unary(UnaryKind::Floor, c.build.Binary(BinaryKind::Add, scaled, half));
  r->sizes = c.build.Cast(rounded, DType::kInt64);
  schema::ExpandOptionsT every_axis;
  every_axis.shape = {static_cast<int32_t>(r->axes.size())};
  r->scales = c.build.Add(std::move(every_axis), {c.build.Cast(scale, DType::kFloat32)});
  return Status();
}

// Entries of `list` for the dimensions in the order of `layout`; of those that are not among the axes,
// otherwise(dimension).
template <typename Otherwise>
void AppendInOrder(NodeContext& c, const std::vector<int>& layout, const std::vector<int>& axes,
                   ir::ValueId list, size_t first, Otherwise otherwise, std::vector<ir::ValueId>* parts) {
  for (int dim : layout) {
    const auto found = std::find(axes.begin(), axes.end(), dim);
    const auto at = static_cast<int64_t>(first) + (found - axes.begin());
    parts->push_back(found == axes.end() ? otherwise(dim) : c.build.Slice(list, 0, at, at + 1));
  }
}

}  // namespace

Status ReadResizeTarget(NodeContext& c, const std::vector<int>& layout, bool crops, ResizeTarget* out) {
  Request r;
  MICRORT_RETURN_IF_ERROR(ReadRequest(c, crops, &r));
  MICRORT_RETURN_IF_ERROR(ApplyAspectPolicy(c, &r));
  const auto constant = [&c](float v) { return [&c, v](int) { return c.build.Constant<float>({1}, {v}); }; };
  const auto size = [&c](int dim) { return c.build.Slice(c.build.ShapeOf(c.input(0)), 0, dim, dim + 1); };
  std::vector<ir::ValueId> parts;
  if (r.scales != ir::kNoValue) {
    AppendInOrder(c, layout, r.axes, r.scales, 0, constant(1), &parts);
    out->scales = c.build.Concat(parts, 0);
    parts.clear();
  }
  if (r.sizes != ir::kNoValue) {
    AppendInOrder(c, layout, r.axes, r.sizes, 0, size, &parts);
    out->sizes = c.build.Concat(parts, 0);
    parts.clear();
  }
  if (r.roi != ir::kNoValue) {
    AppendInOrder(c, layout, r.axes, r.roi, 0, constant(0), &parts);
    AppendInOrder(c, layout, r.axes, r.roi, r.axes.size(), constant(1), &parts);
    out->roi = c.build.Concat(parts, 0);
  }
  return c.build.status();
}

}  // namespace micrort::frontend::onnx
