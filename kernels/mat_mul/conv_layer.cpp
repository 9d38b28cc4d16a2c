#include "kernels/mat_mul/conv_layer.h"

namespace micrort {

void PackConvLayer(const ConvLayer& layer, const ConvWeights& weights, int64_t i, void* packed) {
  auto* out = static_cast<uint8_t*>(packed) + static_cast<size_t>(i) * layer.packed_bytes;
  layer.algorithm->pack(layer.params, layer.target, weights, out);
}

void RunConvLayer(const ConvLayer& layer, const ConvWeights& weights, int64_t i, ConvTensors tensors,
                  const Parallel& parallel) {
  if (layer.constant_weights) {
    tensors.packed =
        static_cast<const uint8_t*>(tensors.packed) + static_cast<size_t>(i) * layer.packed_bytes;
  } else {
    PackConvLayer(layer, weights, 0, tensors.scratch);
    tensors.packed = tensors.scratch;
    tensors.scratch = static_cast<uint8_t*>(tensors.scratch) + layer.packed_bytes;
  }
  layer.algorithm->run(layer.params, layer.target, layer.plan, tensors, parallel);
}

}  // namespace micrort
