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
  kHalfPixelSymmetric,
  kTfCropAndResize
};
enum class ResizeRounding { kRoundPreferFloor, kRoundPreferCeil, kFloor, kCeil };

struct ResizeMethod {
  ResizeMode mode;
  ResizeCoordinates coordinates;
  ResizeRounding rounding;  // of kNearest
  float cubic_a;            // of kCubic
  bool exclude_outside;     // elements outside weigh nothing, else they repeat the border
  bool antialias = false;   // kLinear and kCubic made smaller: the filter is as wide as the scale says
};

struct ResizeAxis {
  int64_t in;           // 1 .. 2^31 - 1
  int64_t out;          // 0 .. 2^31 - 1
  float scale;          // finite, > 0; about out / in
  float length = 0;     // of the output before its size was rounded down; 0: out
  float roi_begin = 0;  // of kTfCropAndResize, in fractions of the input
  float roi_end = 1;
};

// Elements of the input that one of the output is made of: 1, 2 or 4, or more with antialiasing; at most
// kMaxResizeTaps, or -1 if there would be more.
constexpr int64_t kMaxResizeTaps = int64_t{1} << 20;
int64_t ResizeTaps(const ResizeMethod& method, const ResizeAxis& axis);

// The first index of an output position that lies outside the input (kTfCropAndResize).
constexpr int32_t kOutside = -1;

// Fills indices[out][taps] with positions in [0, in) or, of kTfCropAndResize, kOutside; and
// weights[out][taps] unless the mode is kNearest.
void MakeResizeTable(const ResizeMethod& method, const ResizeAxis& axis, int32_t* indices, float* weights);

}  // namespace micrort
