#pragma once
// The algorithm of another library for a layer (kernels/conv_call/external_library.h), beside our own.

#include "kernels/mat_mul/conv_layer.h"
#include "runtime/ops/op.h"

namespace micrort {

// null where the target does not allow one, or the library has none for such a layer.
#if defined(MICRORT_XNNPACK)
const Conv2DAlgorithm* ExternalCandidate(const PrepareContext& context, int64_t matrices,
                                         const ConvLayer& layer);
// Whether the library has none only because of the node that the layer is in: what is measured of layers with
// the same parameters does not hold for it.
bool MissesExternal(const PrepareContext& context, int64_t matrices, const ConvLayer& layer);
// Tells the interpreter of a layer, in the operator's state, whose algorithm is the library's.
void StateExternal(const ConvLayer& layer, PrepareContext* context);
// The tensors of such a layer's node, as ExternalLibrary::create() takes them.
ConvTensors ExternalTensors(Span<Tensor* const> inputs, Span<Tensor* const> outputs);
#else
inline const Conv2DAlgorithm* ExternalCandidate(const PrepareContext&, int64_t, const ConvLayer&) {
  return nullptr;
}
inline bool MissesExternal(const PrepareContext&, int64_t, const ConvLayer&) { return false; }
inline void StateExternal(const ConvLayer&, PrepareContext*) {}
#endif

}  // namespace micrort
