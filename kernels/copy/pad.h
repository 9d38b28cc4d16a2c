#pragma once
// Padding and cropping of all dimensions at once.

#include <cstddef>
#include <cstdint>

#include "kernels/base/parallel.h"
#include "kernels/base/shape.h"

namespace micrort {

enum class PadFill {
  kConstant,  // one element's value
  kReflect,   // mirrored at the first and last element, which are not repeated
  kEdge,      // the nearest element
  kWrap,      // the other end, as if the input were repeated
};

struct PadParams {
  Shape in;
  int64_t begin[kMaxRank];  // elements added before (negative: removed) along each dimension
  int64_t end[kMaxRank];    // after
  size_t element_bytes;
  PadFill fill;
};

// in + begin + end. What is removed must exist: for every dimension min(begin, 0) + min(end, 0) >= -in. Where
// something is added and the fill is not constant, an element must be left to take it from.
Shape PaddedShape(const PadParams& params);

// `value`: one element, for kConstant only. Elements of dst are written once, except that corners of the
// other fills are made dimension by dimension.
void Pad(const PadParams& params, const void* src, const void* value, void* dst, const Parallel& parallel);

// The same with everything decided, where the value is no input.
struct PadCall {
  PadParams params;
  uint8_t value[8];  // its first element_bytes
};

}  // namespace micrort
