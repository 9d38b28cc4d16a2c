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

MICRORT_FIELDS(TupleIndex, batch, count, length, bounds, steps, batch_step, block)
MICRORT_FIELDS(ElementIndex, rank, dims, steps, axis_step, bound)
MICRORT_FIELDS(GatherNDCall, plan, element_bytes, indices)
MICRORT_FIELDS(GatherElementsCall, plan, element_bytes, indices, count)
MICRORT_FIELDS(ScatterRule, reduction, dtype)
MICRORT_FIELDS(ScatterNDCall, plan, rule, indices, data_bytes)
MICRORT_FIELDS(ScatterElementsCall, plan, rule, indices, count, data_bytes)
MICRORT_FIELDS(CumulativeSumParams, dtype, exclusive, reverse, product, outer, n, inner)
MICRORT_FIELDS(FourierPlan, length, radix2, inverse)
MICRORT_FIELDS(FourierAxis, plan, outer, size, inner, channels, frames, step, bins, out_channels, used,
               mirror)
MICRORT_FIELDS(GridSampleParams, mode, padding, coordinates, dims, sizes, batch, points, channels)
MICRORT_FIELDS(RoiAlignParams, batch, height, width, channels, rois, out_h, out_w, sampling_ratio,
               spatial_scale, half_pixel, max)

}  // namespace micrort::aot
