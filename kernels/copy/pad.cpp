#include "kernels/copy/pad.h"

#include <algorithm>

#include "kernels/base/dcheck.h"
#include "kernels/copy/strided_copy.h"

namespace micrort {

namespace {

// The input's part that survives, and where it lies in the output.
struct Interior {
  int64_t size[kMaxRank];
  int64_t src_first[kMaxRank];
  int64_t dst_first[kMaxRank];

  explicit Interior(const PadParams& p) {
    for (int i = 0; i < p.in.rank; ++i) {
      size[i] = p.in[i] + std::min<int64_t>(p.begin[i], 0) + std::min<int64_t>(p.end[i], 0);
      src_first[i] = std::max<int64_t>(-p.begin[i], 0);
      dst_first[i] = std::max<int64_t>(p.begin[i], 0);
    }
  }
};

class Padder {
 public:
  Padder(const PadParams& params, const void* value, void* dst, const Parallel& parallel)
      : params_(params),
        interior_(params),
        out_(PaddedShape(params)),
        dst_strides_(out_, params.element_bytes),
        value_(value),
        dst_(static_cast<uint8_t*>(dst)),
        parallel_(parallel) {}

  void CopyInterior(const void* src) const {
    const Strides src_strides(params_.in, params_.element_bytes);
    CopyDim dims[kMaxRank];
    int64_t src_offset = 0;
    int64_t dst_offset = 0;
    for (int i = 0; i < out_.rank; ++i) {
      dims[i] = {interior_.size[i], src_strides[i], dst_strides_[i]};
      src_offset += interior_.src_first[i] * src_strides[i];
      dst_offset += interior_.dst_first[i] * dst_strides_[i];
    }
    Copy(dims, static_cast<const uint8_t*>(src) + src_offset, dst_offset);
  }

  // Completes the output along `axis`, given that it is complete along the dimensions before.
  void FillAxis(int axis) const {
    const int64_t first = interior_.dst_first[axis];
    const int64_t end = first + interior_.size[axis];
    const int64_t after = out_[axis] - end;
    switch (params_.fill) {
      case PadFill::kConstant:
        FillSlab(axis, 0, first);
        FillSlab(axis, end, after);
        break;
      case PadFill::kEdge:
        CopySlab(axis, 0, first, first, 0);
        CopySlab(axis, end, after, end - 1, 0);
        break;
      case PadFill::kWrap:
        Repeat(axis, first, end, interior_.size[axis]);
        break;
      case PadFill::kReflect:
        Reflect(axis, first, end);
        break;
    }
  }

 private:
  // The nearest reflections are mirrored; beyond them the sequence repeats itself.
  void Reflect(int axis, int64_t first, int64_t end) const {
    const int64_t most = end - first - 1;
    if (most == 0) return Repeat(axis, first, end, 1);
    const int64_t before = std::min(first, most);
    const int64_t after = std::min(out_[axis] - end, most);
    CopySlab(axis, first - before, before, first + before, -1);
    CopySlab(axis, end, after, end - 2, -1);
    Repeat(axis, first - before, end + after, 2 * most);
  }

  // Given that positions [begin, end) of the axis are complete and hold at least one period, completes the
  // rest.
  void Repeat(int axis, int64_t begin, int64_t end, int64_t period) const {
    while (begin > 0) {
      const int64_t count = std::min(begin, period);
      begin -= count;
      CopySlab(axis, begin, count, begin + period, 1);
    }
    while (end < out_[axis]) {
      const int64_t count = std::min(out_[axis] - end, period);
      CopySlab(axis, end, count, end - period, 1);
      end += count;
    }
  }

  // Positions [to, to + count) of the axis get those at from, from + step, ... of the output itself.
  void CopySlab(int axis, int64_t to, int64_t count, int64_t from, int64_t step) const {
    if (count <= 0) return;
    CopyDim dims[kMaxRank];
    const int64_t base = Slab(axis, count, dims);
    for (int i = 0; i < out_.rank; ++i) dims[i].src_stride = dims[i].dst_stride;
    dims[axis].src_stride *= step;
    Copy(dims, dst_ + base + from * dst_strides_[axis], base + to * dst_strides_[axis]);
  }

  void FillSlab(int axis, int64_t to, int64_t count) const {
    if (count <= 0) return;
    CopyDim dims[kMaxRank];
    const int64_t base = Slab(axis, count, dims);
    Copy(dims, static_cast<const uint8_t*>(value_), base + to * dst_strides_[axis]);
  }

  // The box of `count` positions of the axis: full along the dimensions before it, the interior along those
  // after. Returns the offset of its first element for position 0.
  int64_t Slab(int axis, int64_t count, CopyDim* dims) const {
    int64_t offset = 0;
    for (int i = 0; i < out_.rank; ++i) {
      const int64_t size = i < axis ? out_[i] : i == axis ? count : interior_.size[i];
      if (i > axis) offset += interior_.dst_first[i] * dst_strides_[i];
      dims[i] = {size, 0, dst_strides_[i]};
    }
    return offset;
  }

  void Copy(const CopyDim* dims, const uint8_t* src, int64_t dst_offset) const {
    const StridedCopy copy = PlanCopy(params_.element_bytes, {dims, static_cast<size_t>(out_.rank)});
    RunCopy(copy, src, dst_ + dst_offset, parallel_);
  }

  const PadParams& params_;
  const Interior interior_;
  const Shape out_;
  const Strides dst_strides_;
  const void* value_;
  uint8_t* dst_;
  const Parallel& parallel_;
};

}  // namespace

Shape PaddedShape(const PadParams& params) {
  Shape out = params.in;
  for (int i = 0; i < out.rank; ++i) out[i] = params.in[i] + params.begin[i] + params.end[i];
  return out;
}

void Pad(const PadParams& params, const void* src, const void* value, void* dst, const Parallel& parallel) {
  for (int d = 0; d < params.in.rank; ++d) {
    MICRORT_DCHECK(std::min<int64_t>(params.begin[d], 0) + std::min<int64_t>(params.end[d], 0) >=
                   -params.in[d]);
  }
  if (PaddedShape(params).elements() == 0) return;
  const Padder padder(params, value, dst, parallel);
  padder.CopyInterior(src);
  for (int axis = 0; axis < params.in.rank; ++axis) padder.FillAxis(axis);
}

}  // namespace micrort
