#pragma once
// The operations of kernels/base/simd/vec8.h as one instruction set compiles them, behind plain function
// pointers.

#include <cstddef>

namespace micrort {

// a, b: eight floats or eight int32_t; out: eight of either. `n` is used by partial loads and stores and by
// shifts.
struct Vec8Op {
  const char* name;
  void (*run)(const void* a, const void* b, size_t n, void* out);
};

struct Vec8Ops {
  const Vec8Op* ops;
  size_t count;
};

Vec8Ops Vec8OpsScalar();
Vec8Ops Vec8OpsSse41();
Vec8Ops Vec8OpsSimd128();
Vec8Ops Vec8OpsAvx2();
Vec8Ops Vec8OpsNeon();

}  // namespace micrort
