#include "converter/frontend/common/window.h"

#include <algorithm>
#include <vector>

#include "converter/frontend/common/axes.h"
#include "converter/frontend/common/errors.h"

namespace micrort::frontend {

namespace {

// Pads of x [N,S1,...,Sn,C] as Pad takes them.
ir::ValueId SamePads(ir::Builder& b, ir::ValueId x, const Window& window, bool larger_behind) {
  std::vector<int64_t> strides, spans, rests;
  for (const WindowAxis& axis : window.axes) {
    strides.push_back(axis.stride);
    spans.push_back(axis.span());
    rests.push_back(axis.stride - 1);
  }
  const auto all = [&](int64_t number) { return b.Integers(std::vector<int64_t>(window.spatial(), number)); };
  const ir::ValueId size = b.SizesOf(x, 1, 1 + static_cast<int>(window.spatial())),
                    stride = b.Integers(strides);
  const ir::ValueId outputs = b.Div(b.Add(size, b.Integers(rests)), stride);
  const ir::ValueId last = b.Sub(outputs, all(1));
  const ir::ValueId reach = b.Add(b.Mul(last, stride), b.Integers(spans));
  const ir::ValueId total = b.Max(b.Sub(reach, size), all(0));
  const ir::ValueId smaller = b.Div(total, all(2)), larger = b.Sub(total, smaller), none = b.Integers({0});
  if (larger_behind) return b.Concat({none, smaller, none, none, larger, none}, 0);
  return b.Concat({none, larger, none, none, smaller, none}, 0);
}

// A picture of ones as large as x.
ir::ValueId Ones(ir::Builder& b, ir::ValueId x) {
  const ir::ValueId one = b.Integers({1});
  return b.Expand({b.Scalar(1), b.Concat({one, b.SizesOf(x, 1, 3), one}, 0)});
}

}  // namespace

Status CheckWindow(const WindowAxis& axis, int64_t most) {
  const int64_t least = std::min({axis.kernel, axis.stride, axis.dilation});
  if (least < 1 || axis.stride > most || axis.kernel > most || axis.dilation > most / axis.kernel)
    return Invalid("a window of {}, stride {}, dilation {}", axis.kernel, axis.stride, axis.dilation);
  return Status();
}

Status SetPads(int64_t begin, int64_t end, WindowAxis* axis) {
  MICRORT_RETURN_IF_ERROR(ToInt32(begin, "padding").status());
  MICRORT_RETURN_IF_ERROR(ToInt32(end, "padding").status());
  axis->pad_begin = begin;
  axis->pad_end = end;
  return Status();
}

Status KeepSize(int64_t size, WindowAxis* axis, bool larger_behind) {
  const int64_t stride = axis->stride;
  // With stride 1 the padding does not depend on the size.
  const int64_t covered =
      stride == 1 ? axis->span() - 1 : ((size + stride - 1) / stride - 1) * stride + axis->span() - size;
  const int64_t total = std::max<int64_t>(covered, 0), smaller = total / 2, larger = total - smaller;
  return larger_behind ? SetPads(smaller, larger, axis) : SetPads(larger, smaller, axis);
}

ir::ValueId PadSame(ir::Builder& build, ir::ValueId x, const Window& window, float fill, bool larger_behind) {
  schema::PadOptionsT options;
  options.value = fill;
  return build.Add(std::move(options), {x, SamePads(build, x, window, larger_behind)});
}

Status KeepImageSize(ir::Builder& build, float fill, ir::ValueId* x, Window* window) {
  const int64_t height = build.graph().value(*x).dim(1), width = build.graph().value(*x).dim(2);
  if (!PadsDependOn(height, window->height()) && !PadsDependOn(width, window->width())) {
    MICRORT_RETURN_IF_ERROR(KeepSize(height, &window->height()));
    return KeepSize(width, &window->width());
  }
  window->height().pad_begin = window->height().pad_end = 0;
  window->width().pad_begin = window->width().pad_end = 0;
  *x = PadSame(build, *x, *window, fill);
  return build.status();
}

ir::ValueId Pooled(ir::Builder& build, schema::PoolKind kind, ir::ValueId image, ir::ValueId x,
                   const Window& window) {
  schema::Pool2DOptionsT options;
  window.CopyTo(&options);
  options.kind = kind;
  const ir::ValueId y = build.Add(options, {x});
  if (kind != schema::PoolKind::Average || x == image) return y;
  return build.Div(y, build.Add(options, {PadSame(build, Ones(build, image), window, 0)}));
}

Status CutToSize(int64_t size, int64_t wanted, bool same, WindowAxis* axis, int32_t* output_pad) {
  MICRORT_ASSIGN_OR_RETURN(const int32_t from, ToInt32(size, "size of the image"));
  MICRORT_ASSIGN_OR_RETURN(const int32_t to, ToInt32(wanted, "size of the output"));
  const int64_t excess = (int64_t{from} - 1) * axis->stride + axis->span() - to;
  const int64_t begin = same ? std::max<int64_t>(excess, 0) / 2 : 0;
  MICRORT_RETURN_IF_ERROR(SetPads(begin, std::max<int64_t>(excess - begin, 0), axis));
  return Take(ToInt32(std::max<int64_t>(-excess, 0), "padding of the output"), output_pad);
}

ir::ValueId ToNhwc(ir::Builder& build, ir::ValueId x, int rank) {
  if (rank == 3) x = build.Reshape(x, {-2, -3, 1, -4});
  std::vector<int32_t> permutation = {0};
  for (int i = 2; i < std::max(rank, 4); ++i) permutation.push_back(i);
  permutation.push_back(1);
  return build.Transpose(x, permutation);
}

ir::ValueId FromNhwc(ir::Builder& build, ir::ValueId y, int rank) {
  const int last = std::max(rank, 4) - 1;
  std::vector<int32_t> permutation = {0, last};
  for (int i = 1; i < last; ++i) permutation.push_back(i);
  y = build.Transpose(y, permutation);
  return rank == 3 ? build.Reshape(y, {-2, -3, -5}) : y;
}

}  // namespace micrort::frontend
