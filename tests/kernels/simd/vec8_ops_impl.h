#pragma once
// The table of Vec8Op over one F32x8.

#include <cstdint>

#include "kernels/base/simd/vec8.h"
#include "tests/kernels/simd/vec8_ops.h"

namespace micrort {

template <typename F, typename Function>
inline void FloatOp(const void* a, const void* b, void* out, Function f) {
  f(F::Load(static_cast<const float*>(a)), F::Load(static_cast<const float*>(b)))
      .Store(static_cast<float*>(out));
}
template <typename F, typename Function>
inline void MaskOp(const void* a, const void* b, void* out, Function f) {
  f(F::Load(static_cast<const float*>(a)), F::Load(static_cast<const float*>(b)))
      .Store(static_cast<int32_t*>(out));
}
template <typename F, typename Function>
inline void IntOp(const void* a, const void* b, void* out, Function f) {
  using I = typename F::Int;
  f(I::Load(static_cast<const int32_t*>(a)), I::Load(static_cast<const int32_t*>(b)))
      .Store(static_cast<int32_t*>(out));
}

#define MICRORT_VEC8_OP(name, kind, expression)                                  \
  {                                                                              \
    name, [](const void* pa, const void* pb, size_t n, void* out) {              \
      (void)n;                                                                   \
      kind<F>(pa, pb, out, [=](auto a, auto b) { return (void)b, expression; }); \
    }                                                                            \
  }

template <typename F>
Vec8Ops MakeVec8Ops() {
  static constexpr Vec8Op kOps[] = {
    MICRORT_VEC8_OP("add", FloatOp, a + b),
    MICRORT_VEC8_OP("sub", FloatOp, a - b),
    MICRORT_VEC8_OP("mul", FloatOp, a* b),
    MICRORT_VEC8_OP("div", FloatOp, a / b),
    MICRORT_VEC8_OP("neg", FloatOp, -a),
    MICRORT_VEC8_OP("min", FloatOp, Min(a, b)),
    MICRORT_VEC8_OP("max", FloatOp, Max(a, b)),
    MICRORT_VEC8_OP("min_nan", FloatOp, MinNan(a, b)),
    MICRORT_VEC8_OP("max_nan", FloatOp, MaxNan(a, b)),
    MICRORT_VEC8_OP("copy_sign", FloatOp, CopySign(a, b)),
    MICRORT_VEC8_OP("sqrt", FloatOp, Sqrt(a)),
    MICRORT_VEC8_OP("abs", FloatOp, Abs(a)),
    MICRORT_VEC8_OP("round_even", FloatOp, RoundEven(a)),
    MICRORT_VEC8_OP("floor", FloatOp, Floor(a)),
    MICRORT_VEC8_OP("ceil", FloatOp, Ceil(a)),
    MICRORT_VEC8_OP("trunc", FloatOp, Trunc(a)),
    MICRORT_VEC8_OP("select", FloatOp, Select(Less(a, b), b, a)),
    MICRORT_VEC8_OP("reduce_add", FloatOp, F::Broadcast(ReduceAdd(a))),
    {"reduce_add_of_four",
     [](const void* pa, const void* pb, size_t, void* out) {
       const F a = F::Load(static_cast<const float*>(pa)), b = F::Load(static_cast<const float*>(pb));
       float* const y = static_cast<float*>(out);
       ReduceAdd(a, b, -b, a + b, y);
       ReduceAdd(b, a, a - b, -a, y + 4);
     }},
    MICRORT_VEC8_OP("reduce_min", FloatOp, F::Broadcast(ReduceMin(a))),
    MICRORT_VEC8_OP("reduce_max", FloatOp, F::Broadcast(ReduceMax(a))),
    MICRORT_VEC8_OP("less", MaskOp, Less(a, b)),
    MICRORT_VEC8_OP("less_equal", MaskOp, LessEqual(a, b)),
    MICRORT_VEC8_OP("equal", MaskOp, Equal(a, b)),
    MICRORT_VEC8_OP("not_equal", MaskOp, NotEqual(a, b)),
    MICRORT_VEC8_OP("round_to_int", MaskOp, RoundToInt(a)),
    MICRORT_VEC8_OP("as_int", MaskOp, AsInt(a)),
    MICRORT_VEC8_OP("any_true", MaskOp, F::Int::Broadcast(AnyTrue(Less(a, b)))),
    MICRORT_VEC8_OP("int_add", IntOp, a + b),
    MICRORT_VEC8_OP("int_sub", IntOp, a - b),
    MICRORT_VEC8_OP("int_mul", IntOp, a* b),
    MICRORT_VEC8_OP("int_and", IntOp, a& b),
    MICRORT_VEC8_OP("int_or", IntOp, a | b),
    MICRORT_VEC8_OP("int_xor", IntOp, a ^ b),
    MICRORT_VEC8_OP("int_not", IntOp, ~a),
    MICRORT_VEC8_OP("int_min", IntOp, Min(a, b)),
    MICRORT_VEC8_OP("int_max", IntOp, Max(a, b)),
    MICRORT_VEC8_OP("int_less", IntOp, Less(a, b)),
    MICRORT_VEC8_OP("int_equal", IntOp, Equal(a, b)),
    MICRORT_VEC8_OP("int_select", IntOp, Select(Less(a, b), b, a)),
    MICRORT_VEC8_OP("shift_left", IntOp, ShiftLeft(a, static_cast<int>(n))),
    MICRORT_VEC8_OP("shift_right", IntOp, ShiftRight(a, static_cast<int>(n))),
    MICRORT_VEC8_OP("shift_left_lanes", IntOp, ShiftLeft(a, b& F::Int::Broadcast(31))),
    MICRORT_VEC8_OP("shift_right_lanes", IntOp, ShiftRight(a, b& F::Int::Broadcast(31))),
    MICRORT_VEC8_OP("shift_right_rounded", IntOp,
                    ShiftRightRounded(ShiftRight(a, 1), b& F::Int::Broadcast(31))),
    MICRORT_VEC8_OP("doubling_high_mul", IntOp, DoublingHighMul(a, b | F::Int::Broadcast(1))),
    MICRORT_VEC8_OP("to_float", IntOp, AsInt(ToFloat(a))),
    {"load_int8",
     [](const void* a, const void*, size_t, void* out) {
       F::Int::Load(static_cast<const int8_t*>(a)).Store(static_cast<int32_t*>(out));
     }},
    {"load_uint8",
     [](const void* a, const void*, size_t, void* out) {
       F::Int::Load(static_cast<const uint8_t*>(a)).Store(static_cast<int32_t*>(out));
     }},
    {"load_int16",
     [](const void* a, const void*, size_t, void* out) {
       F::Int::Load(static_cast<const int16_t*>(a)).Store(static_cast<int32_t*>(out));
     }},
    {"load_half",
     [](const void* a, const void*, size_t, void* out) {
       F::LoadHalf(static_cast<const uint16_t*>(a)).Store(static_cast<float*>(out));
     }},
    {"store_half",
     [](const void* a, const void*, size_t, void* out) {
       F::Load(static_cast<const float*>(a)).StoreHalf(static_cast<uint16_t*>(out));
     }},
    {"store_int8",
     [](const void* a, const void*, size_t n, void* out) {
       F::Int::Load(static_cast<const int32_t*>(a)).StorePartial(static_cast<int8_t*>(out), n);
     }},
    {"store_uint8",
     [](const void* a, const void*, size_t n, void* out) {
       F::Int::Load(static_cast<const int32_t*>(a)).StorePartial(static_cast<uint8_t*>(out), n);
     }},
    {"store_int16",
     [](const void* a, const void*, size_t n, void* out) {
       F::Int::Load(static_cast<const int32_t*>(a)).StorePartial(static_cast<int16_t*>(out), n);
     }},
    {"store_int32",
     [](const void* a, const void*, size_t n, void* out) {
       F::Int::Load(static_cast<const int32_t*>(a)).StorePartial(static_cast<int32_t*>(out), n);
     }},
    {"store_float",
     [](const void* a, const void*, size_t n, void* out) {
       F::Load(static_cast<const float*>(a)).StorePartial(static_cast<float*>(out), n);
     }},
    {"load_partial_float",
     [](const void* a, const void*, size_t n, void* out) {
       F::LoadPartial(static_cast<const float*>(a), n).Store(static_cast<float*>(out));
     }},
    {"load_partial_int32",
     [](const void* a, const void*, size_t n, void* out) {
       F::Int::LoadPartial(static_cast<const int32_t*>(a), n).Store(static_cast<int32_t*>(out));
     }},
    {"load_partial_int16",
     [](const void* a, const void*, size_t n, void* out) {
       F::Int::LoadPartial(static_cast<const int16_t*>(a), n).Store(static_cast<int32_t*>(out));
     }},
    {"load_partial_int8",
     [](const void* a, const void*, size_t n, void* out) {
       F::Int::LoadPartial(static_cast<const int8_t*>(a), n).Store(static_cast<int32_t*>(out));
     }},
};
  return {kOps, sizeof kOps / sizeof kOps[0]};
}

#undef MICRORT_VEC8_OP

}  // namespace micrort
