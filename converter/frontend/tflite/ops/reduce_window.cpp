// DILATE and REDUCE_WINDOW.

#include "converter/frontend/tflite/ops/reduce_window.h"

#include <algorithm>
#include <limits>

#include "converter/frontend/tflite/ops/dilated.h"
#include "converter/frontend/tflite/registry.h"

namespace micrort::frontend::tflite {

namespace {

using schema::BinaryKind;
using schema::ReduceKind;

constexpr int64_t kMostElements = int64_t{1} << 28;  // of all windows together
constexpr int64_t kMostPlaces = int64_t{1} << 24;    // of those along one dimension, which become a constant

Status CheckWindow(const ir::Value& x, const ReducedWindow& w) {
  const auto rank = static_cast<size_t>(x.rank());
  if (!x.is_static()) return Unsupported("windows over a shape that is not fixed");
  if (w.size.size() != rank || w.stride.size() != rank || w.dilation.size() != rank ||
      (!w.pads.empty() && w.pads.size() != 2 * rank))
    return Invalid("windows of {} dimensions over {}", w.size.size(), rank);
  int64_t elements = 1;
  for (size_t i = 0; i < rank; ++i) {
    const int64_t before = w.pads.empty() ? 0 : w.pads[i], after = w.pads.empty() ? 0 : w.pads[i + rank];
    if (w.size[i] < 1 || w.stride[i] < 1 || w.dilation[i] < 1 || w.size[i] > kMostElements ||
        w.stride[i] > kMostElements || w.dilation[i] > kMostElements / w.size[i])
      return Invalid("dimension {}: a window of {}, stride {}, dilation {}", i, w.size[i], w.stride[i],
                     w.dilation[i]);
    if (std::min(before, after) < -kMostElements || std::max(before, after) > kMostElements)
      return Invalid("dimension {} is padded by {} and {}", i, before, after);
    const int64_t span = (w.size[i] - 1) * w.dilation[i] + 1;
    // Where there are no windows, those of the other dimensions are made all the same.
    const int64_t count = std::max<int64_t>(1, (x.shape[i] + before + after - span) / w.stride[i] + 1);
    if (count > kMostPlaces / w.size[i])
      return Unsupported("dimension {}: windows of more than {} elements", i, kMostPlaces);
    if (elements > kMostElements / count / w.size[i])
      return Unsupported("windows of more than {} elements", kMostElements);
    elements *= count * w.size[i];
  }
  return Status();
}

// Elements of windows along `axis`, which becomes two dimensions: windows, elements.
ir::ValueId SplitIntoWindows(OpContext& c, ir::ValueId x, int axis, int64_t size, int64_t stride,
                             int64_t dilation) {
  const int64_t length = c.value(x).dim(static_cast<size_t>(axis)), span = (size - 1) * dilation + 1;
  std::vector<int64_t> places;
  for (int64_t first = 0; first + span <= length; first += stride) {
    for (int64_t i = 0; i < size; ++i) places.push_back(first + i * dilation);
  }
  const auto count = static_cast<int64_t>(places.size()) / size;
  return c.build.Gather(x, c.build.Constant({count, size}, places), axis);
}

Status ImportReduceWindow(OpContext& c) {
  ReduceKind kind = ReduceKind::Sum;
  switch (c.op.Options2<fb::ReduceWindowOptionsT>().reduce_function) {
    case fb::ReduceWindowFunction::Add:
      break;
    case fb::ReduceWindowFunction::Mul:
      kind = ReduceKind::Prod;
      break;
    case fb::ReduceWindowFunction::Minimum:
    case fb::ReduceWindowFunction::All:
      kind = ReduceKind::Min;
      break;
    case fb::ReduceWindowFunction::Maximum:
    case fb::ReduceWindowFunction::Any:
      kind = ReduceKind::Max;
      break;
    default:
      return Invalid("no function to reduce by");
  }
  ReducedWindow window;
  MICRORT_RETURN_IF_ERROR(c.ConstantIntegers(2, &window.size));
  MICRORT_RETURN_IF_ERROR(c.ConstantIntegers(3, &window.stride));
  MICRORT_RETURN_IF_ERROR(c.ConstantIntegers(4, &window.dilation));
  ir::ValueId y = ir::kNoValue;
  MICRORT_RETURN_IF_ERROR(ReduceWindows(c, c.input(0), c.build.Reshape(c.input(1), {}), kind, window, &y));
  return c.Return(y);
}

Status ImportDilate(OpContext& c) {
  std::vector<int64_t> dilations;
  ir::ValueId y = ir::kNoValue;
  MICRORT_RETURN_IF_ERROR(c.ConstantIntegers(1, &dilations));
  MICRORT_RETURN_IF_ERROR(Dilated(c, c.input(0), dilations, c.build.Reshape(c.input(2), {}), &y));
  return c.Return(y);
}

constexpr OpSupport kWindowSupport = Types(kAllTypes).Without("shapes that are not fixed");

}  // namespace

ir::ValueId Combined(OpContext& c, ReduceKind kind, ir::ValueId x, ir::ValueId y) {
  const bool is_bool = c.value(x).dtype == DType::kBool;
  switch (kind) {
    case ReduceKind::Sum:
      return c.build.Binary(is_bool ? BinaryKind::Or : BinaryKind::Add, x, y);
    case ReduceKind::Prod:
      return c.build.Binary(is_bool ? BinaryKind::And : BinaryKind::Mul, x, y);
    case ReduceKind::Min:
      return c.build.Binary(is_bool ? BinaryKind::And : BinaryKind::Min, x, y);
    default:
      return c.build.Binary(is_bool ? BinaryKind::Or : BinaryKind::Max, x, y);
  }
}

Status Dilated(OpContext& c, ir::ValueId x, const std::vector<int64_t>& dilations, ir::ValueId fill,
               ir::ValueId* y) {
  const auto rank = static_cast<size_t>(c.value(x).rank());
  if (dilations.size() != rank || !c.value(x).is_static())
    return Unsupported("{} dilations of a shape of {} dimensions; expected as many, and a fixed shape",
                       dilations.size(), rank);
  for (size_t i = 0; i < rank; ++i) {
    const int64_t size = c.value(x).dim(i);
    if (dilations[i] < 1 || dilations[i] > std::numeric_limits<int32_t>::max() / std::max<int64_t>(1, size))
      return Invalid("dilation {}", dilations[i]);
    if (dilations[i] == 1 || size < 2) continue;
    const auto axis = static_cast<int>(i);
    schema::PadOptionsT pad;
    pad.pads.assign(2 * (rank + 1), 0);
    pad.pads[rank + 1 + i + 1] = dilations[i] - 1;
    const ir::ValueId spaced =
        c.build.Add(std::move(pad), {ir::InsertDim(c.build, x, axis + 1), ir::kNoValue, fill});
    std::vector<int32_t> shape;
    for (size_t k = 0; k < rank; ++k)
      shape.push_back(static_cast<int32_t>(c.value(x).dim(k) * (k == i ? dilations[i] : 1)));
    x = c.build.Slice(c.build.Reshape(spaced, shape), axis, 0, (size - 1) * dilations[i] + 1);
  }
  *y = x;
  return c.build.status();
}

Status ReduceWindows(OpContext& c, ir::ValueId x, ir::ValueId first, ReduceKind kind,
                     const ReducedWindow& window, ir::ValueId* y) {
  MICRORT_RETURN_IF_ERROR(CheckWindow(c.value(x), window));
  const bool is_bool = c.value(x).dtype == DType::kBool;
  if (!window.pads.empty()) {
    schema::PadOptionsT pad;
    pad.pads = window.pads;
    x = c.build.Add(std::move(pad), {x, ir::kNoValue, first});
  }
  // What has been split moves the dimensions behind it, so that the last one goes first.
  std::vector<int32_t> elements;
  for (int axis = c.value(x).rank(); axis-- > 0;) {
    const auto i = static_cast<size_t>(axis);
    x = SplitIntoWindows(c, x, axis, window.size[i], window.stride[i], window.dilation[i]);
  }
  for (size_t i = 0; i < window.size.size(); ++i) elements.push_back(static_cast<int32_t>(2 * i + 1));
  const ir::ValueId numbers = is_bool ? c.build.Cast(x, DType::kInt32) : x;
  const ir::ValueId reduced = c.build.Reduce(kind, numbers, elements, false);
  *y = Combined(c, kind, is_bool ? c.build.Cast(reduced, DType::kBool) : reduced, first);
  return c.build.status();
}

const ImporterList ReduceWindowImporters = {
    {"DILATE", 3, 3, ImportDilate, kWindowSupport},
    {"REDUCE_WINDOW", 5, 5, ImportReduceWindow, kWindowSupport},
};

}  // namespace micrort::frontend::tflite
