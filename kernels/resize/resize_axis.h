#pragma once
// Where the elements of a resized axis come from, as ONNX Resize defines it. Coordinates are computed in
// float.

#include <cstdint>

namespace micrort {

enum class ResizeMode { kNearest, kLinear, kCubic };
enum class ResizeCoordinates {
  kHalfPixel,
  kAsymmetric,
  kAlignCorners,
  kPytorchHalfPixel,
  kTfHalfPixelForNn,
  kHalfPixelSymmetric
};
enum class ResizeRounding { kRoundPreferFloor, kRoundPreferCeil, kFloor, kCeil };

struct ResizeMethod {
  ResizeMode mode;
  ResizeCoordinates coordinates;
  ResizeRounding rounding;  // of kNearest
  float cubic_a;            // of kCubic
  bool exclude_outside;     // kCubic: elements outside weigh nothing, else they repeat the border
};

struct ResizeAxis {
  int64_t in;   // 1 .. 2^31 - 1
  int64_t out;  // 0 .. 2^31 - 1
  float scale;  // finite, > 0; about out / in
};

// Elements of the input that one of the output is made of: 1, 2 or 4.
constexpr int ResizeTaps(ResizeMode mode) {
  return mode == ResizeMode::kNearest ? 1 : mode == ResizeMode::kLinear ? 2 : 4;
}

// Fills indices[out][taps] with positions in [0, in), and weights[out][taps] unless the mode is kNearest.
void MakeResizeTable(const ResizeMethod& method, const ResizeAxis& axis, int32_t* indices, float* weights);

}  // namespace micrort
