// StridedSlice with its masks: x[begin:end:stride, ..., newaxis, index].

#include <limits>

#include "converter/frontend/tensorflow/registry.h"

namespace micrort::frontend::tensorflow {

namespace {

constexpr int64_t kToEnd = std::numeric_limits<int64_t>::max();
constexpr int64_t kToStart = std::numeric_limits<int64_t>::min();

struct Masks {
  int64_t begin, end, ellipsis, new_axis, shrink;
  static bool Has(int64_t mask, size_t i) { return i < 63 && (mask >> i & 1) != 0; }
};

Masks ReadMasks(const OpContext& c) {
  return {c.Int("begin_mask", 0), c.Int("end_mask", 0), c.Int("ellipsis_mask", 0), c.Int("new_axis_mask", 0),
          c.Int("shrink_axis_mask", 0)};
}

// What is cut along each dimension of x, and the shape behind it.
class Specification {
 public:
  Specification(const OpContext& c, const Masks& masks, const std::vector<int64_t>& begin,
                const std::vector<int64_t>& end, const std::vector<int64_t>& strides)
      : c_(c), masks_(masks), begin_(begin), end_(end), strides_(strides) {}

  Status Read(schema::SliceOptionsT* slice, std::vector<int32_t>* shape) {
    int used = 0;  // dimensions of x that entries take
    for (size_t i = 0; i < begin_.size(); ++i) {
      used += Masks::Has(masks_.ellipsis, i) || Masks::Has(masks_.new_axis, i) ? 0 : 1;
    }
    if (used > c_.rank()) {
      return MICRORT_ERROR(kInvalidModel, "%d slices of a tensor with %d dimensions", used, c_.rank());
    }
    int skipped = c_.rank() - used, axis = 0;
    for (size_t i = 0; i < begin_.size(); ++i) {
      if (Masks::Has(masks_.ellipsis, i)) {
        for (; skipped > 0; --skipped) shape->push_back(CopyDim(axis++));
      } else if (Masks::Has(masks_.new_axis, i)) {
        shape->push_back(1);
      } else {
        MICRORT_RETURN_IF_ERROR(Add(i, axis, slice, shape));
        ++axis;
      }
    }
    while (axis < c_.rank()) shape->push_back(CopyDim(axis++));
    return Status();
  }

 private:
  Status Add(size_t i, int axis, schema::SliceOptionsT* slice, std::vector<int32_t>* shape) const {
    const int64_t stride = strides_[i];
    if (stride == 0) return MICRORT_ERROR(kInvalidModel, "stride 0");
    int64_t begin = begin_[i], end = end_[i], step = stride;
    if (Masks::Has(masks_.shrink, i)) {
      end = begin == -1 || begin == kToEnd ? kToEnd : begin + 1;
      step = 1;
    } else {
      if (Masks::Has(masks_.begin, i)) begin = stride > 0 ? 0 : -1;
      if (Masks::Has(masks_.end, i)) end = stride > 0 ? kToEnd : kToStart;
      shape->push_back(CopyDim(axis));
    }
    const bool is_whole = step == 1 && begin == 0 && end == kToEnd;
    if (is_whole) return Status();
    slice->axes.push_back(axis);
    slice->starts.push_back(begin);
    slice->ends.push_back(end);
    slice->steps.push_back(step);
    return Status();
  }

  const OpContext& c_;
  const Masks& masks_;
  const std::vector<int64_t>&begin_, &end_, &strides_;
};

bool KeepsShape(const std::vector<int32_t>& shape, int rank) {
  if (static_cast<int>(shape.size()) != rank) return false;
  for (int i = 0; i < rank; ++i) {
    if (shape[static_cast<size_t>(i)] != CopyDim(i)) return false;
  }
  return true;
}

// Bounds that the model computes.
class ComputedSlice {
 public:
  ComputedSlice(OpContext& c, const Masks& masks, const std::vector<int64_t>& strides)
      : c_(c), masks_(masks), strides_(strides) {}

  Status Import() {
    MICRORT_RETURN_IF_ERROR(Read());
    ir::ValueId y = c_.input(0);
    if (!starts_.empty()) {
      y = c_.build.Add(schema::SliceOptionsT(), {y, c_.build.Concat(starts_, 0), c_.build.Concat(ends_, 0),
                                                 c_.build.Integers(axes_), c_.build.Integers(steps_)});
    }
    for (size_t k = picked_.size(); k-- > 0;) y = c_.build.Gather(y, picked_[k].second, picked_[k].first);
    if (!KeepsShape(shape_, c_.value(y).rank())) y = c_.build.Reshape(y, shape_);
    return c_.Return(y);
  }

 private:
  ir::ValueId Entry(size_t input, size_t i) {
    const auto at = static_cast<int64_t>(i);
    return c_.build.Slice(c_.AsInt64(c_.input(input)), 0, at, at + 1);
  }

  void Keep() { shape_.push_back(CopyDim(kept_++)); }

  Status Read() {
    int used = 0;
    for (size_t i = 0; i < strides_.size(); ++i) {
      used += Masks::Has(masks_.ellipsis, i) || Masks::Has(masks_.new_axis, i) ? 0 : 1;
    }
    if (used > c_.rank()) {
      return MICRORT_ERROR(kInvalidModel, "%d slices of a tensor with %d dimensions", used, c_.rank());
    }
    int skipped = c_.rank() - used, axis = 0;
    for (size_t i = 0; i < strides_.size(); ++i) {
      if (Masks::Has(masks_.ellipsis, i)) {
        for (; skipped > 0; --skipped, ++axis) Keep();
      } else if (Masks::Has(masks_.new_axis, i)) {
        shape_.push_back(1);
      } else if (Masks::Has(masks_.shrink, i)) {
        picked_.emplace_back(axis++, c_.build.Reshape(Entry(1, i), {}));
      } else {
        MICRORT_RETURN_IF_ERROR(Cut(i, axis++));
        Keep();
      }
    }
    for (; axis < c_.rank(); ++axis) Keep();
    return Status();
  }

  Status Cut(size_t i, int axis) {
    const int64_t stride = strides_[i];
    if (stride == 0) return MICRORT_ERROR(kInvalidModel, "stride 0");
    const bool is_whole = Masks::Has(masks_.begin, i) && Masks::Has(masks_.end, i) && stride == 1;
    if (is_whole) return Status();
    starts_.push_back(Masks::Has(masks_.begin, i) ? c_.build.Integers({stride > 0 ? 0 : -1}) : Entry(1, i));
    ends_.push_back(Masks::Has(masks_.end, i) ? c_.build.Integers({stride > 0 ? kToEnd : kToStart})
                                              : Entry(2, i));
    axes_.push_back(axis);
    steps_.push_back(stride);
    return Status();
  }

  OpContext& c_;
  const Masks& masks_;
  const std::vector<int64_t>& strides_;
  std::vector<ir::ValueId> starts_, ends_;
  std::vector<int64_t> axes_, steps_;
  std::vector<std::pair<int, ir::ValueId>> picked_;  // axes that are left out, and the index along each
  std::vector<int32_t> shape_;
  int kept_ = 0;
};

Status ImportStridedSlice(OpContext& c) {
  std::vector<int64_t> begin, end, strides;
  const Masks masks = ReadMasks(c);
  MICRORT_RETURN_IF_ERROR(c.ConstantIntegers(3, &strides));
  if (!ir::IntegersOf(c.x(1), &begin) || !ir::IntegersOf(c.x(2), &end)) {
    return ComputedSlice(c, masks, strides).Import();
  }
  if (end.size() != begin.size() || strides.size() != begin.size()) {
    return MICRORT_ERROR(kInvalidModel, "begin, end and strides have different lengths");
  }
  schema::SliceOptionsT slice;
  std::vector<int32_t> shape;
  MICRORT_RETURN_IF_ERROR(Specification(c, masks, begin, end, strides).Read(&slice, &shape));
  ir::ValueId y = c.input(0);
  if (!slice.axes.empty()) y = c.build.Add(std::move(slice), {y});
  if (!KeepsShape(shape, c.rank())) y = c.build.Reshape(y, shape);
  return c.Return(y);
}

}  // namespace

Span<const OpImporter> StridedSliceOps() {
  static constexpr OpImporter kImporters[] = {
      {"StridedSlice", 4, 4, ImportStridedSlice, "strides that are not constant"},
  };
  return kImporters;
}

}  // namespace micrort::frontend::tensorflow
