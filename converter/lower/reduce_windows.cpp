#include "converter/lower/reduce_windows.h"

#include <algorithm>

namespace micrort::lower {

namespace {

using schema::BinaryKind;
using schema::ReduceKind;

constexpr int64_t kMostElements = int64_t{1} << 28;  // of all windows together

Status CheckWindow(const ir::Value& x, const ReducedWindow& w) {
  const auto rank = static_cast<size_t>(x.rank());
  if (!x.is_static()) return MICRORT_ERROR(kUnsupported, "windows over a shape that is not fixed");
  if (w.size.size() != rank || w.stride.size() != rank || w.dilation.size() != rank ||
      (!w.pads.empty() && w.pads.size() != 2 * rank))
    return MICRORT_ERROR(kInvalidModel, "windows of %zu dimensions over %zu", w.size.size(), rank);
  int64_t elements = 1;
  for (size_t i = 0; i < rank; ++i) {
    const int64_t before = w.pads.empty() ? 0 : w.pads[i], after = w.pads.empty() ? 0 : w.pads[i + rank];
    if (w.size[i] < 1 || w.stride[i] < 1 || w.dilation[i] < 1 || w.size[i] > kMostElements ||
        w.stride[i] > kMostElements || w.dilation[i] > kMostElements / w.size[i])
      return MICRORT_ERROR(kInvalidModel, "dimension %zu: a window of %lld, stride %lld, dilation %lld", i,
                           static_cast<long long>(w.size[i]), static_cast<long long>(w.stride[i]),
                           static_cast<long long>(w.dilation[i]));
    if (std::min(before, after) < -kMostElements || std::max(before, after) > kMostElements)
      return MICRORT_ERROR(kInvalidModel, "dimension %zu is padded by %lld and %lld", i,
                           static_cast<long long>(before), static_cast<long long>(after));
    const int64_t span = (w.size[i] - 1) * w.dilation[i] + 1;
    // Where there are no windows, those of the other dimensions are made all the same.
    const int64_t count = std::max<int64_t>(1, (x.shape[i] + before + after - span) / w.stride[i] + 1);
    if (count > ir::kMaxMade / w.size[i])
      return MICRORT_ERROR(kUnsupported, "dimension %zu: windows of more than %lld elements", i,
                           static_cast<long long>(ir::kMaxMade));
    if (elements > kMostElements / count / w.size[i])
      return MICRORT_ERROR(kUnsupported, "windows of more than %lld elements",
                           static_cast<long long>(kMostElements));
    elements *= count * w.size[i];
  }
  return Status();
}

// Elements of windows along `axis`, which becomes two dimensions: windows, elements.
ir::ValueId SplitIntoWindows(ir::Builder& build, ir::ValueId x, int axis, int64_t size, int64_t stride,
                             int64_t dilation) {
  const int64_t length = build.graph().value(x).dim(static_cast<size_t>(axis)),
                span = (size - 1) * dilation + 1;
  std::vector<int64_t> places;
  for (int64_t first = 0; first + span <= length; first += stride) {
    for (int64_t i = 0; i < size; ++i) places.push_back(first + i * dilation);
  }
  const auto count = static_cast<int64_t>(places.size()) / size;
  return build.Gather(x, build.Constant({count, size}, places), axis);
}

}  // namespace

ir::ValueId Combined(ir::Builder& build, ReduceKind kind, ir::ValueId x, ir::ValueId y) {
  const bool is_bool = build.graph().value(x).dtype == DType::kBool;
  switch (kind) {
    case ReduceKind::Sum:
      return build.Binary(is_bool ? BinaryKind::Or : BinaryKind::Add, x, y);
    case ReduceKind::Prod:
      return build.Binary(is_bool ? BinaryKind::And : BinaryKind::Mul, x, y);
    case ReduceKind::Min:
      return build.Binary(is_bool ? BinaryKind::And : BinaryKind::Min, x, y);
    default:
      return build.Binary(is_bool ? BinaryKind::Or : BinaryKind::Max, x, y);
  }
}

Result<ir::ValueId> ReduceWindows(ir::Builder& build, ir::ValueId x, ir::ValueId first, ReduceKind kind,
                                  const ReducedWindow& window) {
  MICRORT_RETURN_IF_ERROR(CheckWindow(build.graph().value(x), window));
  const bool is_bool = build.graph().value(x).dtype == DType::kBool;
  if (!window.pads.empty()) {
    schema::PadOptionsT pad;
    pad.pads = window.pads;
    x = build.Add(std::move(pad), {x, ir::kNoValue, first});
  }
  // What has been split moves the dimensions behind it, so that the last one goes first.
  std::vector<int32_t> elements;
  for (int axis = build.graph().value(x).rank(); axis-- > 0;) {
    const auto i = static_cast<size_t>(axis);
    x = SplitIntoWindows(build, x, axis, window.size[i], window.stride[i], window.dilation[i]);
  }
  for (size_t i = 0; i < window.size.size(); ++i) elements.push_back(static_cast<int32_t>(2 * i + 1));
  const ir::ValueId numbers = is_bool ? build.Cast(x, DType::kInt32) : x;
  const ir::ValueId reduced = build.Reduce(kind, numbers, elements, false);
  return build.Checked(Combined(build, kind, is_bool ? build.Cast(reduced, DType::kBool) : reduced, first));
}

}  // namespace micrort::lower
