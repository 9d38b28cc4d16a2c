#pragma once
// The micro-kernel of fused element-wise functions. Each instruction is a function that takes a block of
// vectors in registers, as arguments, and ends with a call of the next one, which compilers make a jump: so a
// block is loaded once and stored once, whatever lies between.
//
// Traits:
//   Vector          F32x8 or F32x16
//   Register        what it is made of: a type that is passed in a register
//   kParts          how many of them make a vector
//   Join(parts...)  a vector
//   Part<k>(v)      its k-th register
//   kHasFma         whether a product and a sum are one instruction, of units that plain sums leave alone

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "kernels/elementwise/element_functions_impl.h"
#include "kernels/fused/fused_f32.h"

namespace micrort {

#define MICRORT_INLINE __attribute__((always_inline))

template <size_t... k>
struct Indexes {};
template <size_t n, size_t... k>
struct IndexesBelow : IndexesBelow<n - 1, n - 1, k...> {};
template <size_t... k>
struct IndexesBelow<0, k...> {
  using Type = Indexes<k...>;
};

// Traits of vectors that are a register, of CPUs that multiply and add in one instruction ...
template <typename V>
struct WholeRegisters {
  using Vector = V;
  using Register = V;
  static constexpr size_t kParts = 1;
  static constexpr bool kHasFma = true;
  static V Join(V v) { return v; }
  template <size_t k>
  static V Part(V v) {
    return v;
  }
};

// ... and of those that are two halves.
template <typename V>
struct HalfRegisters {
  struct Register {
    decltype(V::low) v;
  };
  using Vector = V;
  static constexpr size_t kParts = 2;
  static constexpr bool kHasFma = false;
  static V Join(Register low, Register high) { return {low.v, high.v}; }
  template <size_t k>
  static Register Part(V v) {
    return {k == 0 ? v.low : v.high};
  }
};

// R: the registers of a block.
template <typename Traits, typename... R>
class FusedHandlers {
  using F = typename Traits::Vector;
  using I = typename F::Int;
  using Register = typename Traits::Register;
  using Handler = void (*)(const FusedInstruction* in, size_t i, R... r);
  static constexpr size_t kParts = Traits::kParts, kVectors = sizeof...(R) / kParts,
                          kLanes = sizeof(F) / sizeof(float);
  static_assert(kVectors * kParts == sizeof...(R));

  struct Block {
    F v[kVectors];
  };

 public:
  static constexpr size_t kBlock = kVectors * kLanes;
  static_assert(kMaxFusedBlock % kBlock == 0);

  static void Run(const FusedInstruction* program, size_t n) {
    const auto first = reinterpret_cast<Handler>(program->handler);
    for (size_t i = 0; i < n; i += kBlock) first(program, i, R{}...);
  }

  // Instructions.
  static void End(const FusedInstruction*, size_t, R...) {}

  template <typename Op>
  static void Handle(const FusedInstruction* in, size_t i, R... r) {
    Block block = Join(typename IndexesBelow<kVectors>::Type(), typename IndexesBelow<kParts>::Type(), r...);
    Op::Apply(*in, i, &block);
    return Next(in + 1, i, block, typename IndexesBelow<sizeof...(R)>::Type());
  }

  struct LoadF32 {
    MICRORT_INLINE static void Apply(const FusedInstruction& in, size_t i, Block* block) {
      const auto* x = static_cast<const float*>(in.memory) + i;
      ForEach([=](size_t k) MICRORT_INLINE { block->v[k] = F::Load(x + k * kLanes); });
    }
  };
  struct LoadOne {
    MICRORT_INLINE static void Apply(const FusedInstruction& in, size_t, Block* block) {
      const F x = F::Broadcast(*static_cast<const float*>(in.memory));
      ForEach([=](size_t k) MICRORT_INLINE { block->v[k] = x; });
    }
  };
  struct LoadF16 {
    MICRORT_INLINE static void Apply(const FusedInstruction& in, size_t i, Block* block) {
      const auto* x = static_cast<const uint16_t*>(in.memory) + i;
      ForEach([=](size_t k) MICRORT_INLINE { block->v[k] = F::LoadHalf(x + k * kLanes); });
    }
  };
  template <typename T>
  struct Dequantize {
    MICRORT_INLINE static void Apply(const FusedInstruction& in, size_t i, Block* block) {
      const auto* x = static_cast<const T*>(in.memory) + i;
      const F scale = F::Broadcast(in.a);
      const I zero_point = I::Broadcast(static_cast<int32_t>(in.b));
      ForEach([=](size_t k)
                  MICRORT_INLINE { block->v[k] = ToFloat(I::Load(x + k * kLanes) - zero_point) * scale; });
    }
  };

  struct StoreF32 {
    MICRORT_INLINE static void Apply(const FusedInstruction& in, size_t i, Block* block) {
      auto* y = static_cast<float*>(in.memory) + i;
      ForEach([=](size_t k) MICRORT_INLINE { block->v[k].Store(y + k * kLanes); });
    }
  };
  struct StoreF16 {
    MICRORT_INLINE static void Apply(const FusedInstruction& in, size_t i, Block* block) {
      auto* y = static_cast<uint16_t*>(in.memory) + i;
      ForEach([=](size_t k) MICRORT_INLINE { block->v[k].StoreHalf(y + k * kLanes); });
    }
  };
  // As QuantizeVectors in kernels/elementwise/convert_f32_impl.h.
  template <typename T, int kLowest, int kHighest>
  struct Quantize {
    MICRORT_INLINE static void Apply(const FusedInstruction& in, size_t i, Block* block) {
      auto* y = static_cast<T*>(in.memory) + i;
      const F scale = F::Broadcast(in.a), low = F::Broadcast(static_cast<float>(kLowest) - in.b),
              high = F::Broadcast(static_cast<float>(kHighest) - in.b);
      const I zero_point = I::Broadcast(static_cast<int32_t>(in.b));
      ForEach([=](size_t k) MICRORT_INLINE {
        const F v = Min(Max(block->v[k] / scale, low), high);
        (RoundToIntInRange(v) + zero_point).Store(y + k * kLanes);
      });
    }
  };

  template <UnaryKind kind>
  struct Unary {
    MICRORT_INLINE static void Apply(const FusedInstruction& in, size_t, Block* block) {
      const F a = F::Broadcast(in.a), b = F::Broadcast(in.b);
      ForEach([=](size_t k) MICRORT_INLINE { block->v[k] = UnaryOf<kind>(block->v[k], a, b); });
    }
  };

  struct AtLeast {
    MICRORT_INLINE static void Apply(const FusedInstruction& in, size_t, Block* block) {
      const F low = F::Broadcast(in.a);
      ForEach([=](size_t k) MICRORT_INLINE { block->v[k] = Max(low, block->v[k]); });
    }
  };
  struct AtMost {
    MICRORT_INLINE static void Apply(const FusedInstruction& in, size_t, Block* block) {
      const F high = F::Broadcast(in.b);
      ForEach([=](size_t k) MICRORT_INLINE { block->v[k] = Min(high, block->v[k]); });
    }
  };

  struct MinusAbsOf {
    MICRORT_INLINE static void Apply(const FusedInstruction&, size_t, Block* block) {
      ForEach([=](size_t k) MICRORT_INLINE { block->v[k] = MinusAbs(block->v[k]); });
    }
  };

  template <BinaryKind kind, bool kIsOne, bool kReversed>
  struct Binary {
    MICRORT_INLINE static void Apply(const FusedInstruction& in, size_t i, Block* block) {
      const auto* x = static_cast<const float*>(in.memory);
      const F one = kIsOne ? F::Broadcast(*x) : F::Zero();
      ForEach([=](size_t k) MICRORT_INLINE {
        const F v = block->v[k], other = kIsOne ? one : F::Load(x + i + k * kLanes);
        block->v[k] = kReversed ? BinaryOf<kind>(other, v) : BinaryOf<kind>(v, other);
      });
    }
  };

  static FusedHandler HandlerOf(FusedOp op) { return reinterpret_cast<FusedHandler>(kHandlers[op]); }

 private:
  template <typename Function>
  MICRORT_INLINE static void ForEach(Function f) {
    ForEachOf(f, typename IndexesBelow<kVectors>::Type());
  }
  template <typename Function, size_t... k>
  MICRORT_INLINE static void ForEachOf(Function f, Indexes<k...>) {
    (f(k), ...);
  }

  template <size_t k, typename... Rest>
  MICRORT_INLINE static Register Get(Register first, Rest... rest) {
    if constexpr (k == 0) {
      return first;
    } else {
      return Get<k - 1>(rest...);
    }
  }
  template <size_t vector, size_t... part>
  MICRORT_INLINE static F VectorOf(Indexes<part...>, R... r) {
    return Traits::Join(Get<vector * kParts + part>(r...)...);
  }
  template <size_t... vector, typename Parts>
  MICRORT_INLINE static Block Join(Indexes<vector...>, Parts parts, R... r) {
    return {{VectorOf<vector>(parts, r...)...}};
  }
  template <size_t... r>
  MICRORT_INLINE static void Next(const FusedInstruction* in, size_t i, const Block& block, Indexes<r...>) {
    return reinterpret_cast<Handler>(in->handler)(in, i,
                                                  Traits::template Part<r % kParts>(block.v[r / kParts])...);
  }

  // kAdd and kSub by multipliers.
  template <BinaryKind kind, bool kIsOne, bool kReversed>
  struct ProductSum {
    MICRORT_INLINE static void Apply(const FusedInstruction& in, size_t i, Block* block) {
      const auto* x = static_cast<const float*>(in.memory);
      const F one = kIsOne ? F::Broadcast(*x) : F::Zero();
      const F factor = F::Broadcast(kind == BinaryKind::kAdd ? 1.0f : -1.0f);
      ForEach([=](size_t k) MICRORT_INLINE {
        const F v = block->v[k], other = kIsOne ? one : F::Load(x + i + k * kLanes);
        block->v[k] = kind == BinaryKind::kAdd || kReversed ? Fma(v, factor, other) : Fma(other, factor, v);
      });
    }
  };

  // An exchange of the variables of a sum or a product is another one of two NaNs at most.
  template <BinaryKind kind, bool kIsOne>
  using Reversed = Binary<kind, kIsOne, kind != BinaryKind::kAdd && kind != BinaryKind::kMul>;

  // By FusedOp.
#define MICRORT_UNARY_HANDLER(kind) &Handle<Unary<UnaryKind::kind>>,
#define MICRORT_BINARY_HANDLERS(kind)                                                              \
  &Handle<Binary<BinaryKind::kind, false, false>>, &Handle<Binary<BinaryKind::kind, true, false>>, \
      &Handle<Reversed<BinaryKind::kind, false>>, &Handle<Reversed<BinaryKind::kind, true>>,
  template <BinaryKind kind, bool kIsOne, bool kReversed>
  using Sum = std::conditional_t<Traits::kHasFma, ProductSum<kind, kIsOne, kReversed>,
                                 Binary<kind, kIsOne, kReversed>>;
  static constexpr Handler kHandlers[kFusedOps] = {&Handle<LoadF32>,
                                                   &Handle<LoadOne>,
                                                   &Handle<LoadF16>,
                                                   &Handle<Dequantize<int8_t>>,
                                                   &Handle<Dequantize<uint8_t>>,
                                                   &Handle<Dequantize<int32_t>>,
                                                   &Handle<StoreF32>,
                                                   &Handle<StoreF16>,
                                                   &Handle<Quantize<int8_t, INT8_MIN, INT8_MAX>>,
                                                   &Handle<Quantize<uint8_t, 0, UINT8_MAX>>,
                                                   &End,
                                                   &Handle<AtLeast>,
                                                   &Handle<AtMost>,
                                                   &Handle<MinusAbsOf>,
                                                   MICRORT_FUSED_UNARY(MICRORT_UNARY_HANDLER)
                                                           MICRORT_FUSED_BINARY(MICRORT_BINARY_HANDLERS) &
                                                       Handle<Sum<BinaryKind::kAdd, false, false>>,
                                                   &Handle<Sum<BinaryKind::kAdd, true, false>>,
                                                   &Handle<Sum<BinaryKind::kAdd, false, false>>,
                                                   &Handle<Sum<BinaryKind::kAdd, true, false>>,
                                                   &Handle<Sum<BinaryKind::kSub, false, false>>,
                                                   &Handle<Sum<BinaryKind::kSub, true, false>>,
                                                   &Handle<Sum<BinaryKind::kSub, false, true>>,
                                                   &Handle<Sum<BinaryKind::kSub, true, true>>};
#undef MICRORT_UNARY_HANDLER
#undef MICRORT_BINARY_HANDLERS
};

template <typename Traits, typename Sequence>
struct FusedHandlersFor;
template <typename Traits, size_t... k>
struct FusedHandlersFor<Traits, Indexes<k...>> {
  template <size_t>
  using Register = typename Traits::Register;
  using Type = FusedHandlers<Traits, Register<k>...>;
};

// FusedHandlers of blocks of n registers.
template <typename Traits, size_t n>
using FusedHandlersOf = typename FusedHandlersFor<Traits, typename IndexesBelow<n>::Type>::Type;

// Defines one variant over blocks of `count` registers.
#define MICRORT_DEFINE_FUSED_F32(name, Traits, count)                                                    \
  FusedHandler FusedHandler_##name(FusedOp op) { return FusedHandlersOf<Traits, count>::HandlerOf(op); } \
  void FusedF32_##name(const FusedInstruction* program, size_t n) {                                      \
    FusedHandlersOf<Traits, count>::Run(program, n);                                                     \
  }

}  // namespace micrort
