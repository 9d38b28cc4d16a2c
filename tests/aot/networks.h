#pragma once
// Networks of everyday architectures with seeded weights, so that tests need no model data.

#include "tests/converter/onnx_builder.h"

namespace micrort::test::aot {

// float[1,3,96,96] -> float[1,100]; half as wide as the papers' networks.
testing::OnnxBuilder MobilenetV1();
testing::OnnxBuilder MobilenetV2();

// Two layers of an encoder, normalized before attention of four heads and a perceptron with GELU:
// float[1,16,64] -> float[1,16,64].
testing::OnnxBuilder Transformer();

// Rows of two tables by tokens, a layer, and scores by the first table: float[1,16] -> float[1,16,40].
testing::OnnxBuilder TiedEmbedding();

// A depthwise separable network as those that spot keywords: float[1,1,49,10] (cepstra of frames) ->
// float[1,12].
testing::OnnxBuilder Keywords();

// Takes noise from speech: what layers over 16 frames of 64 bands tell is a mask of the bands, one of them
// with a shortcut; float[1,1,16,64] -> float[1,1,16,64].
testing::OnnxBuilder Denoiser();

}  // namespace micrort::test::aot
