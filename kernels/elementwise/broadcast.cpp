#include "kernels/elementwise/broadcast.h"

#include <algorithm>

#include "kernels/base/dcheck.h"

namespace micrort {
namespace {

// One dimension of the output with the strides of the inputs along it.
struct Dimension {
  size_t size;
  size_t strides[kMaxFusedBroadcastInputs];
};

// Dimensions of more than one element, outermost first. Returns how many.
int CollectDimensions(Span<const Shape> shapes, const Shape& out, Dimension* dims) {
  size_t next[kMaxFusedBroadcastInputs] = {1, 1, 1, 1, 1, 1, 1, 1};
  int count = 0;
  for (int d = out.rank - 1; d >= 0; --d) {
    Dimension dim = {static_cast<size_t>(out[d]), {}};
    for (size_t i = 0; i < shapes.size(); ++i) {
      const int own = d - (out.rank - shapes[i].rank);
      const auto size = own < 0 ? size_t{1} : static_cast<size_t>(shapes[i][own]);
      dim.strides[i] = size == 1 ? 0 : next[i];
      next[i] *= size;
    }
    if (dim.size != 1) dims[count++] = dim;
  }
  std::reverse(dims, dims + count);
  return count;
}

// `outer` and the dimension inside it can be walked as one.
bool CanMerge(const Dimension& outer, const Dimension& inner, size_t inputs) {
  for (size_t i = 0; i < inputs; ++i) {
    if (outer.strides[i] != inner.strides[i] * inner.size) return false;
  }
  return true;
}

int MergeDimensions(Dimension* dims, int count, size_t inputs) {
  if (count == 0) return 0;
  int last = 0;
  for (int d = 1; d < count; ++d) {
    if (CanMerge(dims[last], dims[d], inputs)) {
      dims[d].size *= dims[last].size;
      dims[last] = dims[d];
    } else {
      dims[++last] = dims[d];
    }
  }
  return last + 1;
}

}  // namespace

bool BroadcastShapes(const Shape& a, const Shape& b, Shape* out) {
  out->rank = std::max(a.rank, b.rank);
  for (int i = 1; i <= out->rank; ++i) {
    const int64_t x = i <= a.rank ? a[a.rank - i] : 1;
    const int64_t y = i <= b.rank ? b[b.rank - i] : 1;
    if (x != y && x != 1 && y != 1) return false;
    out->dims[out->rank - i] = x == 1 ? y : x;
  }
  return true;
}

template <typename Plan>
Plan PlanBroadcastOf(Span<const Shape> shapes, const Shape& out) {
  for (const Shape& shape : shapes) {
    Shape both;
    MICRORT_DCHECK(BroadcastShapes(shape, out, &both) && both == out);
    static_cast<void>(both);
  }
  Plan plan;
  plan.inputs = static_cast<int>(shapes.size());
  plan.elements = static_cast<size_t>(out.elements());
  for (size_t& stride : plan.run_strides) stride = 1;
  for (size_t i = 0; i < shapes.size(); ++i) plan.is_dense[i] = shapes[i].elements() == out.elements();
  if (plan.elements == 0) return plan;
  Dimension dims[kMaxRank];
  const int count = MergeDimensions(dims, CollectDimensions(shapes, out, dims), shapes.size());
  if (count == 0) return plan;
  plan.rank = count - 1;
  plan.run = dims[count - 1].size;
  for (size_t i = 0; i < shapes.size(); ++i) {
    plan.run_strides[i] = dims[count - 1].strides[i];
    for (int d = 0; d < plan.rank; ++d) plan.strides[i][d] = dims[d].strides[i];
  }
  for (int d = 0; d < plan.rank; ++d) plan.dims[d] = dims[d].size;
  return plan;
}

template BroadcastPlan PlanBroadcastOf(Span<const Shape> shapes, const Shape& out);
template FusedBroadcastPlan PlanBroadcastOf(Span<const Shape> shapes, const Shape& out);

namespace {

template <typename T, int kInputs>
void ExpandTyped(const BroadcastPlanOf<kInputs>& plan, int input, const void* data, size_t begin, size_t n,
                 void* out) {
  const auto* from = static_cast<const T*>(data);
  auto* to = static_cast<T*>(out);
  const size_t stride = plan.run_strides[input];
  ForEachPiece(plan, begin, begin + n, n, [&](size_t first, const size_t* offsets, size_t count) {
    const T* const source = from + offsets[input];
    if (stride == 0) {
      std::fill_n(to + (first - begin), count, *source);
    } else {
      std::copy_n(source, count, to + (first - begin));
    }
  });
}

}  // namespace

template <int kInputs>
void ExpandBroadcast(const BroadcastPlanOf<kInputs>& plan, int input, size_t element_bytes, const void* data,
                     size_t begin, size_t n, void* out) {
  switch (element_bytes) {
    case 1:
      return ExpandTyped<uint8_t>(plan, input, data, begin, n, out);
    case 2:
      return ExpandTyped<uint16_t>(plan, input, data, begin, n, out);
    case 4:
      return ExpandTyped<uint32_t>(plan, input, data, begin, n, out);
    default:
      return ExpandTyped<uint64_t>(plan, input, data, begin, n, out);
  }
}

template void ExpandBroadcast(const BroadcastPlan& plan, int input, size_t element_bytes, const void* data,
                              size_t begin, size_t n, void* out);
template void ExpandBroadcast(const FusedBroadcastPlan& plan, int input, size_t element_bytes,
                              const void* data, size_t begin, size_t n, void* out);

template <int kInputs>
BroadcastCursor<kInputs>::BroadcastCursor(const BroadcastPlanOf<kInputs>& plan, size_t run_index)
    : plan_(plan) {
  for (int d = plan.rank - 1; d >= 0; --d) {
    index_[d] = run_index % plan.dims[d];
    run_index /= plan.dims[d];
    for (int i = 0; i < plan.inputs; ++i) offsets_[i] += index_[d] * plan.strides[i][d];
  }
}

template <int kInputs>
void BroadcastCursor<kInputs>::NextRun() {
  for (int d = plan_.rank - 1; d >= 0; --d) {
    for (int i = 0; i < plan_.inputs; ++i) offsets_[i] += plan_.strides[i][d];
    if (++index_[d] < plan_.dims[d]) return;
    for (int i = 0; i < plan_.inputs; ++i) offsets_[i] -= plan_.dims[d] * plan_.strides[i][d];
    index_[d] = 0;
  }
}

template class BroadcastCursor<kMaxBroadcastInputs>;
template class BroadcastCursor<kMaxFusedBroadcastInputs>;

}  // namespace micrort
