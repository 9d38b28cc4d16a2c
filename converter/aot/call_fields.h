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

// Found by name where Assignments meets a field that has fields.
#define MICRORT_FIELD(name) to.Field(#name, value.name, initial.name)
inline void Fields(Assignments& to, const Shape& value, const Shape& initial) {
  MICRORT_FIELD(rank);
  MICRORT_FIELD(dims);
}
inline void Fields(Assignments& to, const Activation& value, const Activation& initial) {
  MICRORT_FIELD(kind);
  MICRORT_FIELD(a);
  MICRORT_FIELD(b);
}
inline void Fields(Assignments& to, const LayerTypes& value, const LayerTypes& initial) {
  MICRORT_FIELD(x);
  MICRORT_FIELD(weights);
  MICRORT_FIELD(y);
  MICRORT_FIELD(dynamic);
  MICRORT_FIELD(symmetric);
  MICRORT_FIELD(asymmetric);
  MICRORT_FIELD(grouped);
  MICRORT_FIELD(half_scales);
  MICRORT_FIELD(activation);
  MICRORT_FIELD(half);
  MICRORT_FIELD(rounding);
  MICRORT_FIELD(float_product);
  MICRORT_FIELD(narrow_sums);
  MICRORT_FIELD(weight_group);
  MICRORT_FIELD(x_scale);
  MICRORT_FIELD(y_scale);
  MICRORT_FIELD(residual_scale);
  MICRORT_FIELD(x_zero_point);
  MICRORT_FIELD(y_zero_point);
  MICRORT_FIELD(residual_zero_point);
}
inline void Fields(Assignments& to, const Conv2DParams& value, const Conv2DParams& initial) {
  MICRORT_FIELD(batch);
  MICRORT_FIELD(in_h);
  MICRORT_FIELD(in_w);
  MICRORT_FIELD(in_c);
  MICRORT_FIELD(out_h);
  MICRORT_FIELD(out_w);
  MICRORT_FIELD(out_c);
  MICRORT_FIELD(kernel_h);
  MICRORT_FIELD(kernel_w);
  MICRORT_FIELD(stride_h);
  MICRORT_FIELD(stride_w);
  MICRORT_FIELD(dilation_h);
  MICRORT_FIELD(dilation_w);
  MICRORT_FIELD(pad_top);
  MICRORT_FIELD(pad_left);
  MICRORT_FIELD(groups);
  MICRORT_FIELD(transposed);
  MICRORT_FIELD(types);
}
inline void Fields(Assignments& to, const ConvTarget& value, const ConvTarget& initial) {
  MICRORT_FIELD(features);
  MICRORT_FIELD(workers);
}
inline void Fields(Assignments& to, const ConvBlocks& value, const ConvBlocks& initial) {
  MICRORT_FIELD(rows);
  MICRORT_FIELD(columns);
  MICRORT_FIELD(room);
  MICRORT_FIELD(length);
  MICRORT_FIELD(by_worker);
}
inline void Fields(Assignments& to, const ConvPlan& value, const ConvPlan& initial) {
  MICRORT_FIELD(kernel);
  MICRORT_FIELD(transform);
  MICRORT_FIELD(dequantize);
  MICRORT_FIELD(convert);
  MICRORT_FIELD(min_max);
  MICRORT_FIELD(requantize);
  MICRORT_FIELD(activation);
  MICRORT_FIELD(blocks);
  MICRORT_FIELD(other_blocks);
}
inline void Fields(Assignments& to, const InPlacePlan& value, const InPlacePlan& initial) {
  MICRORT_FIELD(workers);
  MICRORT_FIELD(stripe);
  MICRORT_FIELD(part_bytes);
}
inline void Fields(Assignments& to, const ConvCall& value, const ConvCall& initial) {
  MICRORT_FIELD(params);
  MICRORT_FIELD(target);
  MICRORT_FIELD(plan);
  MICRORT_FIELD(in_place);
}
inline void Fields(Assignments& to, const ConvChain& value, const ConvChain& initial) {
  MICRORT_FIELD(layers);
  MICRORT_FIELD(count);
  MICRORT_FIELD(parts);
  MICRORT_FIELD(stripe);
  MICRORT_FIELD(windows);
  MICRORT_FIELD(layer_scratch);
  MICRORT_FIELD(part_bytes);
}
inline void Fields(Assignments& to, const ConvLayer& value, const ConvLayer& initial) {
  Fields(to, static_cast<const ConvCall&>(value), static_cast<const ConvCall&>(initial));
  MICRORT_FIELD(constant_weights);
  MICRORT_FIELD(packed_bytes);
}
inline void Fields(Assignments& to, const ConvLayerCall& value, const ConvLayerCall& initial) {
  MICRORT_FIELD(layer);
  MICRORT_FIELD(column_stride);
  MICRORT_FIELD(depth_stride);
}
inline void Fields(Assignments& to, const MatMulCall& value, const MatMulCall& initial) {
  MICRORT_FIELD(transpose_b);
  MICRORT_FIELD(is_plain);
  MICRORT_FIELD(layer);
  MICRORT_FIELD(rows);
  MICRORT_FIELD(b_matrices);
  MICRORT_FIELD(products);
  MICRORT_FIELD(batch_rank);
  MICRORT_FIELD(batch_dims);
  MICRORT_FIELD(a_steps);
  MICRORT_FIELD(b_steps);
}
inline void Fields(Assignments& to, const Pool2DParams& value, const Pool2DParams& initial) {
  MICRORT_FIELD(batch);
  MICRORT_FIELD(in_h);
  MICRORT_FIELD(in_w);
  MICRORT_FIELD(channels);
  MICRORT_FIELD(out_h);
  MICRORT_FIELD(out_w);
  MICRORT_FIELD(kernel_h);
  MICRORT_FIELD(kernel_w);
  MICRORT_FIELD(stride_h);
  MICRORT_FIELD(stride_w);
  MICRORT_FIELD(dilation_h);
  MICRORT_FIELD(dilation_w);
  MICRORT_FIELD(pad_top);
  MICRORT_FIELD(pad_left);
  MICRORT_FIELD(pad_bottom);
  MICRORT_FIELD(pad_right);
  MICRORT_FIELD(count_include_pad);
  MICRORT_FIELD(sum);
}
inline void Fields(Assignments& to, const PoolQuantization& value, const PoolQuantization& initial) {
  MICRORT_FIELD(in_zero_point);
  MICRORT_FIELD(out_zero_point);
  MICRORT_FIELD(scale_ratio);
  MICRORT_FIELD(rounding);
}
inline void Fields(Assignments& to, const Pool2DCall& value, const Pool2DCall& initial) {
  MICRORT_FIELD(params);
  MICRORT_FIELD(function);
  MICRORT_FIELD(quantization);
  MICRORT_FIELD(kernel);
}
inline void Fields(Assignments& to, const QuantizationParams& value, const QuantizationParams& initial) {
  MICRORT_FIELD(scale);
  MICRORT_FIELD(zero_point);
}
inline void Fields(Assignments& to, const ElementFormat& value, const ElementFormat& initial) {
  MICRORT_FIELD(dtype);
  MICRORT_FIELD(quantized);
  MICRORT_FIELD(quantization);
}
inline void Fields(Assignments& to, const UnaryOp& value, const UnaryOp& initial) {
  MICRORT_FIELD(kind);
  MICRORT_FIELD(a);
  MICRORT_FIELD(b);
}
inline void Fields(Assignments& to, const BroadcastPlan& value, const BroadcastPlan& initial) {
  MICRORT_FIELD(inputs);
  MICRORT_FIELD(elements);
  MICRORT_FIELD(run);
  MICRORT_FIELD(rank);
  MICRORT_FIELD(dims);
  MICRORT_FIELD(run_strides);
  MICRORT_FIELD(is_dense);
  for (int i = 0; i < kMaxBroadcastInputs; ++i) {
    to.Field(("strides[" + std::to_string(i) + "]").c_str(), value.strides[i], initial.strides[i]);
  }
}
inline void Fields(Assignments& to, const BinaryParams& value, const BinaryParams& initial) {
  MICRORT_FIELD(kind);
  MICRORT_FIELD(a);
  MICRORT_FIELD(b);
  MICRORT_FIELD(y);
  MICRORT_FIELD(activation);
  MICRORT_FIELD(plan);
  MICRORT_FIELD(rounding);
}
inline void Fields(Assignments& to, const FixedMultiplier& value, const FixedMultiplier& initial) {
  MICRORT_FIELD(multiplier);
  MICRORT_FIELD(shift);
}
inline void Fields(Assignments& to, const BinaryS8Op& value, const BinaryS8Op& initial) {
  MICRORT_FIELD(kind);
  MICRORT_FIELD(a);
  MICRORT_FIELD(b);
  MICRORT_FIELD(y);
  MICRORT_FIELD(clamps);
  MICRORT_FIELD(lo);
  MICRORT_FIELD(hi);
}
inline void Fields(Assignments& to, const BinaryFixedOp& value, const BinaryFixedOp& initial) {
  MICRORT_FIELD(kind);
  MICRORT_FIELD(a_zero);
  MICRORT_FIELD(b_zero);
  MICRORT_FIELD(y_zero);
  MICRORT_FIELD(a_by);
  MICRORT_FIELD(b_by);
  MICRORT_FIELD(by);
  MICRORT_FIELD(lo);
  MICRORT_FIELD(hi);
}
inline void Fields(Assignments& to, const BinaryTask& value, const BinaryTask& initial) {
  MICRORT_FIELD(params);
  MICRORT_FIELD(convert);
  MICRORT_FIELD(type);
  MICRORT_FIELD(fixed_op);
  MICRORT_FIELD(is_s8);
  MICRORT_FIELD(s8_op);
  MICRORT_FIELD(is_s16);
}
inline void Fields(Assignments& to, const UnaryParams& value, const UnaryParams& initial) {
  MICRORT_FIELD(op);
  MICRORT_FIELD(x);
  MICRORT_FIELD(y);
}
inline void Fields(Assignments& to, const UnaryS16Op& value, const UnaryS16Op& initial) {
  MICRORT_FIELD(kind);
  MICRORT_FIELD(x);
  MICRORT_FIELD(y);
  MICRORT_FIELD(x_zero);
  MICRORT_FIELD(y_zero);
  MICRORT_FIELD(x_by);
  MICRORT_FIELD(negative_by);
  MICRORT_FIELD(lo);
  MICRORT_FIELD(hi);
}
inline void Fields(Assignments& to, const UnaryTask& value, const UnaryTask& initial) {
  MICRORT_FIELD(params);
  MICRORT_FIELD(convert);
  MICRORT_FIELD(type);
  MICRORT_FIELD(by_table);
  MICRORT_FIELD(table);
  MICRORT_FIELD(is_s16);
  MICRORT_FIELD(s16_op);
}
inline void Fields(Assignments& to, const SoftmaxShape& value, const SoftmaxShape& initial) {
  MICRORT_FIELD(outer);
  MICRORT_FIELD(n);
  MICRORT_FIELD(inner);
}
inline void Fields(Assignments& to, const SoftmaxNarrowTask& value, const SoftmaxNarrowTask& initial) {
  MICRORT_FIELD(shape);
  MICRORT_FIELD(log);
  MICRORT_FIELD(x);
  MICRORT_FIELD(y);
  MICRORT_FIELD(softmax);
  MICRORT_FIELD(convert);
}
inline void Fields(Assignments& to, const SoftmaxFixedTask& value, const SoftmaxFixedTask& initial) {
  MICRORT_FIELD(rows);
  MICRORT_FIELD(n);
  MICRORT_FIELD(x_by);
  MICRORT_FIELD(lowest);
}
inline void Fields(Assignments& to, const SoftmaxS16Task& value, const SoftmaxS16Task& initial) {
  MICRORT_FIELD(rows);
  MICRORT_FIELD(n);
  MICRORT_FIELD(x_by);
}
inline void Fields(Assignments& to, const SoftmaxCall& value, const SoftmaxCall& initial) {
  MICRORT_FIELD(dtype);
  MICRORT_FIELD(task);
  MICRORT_FIELD(rounding);
  MICRORT_FIELD(fixed);
  MICRORT_FIELD(s16);
}
inline void Fields(Assignments& to, const CopyDim& value, const CopyDim& initial) {
  MICRORT_FIELD(size);
  MICRORT_FIELD(src_stride);
  MICRORT_FIELD(dst_stride);
}
inline void Fields(Assignments& to, const StridedCopy& value, const StridedCopy& initial) {
  MICRORT_FIELD(rank);
  MICRORT_FIELD(empty);
  MICRORT_FIELD(transposed);
  MICRORT_FIELD(block_bytes);
  MICRORT_FIELD(dims);
}
inline void Fields(Assignments& to, const MoveCall& value, const MoveCall& initial) { MICRORT_FIELD(bytes); }
inline void Fields(Assignments& to, const CopyCall& value, const CopyCall& initial) {
  MICRORT_FIELD(src_offset);
  MICRORT_FIELD(copy);
}
inline void Fields(Assignments& to, const PadParams& value, const PadParams& initial) {
  MICRORT_FIELD(in);
  MICRORT_FIELD(begin);
  MICRORT_FIELD(end);
  MICRORT_FIELD(element_bytes);
  MICRORT_FIELD(fill);
}
inline void Fields(Assignments& to, const PadCall& value, const PadCall& initial) {
  MICRORT_FIELD(params);
  MICRORT_FIELD(value);
}
inline void Fields(Assignments& to, const ConcatPart& value, const ConcatPart& initial) {
  MICRORT_FIELD(rows);
  MICRORT_FIELD(cols);
  MICRORT_FIELD(out_cols);
  MICRORT_FIELD(column);
  MICRORT_FIELD(element_bytes);
  MICRORT_FIELD(requantizes);
  MICRORT_FIELD(scale);
  MICRORT_FIELD(out_scale);
  MICRORT_FIELD(zero_point);
  MICRORT_FIELD(out_zero_point);
}
inline void Fields(Assignments& to, const QuantizedSlices& value, const QuantizedSlices& initial) {
  MICRORT_FIELD(outer);
  MICRORT_FIELD(slices);
  MICRORT_FIELD(inner);
}
inline void Fields(Assignments& to, const ConvertCall& value, const ConvertCall& initial) {
  MICRORT_FIELD(quantizes);
  MICRORT_FIELD(dtype);
  MICRORT_FIELD(slices);
  MICRORT_FIELD(kernel);
}
inline void Fields(Assignments& to, const CastCall& value, const CastCall& initial) {
  MICRORT_FIELD(from);
  MICRORT_FIELD(to);
  MICRORT_FIELD(convert);
}
inline void Fields(Assignments& to, const ArgReduceParams& value, const ArgReduceParams& initial) {
  MICRORT_FIELD(largest);
  MICRORT_FIELD(last);
  MICRORT_FIELD(dtype);
  MICRORT_FIELD(outer);
  MICRORT_FIELD(n);
  MICRORT_FIELD(inner);
}
inline void Fields(Assignments& to, const ArgReduceCall& value, const ArgReduceCall& initial) {
  MICRORT_FIELD(params);
  MICRORT_FIELD(convert);
}
inline void Fields(Assignments& to, const LoopNest& value, const LoopNest& initial) {
  MICRORT_FIELD(rank);
  MICRORT_FIELD(sizes);
  MICRORT_FIELD(strides);
}
inline void Fields(Assignments& to, const ReducePlan& value, const ReducePlan& initial) {
  MICRORT_FIELD(kept);
  MICRORT_FIELD(reduced);
  MICRORT_FIELD(columns);
  MICRORT_FIELD(rows);
  MICRORT_FIELD(row_stride);
}
inline void Fields(Assignments& to, const ReduceParams& value, const ReduceParams& initial) {
  MICRORT_FIELD(kind);
  MICRORT_FIELD(x);
  MICRORT_FIELD(y);
  MICRORT_FIELD(plan);
}
inline void Fields(Assignments& to, const NormalizeSteps& value, const NormalizeSteps& initial) {
  MICRORT_FIELD(kept);
  MICRORT_FIELD(inner);
}
inline void Fields(Assignments& to, const NormalizePlan& value, const NormalizePlan& initial) {
  MICRORT_FIELD(outer);
  MICRORT_FIELD(rows);
  MICRORT_FIELD(kept);
  MICRORT_FIELD(inner);
  MICRORT_FIELD(scale);
  MICRORT_FIELD(bias);
}
inline void Fields(Assignments& to, const NormalizeTask& value, const NormalizeTask& initial) {
  MICRORT_FIELD(plan);
  MICRORT_FIELD(epsilon);
  MICRORT_FIELD(centered);
  MICRORT_FIELD(kernel);
  MICRORT_FIELD(fold);
}
inline void Fields(Assignments& to, const AttentionStrides& value, const AttentionStrides& initial) {
  MICRORT_FIELD(batch);
  MICRORT_FIELD(head);
  MICRORT_FIELD(row);
}
inline void Fields(Assignments& to, const CacheRows& value, const CacheRows& initial) {
  MICRORT_FIELD(width);
  MICRORT_FIELD(convert);
  MICRORT_FIELD(min_max);
  MICRORT_FIELD(type);
}
inline void Fields(Assignments& to, const AttentionPlan& value, const AttentionPlan& initial) {
  MICRORT_FIELD(key_kernel);
  MICRORT_FIELD(value_kernel);
  MICRORT_FIELD(softmax);
  MICRORT_FIELD(few);
  MICRORT_FIELD(depth_block);
  MICRORT_FIELD(query_rows);
}
inline void Fields(Assignments& to, const AttentionParams& value, const AttentionParams& initial) {
  MICRORT_FIELD(batch);
  MICRORT_FIELD(heads);
  MICRORT_FIELD(key_heads);
  MICRORT_FIELD(queries);
  MICRORT_FIELD(keys);
  MICRORT_FIELD(depth);
  MICRORT_FIELD(value_depth);
  MICRORT_FIELD(scale);
  MICRORT_FIELD(rows);
  MICRORT_FIELD(causal);
  MICRORT_FIELD(ring);
  MICRORT_FIELD(window);
  MICRORT_FIELD(q);
  MICRORT_FIELD(k);
  MICRORT_FIELD(v);
  MICRORT_FIELD(y);
  MICRORT_FIELD(mask);
  MICRORT_FIELD(features);
  MICRORT_FIELD(workers);
  MICRORT_FIELD(plan);
}
inline void Fields(Assignments& to, const GatherShape& value, const GatherShape& initial) {
  MICRORT_FIELD(outer);
  MICRORT_FIELD(bound);
  MICRORT_FIELD(count);
  MICRORT_FIELD(block_bytes);
}
inline void Fields(Assignments& to, const TableRows& value, const TableRows& initial) {
  MICRORT_FIELD(dtype);
  MICRORT_FIELD(elements);
  MICRORT_FIELD(run);
  MICRORT_FIELD(row_scales);
  MICRORT_FIELD(kernel);
}
inline void Fields(Assignments& to, const GatherCall& value, const GatherCall& initial) {
  MICRORT_FIELD(shape);
  MICRORT_FIELD(indices);
  MICRORT_FIELD(table);
}
inline void Fields(Assignments& to, const ResizeMethod& value, const ResizeMethod& initial) {
  MICRORT_FIELD(mode);
  MICRORT_FIELD(coordinates);
  MICRORT_FIELD(rounding);
  MICRORT_FIELD(cubic_a);
  MICRORT_FIELD(exclude_outside);
  MICRORT_FIELD(antialias);
}
inline void Fields(Assignments& to, const ResizeAxis& value, const ResizeAxis& initial) {
  MICRORT_FIELD(in);
  MICRORT_FIELD(out);
  MICRORT_FIELD(scale);
  MICRORT_FIELD(length);
  MICRORT_FIELD(roi_begin);
  MICRORT_FIELD(roi_end);
}
inline void Fields(Assignments& to, const ResizeLevel& value, const ResizeLevel& initial) {
  MICRORT_FIELD(axis);
  MICRORT_FIELD(in_block);
  MICRORT_FIELD(out_block);
  MICRORT_FIELD(repeats);
  MICRORT_FIELD(taps);
  MICRORT_FIELD(table_begin);
  MICRORT_FIELD(buffer_begin);
}
inline void Fields(Assignments& to, const ResizePlan& value, const ResizePlan& initial) {
  MICRORT_FIELD(method);
  MICRORT_FIELD(element_bytes);
  MICRORT_FIELD(count);
  MICRORT_FIELD(levels);
  MICRORT_FIELD(table_entries);
  MICRORT_FIELD(buffer_elements);
  MICRORT_FIELD(outside);
}
inline void Fields(Assignments& to, const ResizeCall& value, const ResizeCall& initial) {
  MICRORT_FIELD(plan);
  MICRORT_FIELD(blend);
}
inline void Fields(Assignments& to, const RecurrentActivation& value, const RecurrentActivation& initial) {
  MICRORT_FIELD(op);
  MICRORT_FIELD(input_scale);
  MICRORT_FIELD(scale);
  MICRORT_FIELD(offset);
}
inline void Fields(Assignments& to, const RecurrentParams& value, const RecurrentParams& initial) {
  MICRORT_FIELD(kind);
  MICRORT_FIELD(rounding);
  MICRORT_FIELD(reverse);
  MICRORT_FIELD(linear_before_reset);
  MICRORT_FIELD(input_forget);
  MICRORT_FIELD(clip);
  MICRORT_FIELD(activations);
  MICRORT_FIELD(steps);
  MICRORT_FIELD(batch);
  MICRORT_FIELD(hidden);
}
inline void Fields(Assignments& to, const RecurrentPlan& value, const RecurrentPlan& initial) {
  MICRORT_FIELD(kernel);
  MICRORT_FIELD(unary);
}
inline void Fields(Assignments& to, const RecurrentCall& value, const RecurrentCall& initial) {
  MICRORT_FIELD(params);
  MICRORT_FIELD(plan);
  MICRORT_FIELD(last_only);
  MICRORT_FIELD(constant_weights);
  MICRORT_FIELD(packed_bytes);
}
inline void Fields(Assignments& to, const TopKParams& value, const TopKParams& initial) {
  MICRORT_FIELD(dtype);
  MICRORT_FIELD(largest);
  MICRORT_FIELD(outer);
  MICRORT_FIELD(n);
  MICRORT_FIELD(inner);
  MICRORT_FIELD(k);
}
inline void Fields(Assignments& to, const NmsParams& value, const NmsParams& initial) {
  MICRORT_FIELD(center_point_box);
  MICRORT_FIELD(batch);
  MICRORT_FIELD(classes);
  MICRORT_FIELD(count);
  MICRORT_FIELD(limit);
}
inline void Fields(Assignments& to, const UniqueParams& value, const UniqueParams& initial) {
  MICRORT_FIELD(dtype);
  MICRORT_FIELD(sorted);
  MICRORT_FIELD(outer);
  MICRORT_FIELD(n);
  MICRORT_FIELD(inner);
}
inline void Fields(Assignments& to, const UniqueCall& value, const UniqueCall& initial) {
  MICRORT_FIELD(params);
  MICRORT_FIELD(output_axis);
}
#undef MICRORT_FIELD

}  // namespace micrort::aot
