#pragma once
// The fields of what kernels take as parameters, for Assignments. Pointers to kernels are left out: emitted
// code asks for them by the features that it was made for.

#include "converter/aot/assignments.h"
#include "kernels/attention/attention.h"
#include "kernels/attention/cache_rows.h"
#include "kernels/conv_call/conv_chain.h"
#include "kernels/copy/concat.h"
#include "kernels/copy/gather.h"
#include "kernels/copy/move_bytes.h"
#include "kernels/copy/pad.h"
#include "kernels/copy/strided_copy.h"
#include "kernels/detect/non_max_suppression.h"
#include "kernels/elementwise/binary.h"
#include "kernels/elementwise/cast.h"
#include "kernels/elementwise/quantize.h"
#include "kernels/elementwise/select.h"
#include "kernels/elementwise/softmax.h"
#include "kernels/elementwise/unary.h"
#include "kernels/mat_mul/mat_mul.h"
#include "kernels/normalize/normalize.h"
#include "kernels/pool/pool2d.h"
#include "kernels/recurrent/recurrent.h"
#include "kernels/reduce/arg_reduce.h"
#include "kernels/reduce/reduce.h"
#include "kernels/resize/resize.h"
#include "kernels/sort/top_k.h"
#include "kernels/sort/unique.h"

namespace micrort::aot {

MICRORT_FIELDS(Shape, rank, dims)
MICRORT_FIELDS(Activation, kind, a, b)
MICRORT_FIELDS(LayerTypes, x, weights, y, dynamic, symmetric, asymmetric, grouped, half_scales, activation,
               half, rounding, float_product, narrow_sums, weight_group, x_scale, y_scale, residual_scale,
               x_zero_point, y_zero_point, residual_zero_point)
MICRORT_FIELDS(Conv2DParams, batch, in_h, in_w, in_c, out_h, out_w, out_c, kernel_h, kernel_w, stride_h,
               stride_w, dilation_h, dilation_w, pad_top, pad_left, groups, transposed, types)
MICRORT_FIELDS(ConvTarget, features, workers)
MICRORT_FIELDS(ConvBlocks, rows, columns, room, length, by_worker)
MICRORT_FIELDS(ConvPlan, kernel, transform, dequantize, convert, min_max, requantize, activation, blocks,
               other_blocks)
MICRORT_FIELDS(InPlacePlan, workers, stripe, part_bytes)
MICRORT_FIELDS(ConvCall, params, target, plan, in_place)
MICRORT_FIELDS(ConvChain, layers, count, parts, stripe, windows, layer_scratch, part_bytes)
MICRORT_FIELDS(ConvLayer, params, target, plan, in_place, constant_weights, packed_bytes)
MICRORT_FIELDS(ConvLayerCall, layer, column_stride, depth_stride)
MICRORT_FIELDS(MatMulCall, transpose_b, is_plain, layer, rows, b_matrices, products, batch_rank, batch_dims,
               a_steps, b_steps)
MICRORT_FIELDS(Pool2DParams, batch, in_h, in_w, channels, out_h, out_w, kernel_h, kernel_w, stride_h,
               stride_w, dilation_h, dilation_w, pad_top, pad_left, pad_bottom, pad_right, count_include_pad,
               sum)
MICRORT_FIELDS(PoolQuantization, in_zero_point, out_zero_point, scale_ratio, rounding)
MICRORT_FIELDS(Pool2DCall, params, function, quantization, kernel)
MICRORT_FIELDS(QuantizationParams, scale, zero_point)
MICRORT_FIELDS(ElementFormat, dtype, quantized, quantization)
MICRORT_FIELDS(UnaryOp, kind, a, b)
MICRORT_FIELDS(BroadcastPlan, inputs, elements, run, rank, dims, run_strides, is_dense, strides)
MICRORT_FIELDS(BinaryParams, kind, a, b, y, activation, plan, rounding)
MICRORT_FIELDS(FixedMultiplier, multiplier, shift)
MICRORT_FIELDS(BinaryS8Op, kind, a, b, y, clamps, lo, hi)
MICRORT_FIELDS(BinaryFixedOp, kind, a_zero, b_zero, y_zero, a_by, b_by, by, lo, hi)
MICRORT_FIELDS(BinaryTask, params, convert, type, fixed_op, is_s8, s8_op, is_s16)
MICRORT_FIELDS(UnaryParams, op, x, y)
MICRORT_FIELDS(UnaryS16Op, kind, x, y, x_zero, y_zero, x_by, negative_by, lo, hi)
MICRORT_FIELDS(UnaryTask, params, convert, type, by_table, table, is_s16, s16_op)
MICRORT_FIELDS(SoftmaxShape, outer, n, inner)
MICRORT_FIELDS(SoftmaxNarrowTask, shape, log, x, y, softmax, convert)
MICRORT_FIELDS(SoftmaxFixedTask, rows, n, x_by, lowest)
MICRORT_FIELDS(SoftmaxS16Task, rows, n, x_by)
MICRORT_FIELDS(SoftmaxCall, dtype, task, rounding, fixed, s16)
MICRORT_FIELDS(CopyDim, size, src_stride, dst_stride)
MICRORT_FIELDS(StridedCopy, rank, empty, transposed, block_bytes, dims)
MICRORT_FIELDS(MoveCall, bytes)
MICRORT_FIELDS(CopyCall, src_offset, copy)
MICRORT_FIELDS(PadParams, in, begin, end, element_bytes, fill)
MICRORT_FIELDS(PadCall, params, value)
MICRORT_FIELDS(ConcatPart, rows, cols, out_cols, column, element_bytes, requantizes, scale, out_scale,
               zero_point, out_zero_point)
MICRORT_FIELDS(QuantizedSlices, outer, slices, inner)
MICRORT_FIELDS(ConvertCall, quantizes, dtype, slices, kernel)
MICRORT_FIELDS(CastCall, from, to, convert)
MICRORT_FIELDS(ArgReduceParams, largest, last, dtype, outer, n, inner)
MICRORT_FIELDS(ArgReduceCall, params, convert)
MICRORT_FIELDS(LoopNest, rank, sizes, strides)
MICRORT_FIELDS(ReducePlan, kept, reduced, columns, rows, row_stride)
MICRORT_FIELDS(ReduceParams, kind, x, y, plan)
MICRORT_FIELDS(NormalizeSteps, kept, inner)
MICRORT_FIELDS(NormalizePlan, outer, rows, kept, inner, scale, bias)
MICRORT_FIELDS(NormalizeTask, plan, epsilon, centered, kernel, fold)
MICRORT_FIELDS(AttentionStrides, batch, head, row)
MICRORT_FIELDS(CacheRows, width, convert, min_max, type)
MICRORT_FIELDS(AttentionPlan, key_kernel, value_kernel, softmax, few, depth_block, query_rows)
MICRORT_FIELDS(AttentionParams, batch, heads, key_heads, queries, keys, depth, value_depth, scale, rows,
               causal, ring, window, softcap, sinks, q, k, v, y, mask, features, workers, plan)
MICRORT_FIELDS(GatherShape, outer, bound, count, block_bytes)
MICRORT_FIELDS(TableRows, dtype, elements, run, row_scales, kernel)
MICRORT_FIELDS(GatherCall, shape, indices, table)
MICRORT_FIELDS(ResizeMethod, mode, coordinates, rounding, cubic_a, exclude_outside, antialias)
MICRORT_FIELDS(ResizeAxis, in, out, scale, length, roi_begin, roi_end)
MICRORT_FIELDS(ResizeLevel, axis, in_block, out_block, repeats, taps, table_begin, buffer_begin)
MICRORT_FIELDS(ResizePlan, method, element_bytes, count, levels, table_entries, buffer_elements, outside)
MICRORT_FIELDS(ResizeCall, plan, blend)
MICRORT_FIELDS(RecurrentActivation, op, input_scale, scale, offset)
MICRORT_FIELDS(RecurrentParams, kind, rounding, reverse, linear_before_reset, input_forget, clip, activations,
               steps, batch, hidden)
MICRORT_FIELDS(RecurrentPlan, kernel, unary)
MICRORT_FIELDS(RecurrentCall, params, plan, last_only, constant_weights, packed_bytes)
MICRORT_FIELDS(TopKParams, dtype, largest, outer, n, inner, k)
MICRORT_FIELDS(NmsParams, center_point_box, is_soft, batch, classes, count, limit)
MICRORT_FIELDS(UniqueParams, dtype, sorted, outer, n, inner)
MICRORT_FIELDS(UniqueCall, params, output_axis)

}  // namespace micrort::aot
