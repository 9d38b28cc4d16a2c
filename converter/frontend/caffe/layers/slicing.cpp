// Layers that put values together along an axis, and take them apart.

#include <limits>

#include "converter/frontend/caffe/registry.h"

namespace micrort::frontend::caffe {

namespace {

Status ImportConcat(LayerContext& c) {
  const auto& p = c.layer.concat_param();
  MICRORT_ASSIGN_OR_RETURN(
      const int axis, c.Axis(p.has_concat_dim() ? int64_t{p.concat_dim()} : int64_t{p.axis()}, c.rank()));
  return c.Return(c.bottom_count() == 1 ? c.bottom() : c.build.Concat(c.bottoms(), axis));
}

// Where the tops begin and the last one ends: at slice points, or in equal parts.
Status ReadSlicePoints(LayerContext& c, int axis, std::vector<int64_t>* points) {
  const auto& given = c.layer.slice_param().slice_point();
  const auto tops = static_cast<int64_t>(c.top_count());
  const int64_t size = c.dim(axis);
  points->push_back(0);
  if (given.empty()) {
    MICRORT_RETURN_IF_ERROR(c.ExpectFixed(0, axis, axis + 1));
    if (tops == 0 || size % tops != 0) return Invalid("{} tops of a dimension of {}", tops, size);
    for (int64_t i = 1; i < tops; ++i) points->push_back(size / tops * i);
  } else if (given.size() != tops - 1) {
    return Invalid("{} slice points for {} tops", given.size(), tops);
  }
  for (const uint32_t point : given) {
    if (point <= points->back() || (size != ir::kDynamic && point >= size))
      return Invalid("slice point {} of a dimension of {}", point, size);
    points->push_back(point);
  }
  points->push_back(std::numeric_limits<int64_t>::max());
  return Status();
}

Status ImportSlice(LayerContext& c) {
  const auto& p = c.layer.slice_param();
  MICRORT_ASSIGN_OR_RETURN(const int axis,
                           c.Axis(p.has_slice_dim() ? int64_t{p.slice_dim()} : int64_t{p.axis()}, c.rank()));
  std::vector<int64_t> points;
  MICRORT_RETURN_IF_ERROR(ReadSlicePoints(c, axis, &points));
  for (size_t i = 0; i < c.top_count(); ++i)
    c.SetTop(i, c.top_count() == 1 ? c.bottom() : c.build.Slice(c.bottom(), axis, points[i], points[i + 1]));
  return c.build.status();
}

// From `axis` on, as much as the second bottom has, at an offset for all axes or one for each.
Status ImportCrop(LayerContext& c) {
  const auto& p = c.layer.crop_param();
  MICRORT_ASSIGN_OR_RETURN(const int first, c.Axis(p.axis(), c.rank()));
  MICRORT_RETURN_IF_ERROR(c.ExpectRank(1, c.rank()));
  MICRORT_RETURN_IF_ERROR(c.ExpectFixed(0, first, c.rank()));
  MICRORT_RETURN_IF_ERROR(c.ExpectFixed(1, first, c.rank()));
  if (p.offset_size() > 1 && p.offset_size() != c.rank() - first)
    return Invalid("{} offsets for {} axes", p.offset_size(), c.rank() - first);
  schema::SliceOptionsT slice;
  for (int axis = first; axis < c.rank(); ++axis) {
    const int64_t size = c.dim(axis, 1);
    int64_t offset = 0;
    if (p.offset_size() > 0) offset = p.offset(p.offset_size() == 1 ? 0 : axis - first);
    if (offset + size > c.dim(axis))
      return Invalid("offset {} and {} elements of a dimension of {}", offset, size, c.dim(axis));
    ir::AddRange(axis, offset, offset + size, 1, &slice);
  }
  return c.Return(c.build.Add(std::move(slice), {c.bottom()}));
}

// The items where the last bottom is not 0, of every other bottom.
Status ImportFilter(LayerContext& c) {
  const size_t selector = c.bottom_count() - 1;
  if (c.top_count() != selector)
    return Invalid("{} tops for {} bottoms and a selector", c.top_count(), selector);
  const ir::ValueId flags = c.build.Reshape(c.bottom(selector), {kInferDim});
  const ir::ValueId items = c.build.Reshape(c.build.Add(schema::NonZeroOptionsT(), {flags}), {kInferDim});
  for (size_t i = 0; i < selector; ++i) {
    if (c.rank(i) < 1 || c.rank(selector) < 1 || c.dim(0, i) != c.dim(0, selector))
      return Invalid("bottom '{}' has another number of items than the selector",
                     c.layer.bottom(static_cast<int>(i)));
    c.SetTop(i, c.build.Gather(c.bottom(i), items, 0));
  }
  return c.build.status();
}

Status ImportBatchReindex(LayerContext& c) {
  MICRORT_RETURN_IF_ERROR(c.ExpectRank(1, 1));
  return c.Return(c.build.Gather(c.bottom(), c.build.Cast(c.bottom(1), DType::kInt64), 0));
}

}  // namespace

const ImporterList SlicingLayers = {
    {"Concat", 1, -1, ImportConcat}, {"Crop", 2, 2, ImportCrop},
    {"Slice", 1, 1, ImportSlice},    {"BatchReindex", 2, 2, ImportBatchReindex},
    {"Filter", 2, -1, ImportFilter},
};

}  // namespace micrort::frontend::caffe
