#pragma once
// Resizing of any axes of a tensor, one axis inside the other: a slice along the first resized axis is
// blended into a buffer of its own and then resized along the remaining axes, so that no whole intermediate
// tensor exists.

#include <cstddef>
#include <cstdint>

#include "kernels/base/parallel.h"
#include "kernels/base/shape.h"
#include "kernels/resize/blend_f32.h"
#include "kernels/resize/resize_axis.h"

namespace micrort {

// One resized axis, inside the ones before it. Blocks are counted in elements.
struct ResizeLevel {
  ResizeAxis axis;
  int64_t in_block;   // of one position of the axis before the later axes are resized
  int64_t out_block;  // and after
  int64_t
      repeats;   // of this level inside one position of the level before: untouched dimensions between them
  int64_t taps;  // entries of the tables for one output position
  uint64_t table_begin;   // of this level's entries in the tables
  uint64_t buffer_begin;  // of this level's slice in a worker's buffer, in floats
};

// Plain data.
struct ResizePlan {
  ResizeMethod method;
  size_t element_bytes;
  int count;  // of levels; 0: nothing is resized
  ResizeLevel levels[kMaxRank];
  uint64_t table_entries;    // of all levels
  uint64_t buffer_elements;  // of one worker, in floats; 0 for kNearest
  uint8_t outside[8];        // the element for outputs from outside the input (kTfCropAndResize)
};

// Plain data.
struct ResizeCall {
  ResizePlan plan;  // of one level at least
  KernelId blend = KernelId::none;
};

// `axes`: one entry a dimension of `in`; those with in == out, scale 1 and the whole input as roi are left
// alone. Both shapes are validated, and every axis has at most kMaxResizeTaps.
ResizePlan PlanResize(const ResizeMethod& method, const Shape& in, const ResizeAxis* axes,
                      size_t element_bytes);
// What a run needs at most that decides sizes: `in` and `axes` have the largest ones, and the axes in
// `decided`, a bit each, may come to any size within these. Not to be run.
ResizePlan PlanLargestResize(const ResizeMethod& method, const Shape& in, const ResizeAxis* axes,
                             uint32_t decided, size_t element_bytes);

// kTooManyBytes: there is no such block.
size_t ResizeScratchBytes(const ResizePlan& plan, int workers);

// `scratch`: as large as asked for with at least parallel.workers() workers, aligned to 64 bytes. kNearest
// takes any elements, and does not use `blend`; kLinear without antialiasing takes float32 and int8, which it
// rounds half to even; others take float32 only.
void RunResize(const ResizeCall& call, const void* in, void* out, void* scratch, const Parallel& parallel);

}  // namespace micrort
