#pragma once
// The fields of what kernels take that pick elements by indices or coordinates, add up along an axis or
// transform it; as in call_fields.h.

#include "converter/aot/assignments.h"
#include "kernels/fourier/transform_axis.h"
#include "kernels/index/gather_elements.h"
#include "kernels/index/gather_nd.h"
#include "kernels/index/scatter.h"
#include "kernels/reduce/cumulative_sum.h"
#include "kernels/sample/grid_sample.h"
#include "kernels/sample/roi_align.h"

namespace micrort::aot {

#define MICRORT_FIELD(name) to.Field(#name, value.name, initial.name)
inline void Fields(Assignments& to, const TupleIndex& value, const TupleIndex& initial) {
  MICRORT_FIELD(batch);
  MICRORT_FIELD(count);
  MICRORT_FIELD(length);
  MICRORT_FIELD(bounds);
  MICRORT_FIELD(steps);
  MICRORT_FIELD(batch_step);
  MICRORT_FIELD(block);
}
inline void Fields(Assignments& to, const ElementIndex& value, const ElementIndex& initial) {
  MICRORT_FIELD(rank);
  MICRORT_FIELD(dims);
  MICRORT_FIELD(steps);
  MICRORT_FIELD(axis_step);
  MICRORT_FIELD(bound);
}
inline void Fields(Assignments& to, const GatherNDCall& value, const GatherNDCall& initial) {
  MICRORT_FIELD(plan);
  MICRORT_FIELD(element_bytes);
  MICRORT_FIELD(indices);
}
inline void Fields(Assignments& to, const GatherElementsCall& value, const GatherElementsCall& initial) {
  MICRORT_FIELD(plan);
  MICRORT_FIELD(element_bytes);
  MICRORT_FIELD(indices);
  MICRORT_FIELD(count);
}
inline void Fields(Assignments& to, const ScatterRule& value, const ScatterRule& initial) {
  MICRORT_FIELD(reduction);
  MICRORT_FIELD(dtype);
}
inline void Fields(Assignments& to, const ScatterNDCall& value, const ScatterNDCall& initial) {
  MICRORT_FIELD(plan);
  MICRORT_FIELD(rule);
  MICRORT_FIELD(indices);
  MICRORT_FIELD(data_bytes);
}
inline void Fields(Assignments& to, const ScatterElementsCall& value, const ScatterElementsCall& initial) {
  MICRORT_FIELD(plan);
  MICRORT_FIELD(rule);
  MICRORT_FIELD(indices);
  MICRORT_FIELD(count);
  MICRORT_FIELD(data_bytes);
}
inline void Fields(Assignments& to, const CumulativeSumParams& value, const CumulativeSumParams& initial) {
  MICRORT_FIELD(dtype);
  MICRORT_FIELD(exclusive);
  MICRORT_FIELD(reverse);
  MICRORT_FIELD(product);
  MICRORT_FIELD(outer);
  MICRORT_FIELD(n);
  MICRORT_FIELD(inner);
}
inline void Fields(Assignments& to, const FourierPlan& value, const FourierPlan& initial) {
  MICRORT_FIELD(length);
  MICRORT_FIELD(radix2);
  MICRORT_FIELD(inverse);
}
inline void Fields(Assignments& to, const FourierAxis& value, const FourierAxis& initial) {
  MICRORT_FIELD(plan);
  MICRORT_FIELD(outer);
  MICRORT_FIELD(size);
  MICRORT_FIELD(inner);
  MICRORT_FIELD(channels);
  MICRORT_FIELD(frames);
  MICRORT_FIELD(step);
  MICRORT_FIELD(bins);
  MICRORT_FIELD(out_channels);
  MICRORT_FIELD(used);
  MICRORT_FIELD(mirror);
}
inline void Fields(Assignments& to, const GridSampleParams& value, const GridSampleParams& initial) {
  MICRORT_FIELD(mode);
  MICRORT_FIELD(padding);
  MICRORT_FIELD(coordinates);
  MICRORT_FIELD(dims);
  MICRORT_FIELD(sizes);
  MICRORT_FIELD(batch);
  MICRORT_FIELD(points);
  MICRORT_FIELD(channels);
}
inline void Fields(Assignments& to, const RoiAlignParams& value, const RoiAlignParams& initial) {
  MICRORT_FIELD(batch);
  MICRORT_FIELD(height);
  MICRORT_FIELD(width);
  MICRORT_FIELD(channels);
  MICRORT_FIELD(rois);
  MICRORT_FIELD(out_h);
  MICRORT_FIELD(out_w);
  MICRORT_FIELD(sampling_ratio);
  MICRORT_FIELD(spatial_scale);
  MICRORT_FIELD(half_pixel);
  MICRORT_FIELD(max);
}
#undef MICRORT_FIELD

}  // namespace micrort::aot
