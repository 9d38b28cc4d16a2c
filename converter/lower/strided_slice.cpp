#include "converter/lower/strided_slice.h"

#include <limits>
#include <utility>

#include "converter/ir/dims.h"

namespace micrort::lower {

namespace {

constexpr int64_t kToEnd = std::numeric_limits<int64_t>::max();
constexpr int64_t kToStart = std::numeric_limits<int64_t>::min();

bool Has(int64_t mask, size_t i) { return i < 63 && (mask >> i & 1) != 0; }

// Cuts x along its dimensions, entry by entry, and gathers the shape behind that.
class Slicer {
 public:
  Slicer(ir::Builder& build, ir::ValueId x, const StridedSlice& slice)
      : build_(build), x_(x), s_(slice), rank_(build.graph().value(x).rank()) {}

  Result<ir::ValueId> Add() {
    MICRORT_RETURN_IF_ERROR(ReadEntries());
    ir::ValueId y = is_computed() ? Computed() : x_;
    if (!options_.axes.empty()) y = build_.Add(std::move(options_), {x_});
    if (shape_ != ir::CopiedDims(build_.graph().value(y).rank())) y = build_.Reshape(y, shape_);
    return build_.Checked(y);
  }

 private:
  bool is_computed() const { return s_.computed_begin != ir::kNoValue; }

  // Dimensions of x that entries take.
  int Used() const {
    int used = 0;
    for (size_t i = 0; i < s_.strides.size(); ++i)
      used += Has(s_.ellipsis_mask, i) || Has(s_.new_axis_mask, i) ? 0 : 1;
    return used;
  }

  Status CheckEntries() const {
    constexpr size_t kMaxEntries = 31;  // bits of TFLite's masks
    if (s_.strides.size() > kMaxEntries)
      return MICRORT_ERROR(kInvalidModel, "%zu entries", s_.strides.size());
    if (Used() > rank_)
      return MICRORT_ERROR(kInvalidModel, "%d slices of a tensor with %d dimensions", Used(), rank_);
    const size_t begins = s_.begin.size(), ends = s_.end.size(), strides = s_.strides.size();
    if (is_computed() || (begins == strides && ends == strides)) return Status();
    return MICRORT_ERROR(kInvalidModel, "%zu begins, %zu ends, %zu strides", begins, ends, strides);
  }

  Status ReadEntries() {
    MICRORT_RETURN_IF_ERROR(CheckEntries());
    int skipped = rank_ - Used(), axis = 0;
    for (size_t i = 0; i < s_.strides.size(); ++i) {
      if (Has(s_.ellipsis_mask, i)) {
        for (; skipped > 0; --skipped, ++axis) Keep(axis);
      } else if (Has(s_.new_axis_mask, i)) {
        shape_.push_back(1);
      } else if (s_.strides[i] == 0) {
        return MICRORT_ERROR(kInvalidModel, "stride 0");
      } else {
        is_computed() ? CutAtComputed(i, axis) : Cut(i, axis);
        ++axis;
      }
    }
    for (; axis < rank_; ++axis) Keep(axis);
    return Status();
  }

  // Where bounds are computed, elements are picked one by one, without their dimension.
  void Keep(int axis) { shape_.push_back(ir::CopyDim(is_computed() ? kept_++ : axis)); }

  void Cut(size_t i, int axis) {
    int64_t begin = s_.begin[i], end = s_.end[i], step = s_.strides[i];
    if (FromStart(i)) begin = step > 0 ? 0 : -1;
    if (Has(s_.shrink_axis_mask, i)) {
      end = begin == -1 || begin == kToEnd ? kToEnd : begin + 1;
      step = 1;
    } else {
      if (Has(s_.end_mask, i)) end = step > 0 ? kToEnd : kToStart;
      Keep(axis);
    }
    const bool is_whole = step == 1 && begin == 0 && end == kToEnd;
    if (is_whole) return;
    ir::AddRange(axis, begin, end, step, &options_);
  }

  bool FromStart(size_t i) const {
    return Has(s_.begin_mask, i) && (s_.masks_shrunk_begins || !Has(s_.shrink_axis_mask, i));
  }

  // Entry i of what the model computes, int64 [1], or this number.
  ir::ValueId Entry(ir::ValueId of, size_t i, bool is_masked, int64_t otherwise) {
    const auto at = static_cast<int64_t>(i);
    return is_masked ? build_.Integers({otherwise}) : build_.Slice(of, 0, at, at + 1);
  }

  void CutAtComputed(size_t i, int axis) {
    const int64_t step = s_.strides[i];
    const bool from_start = FromStart(i), to_end = Has(s_.end_mask, i), shrinks = Has(s_.shrink_axis_mask, i);
    if (!shrinks) Keep(axis);
    if (!shrinks && from_start && to_end && step == 1) return;
    const ir::ValueId start = Entry(s_.computed_begin, i, from_start, step > 0 ? 0 : -1);
    if (shrinks) {
      picked_.emplace_back(axis, build_.Reshape(start, {}));
      return;
    }
    starts_.push_back(start);
    ends_.push_back(Entry(s_.computed_end, i, to_end, step > 0 ? kToEnd : kToStart));
    axes_.push_back(axis);
    steps_.push_back(step);
  }

  ir::ValueId Computed() {
    ir::ValueId y = x_;
    if (!starts_.empty()) {
      y = build_.Add(schema::SliceOptionsT(), {y, build_.Concat(starts_, 0), build_.Concat(ends_, 0),
                                               build_.Integers(axes_), build_.Integers(steps_)});
    }
    for (size_t k = picked_.size(); k-- > 0;) y = build_.Gather(y, picked_[k].second, picked_[k].first);
    return y;
  }

  ir::Builder& build_;
  const ir::ValueId x_;
  const StridedSlice& s_;
  const int rank_;
  schema::SliceOptionsT options_;
  std::vector<ir::ValueId> starts_, ends_;
  std::vector<int64_t> axes_, steps_;
  std::vector<std::pair<int, ir::ValueId>> picked_;  // axes that are left out, and the index along each
  std::vector<int32_t> shape_;
  int kept_ = 0;
};

}  // namespace

Result<ir::ValueId> AddStridedSlice(ir::Builder& build, ir::ValueId x, const StridedSlice& slice) {
  return Slicer(build, x, slice).Add();
}

}  // namespace micrort::lower
