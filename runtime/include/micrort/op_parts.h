#pragma once
// A detail of OpResolver: an operator refers to these functions for its types, so that their code is linked.

#include "micrort/op_types.h"

namespace micrort {

// Functions without effect, in an object file each.
namespace parts {
void LayersFloat16();
void LayersInt8();
void LayersInt8Tflite();
void LayersInt8Float32();
void LayersNarrowFloat32();
void LayersInt4Float32();
void LayersInt4Int8();
void LayersInt16();
void ProductsFloat32();
void ProductsInt8();
void ProductsOther();
void ConvolutionsFloat32();
void ConvolutionsFloat16();
void ConvolutionsInt8();
void DepthwiseFloat32();
void DepthwiseFloat16();
void DepthwiseInt8();
void DepthwiseInPlace();
void TransposedFloat32();
void TransposedInt8();
void PoolFloat32();
void PoolFloat16();
void PoolInt8();
void PoolOther();
void PoolInt16();
void SoftmaxFloat32();
void SoftmaxNarrow();
void SoftmaxInt8Tflite();
void SoftmaxInt16();
void BinaryFloat32();
void BinaryInt8();
void BinaryInt8Tflite();
void BinaryInt16();
void BinaryOther();
void UnaryFloat32();
void UnaryInt16();
void UnaryOther();
void Caches();
}  // namespace parts

// Inlined in every build, so that a compiler that optimizes sees which types are asked for.
#define MICRORT_INLINE [[gnu::always_inline]] static inline
#define MICRORT_PART_OF(of, part) \
  if ((types & (of)) != 0) parts::part()

// For an operator that has no code of its own for any type.
template <const OpRegistration& (*kOperator)()>
struct PartsOf {
  MICRORT_INLINE void Link(OpTypes) {}
};

struct ProductParts {
  static constexpr OpTypes kAnyInt8 = kInt8 | kInt8Tflite | kPlainInt8Float32;
  MICRORT_INLINE bool HasInt4(OpTypes types, OpTypes of) {
    return (types & kInt4Weights) != 0 && (types & of) != 0;
  }
  MICRORT_INLINE void Link(OpTypes types) {
    MICRORT_PART_OF(kPlainFloat32, ProductsFloat32);
    MICRORT_PART_OF(kNarrowWeights, LayersNarrowFloat32);
    if (HasInt4(types, kPlainFloat32)) parts::LayersInt4Float32();
    if (HasInt4(types, kPlainInt8Float32)) parts::LayersInt4Int8();
    MICRORT_PART_OF(kFloat16, LayersFloat16);
    MICRORT_PART_OF(kAnyInt8, ProductsInt8);
    MICRORT_PART_OF(kInt8, LayersInt8);
    MICRORT_PART_OF(kInt8Tflite, LayersInt8Tflite);
    MICRORT_PART_OF(kPlainInt8Float32, LayersInt8Float32);
    MICRORT_PART_OF(kInt16, LayersInt16);
  }
};

template <>
struct PartsOf<ops::MatMul> : ProductParts {
  MICRORT_INLINE void Link(OpTypes types) {
    ProductParts::Link(types);
    MICRORT_PART_OF(kOtherTypes, ProductsOther);
  }
};
template <>
struct PartsOf<ops::Conv2D> : ProductParts {
  MICRORT_INLINE void Link(OpTypes types) {
    ProductParts::Link(types);
    MICRORT_PART_OF(kPlainFloat32, ConvolutionsFloat32);
    MICRORT_PART_OF(kFloat16, ConvolutionsFloat16);
    MICRORT_PART_OF(kAnyInt8, ConvolutionsInt8);
  }
};
// With several filters a channel it is computed as other convolutions are.
template <>
struct PartsOf<ops::DepthwiseConv2D> : ProductParts {
  MICRORT_INLINE void Link(OpTypes types) {
    ProductParts::Link(types);
    MICRORT_PART_OF(kPlainFloat32, DepthwiseFloat32);
    MICRORT_PART_OF(kFloat16, DepthwiseFloat16);
    MICRORT_PART_OF(kAnyInt8, DepthwiseInt8);
    MICRORT_PART_OF(kAllTypes, DepthwiseInPlace);
  }
};
template <>
struct PartsOf<ops::ConvTranspose2D> : ProductParts {
  MICRORT_INLINE void Link(OpTypes types) {
    ProductParts::Link(types);
    MICRORT_PART_OF(kPlainFloat32, TransposedFloat32);
    MICRORT_PART_OF(kAnyInt8, TransposedInt8);
  }
};
template <>
struct PartsOf<ops::Pool2D> {
  MICRORT_INLINE void Link(OpTypes types) {
    MICRORT_PART_OF(kPlainFloat32, PoolFloat32);
    MICRORT_PART_OF(kFloat16, PoolFloat16);
    MICRORT_PART_OF(kInt8 | kInt8Tflite, PoolInt8);
    MICRORT_PART_OF(kOtherTypes, PoolOther);
    MICRORT_PART_OF(kInt16, PoolInt16);
  }
};
template <>
struct PartsOf<ops::Softmax> {
  MICRORT_INLINE void Link(OpTypes types) {
    MICRORT_PART_OF(kPlainFloat32, SoftmaxFloat32);
    MICRORT_PART_OF(kInt8 | kFloat16, SoftmaxNarrow);
    MICRORT_PART_OF(kInt8Tflite, SoftmaxInt8Tflite);
    MICRORT_PART_OF(kInt16, SoftmaxInt16);
  }
};
template <>
struct PartsOf<ops::Binary> {
  MICRORT_INLINE void Link(OpTypes types) {
    MICRORT_PART_OF(kPlainFloat32 | kPlainInt8Float32 | kOtherTypes, BinaryFloat32);
    MICRORT_PART_OF(kInt8, BinaryInt8);
    MICRORT_PART_OF(kInt8Tflite, BinaryInt8Tflite);
    MICRORT_PART_OF(kInt16, BinaryInt16);
    MICRORT_PART_OF(kOtherTypes, BinaryOther);
  }
};
template <>
struct PartsOf<ops::Unary> {
  MICRORT_INLINE void Link(OpTypes types) {
    MICRORT_PART_OF(kPlainFloat32, UnaryFloat32);
    MICRORT_PART_OF(kInt16, UnaryInt16);
    MICRORT_PART_OF(kOtherTypes, UnaryOther);
  }
};
// Without appending there are no caches.
template <>
struct PartsOf<ops::Append> {
  MICRORT_INLINE void Link(OpTypes) { parts::Caches(); }
};

#undef MICRORT_INLINE
#undef MICRORT_PART_OF

}  // namespace micrort
