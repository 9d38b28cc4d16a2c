#pragma once
// Pooling of regions of images, whose borders lie between pixels.

#include <cstdint>

#include "kernels/base/dtype.h"
#include "kernels/base/parallel.h"

namespace micrort {

struct RoiAlignParams {
  int64_t batch, height, width, channels;  // of x; height and width > 0
  int64_t rois;
  int64_t out_h, out_w;    // cells of a region, > 0
  int64_t sampling_ratio;  // samples along each side of a cell; 0: one a pixel that the cell covers
  float spatial_scale;     // pixels of x for one unit of a roi's coordinates
  bool half_pixel;         // coordinates are those of pixel borders, and regions may be smaller than a pixel
  bool max;                // the largest sample, else their mean
};

constexpr int64_t kMaxRoiSamples = int64_t{1} << 12;  // along one side of a cell

// With sampling_ratio 0, the first roi whose cells would have more than kMaxRoiSamples samples along a side,
// or whose coordinates are no numbers; `rois` if there is none.
int64_t FindBadRoi(const RoiAlignParams& params, const float* rois);

// Widens the indices of images, int32 or int64, into `out`, up to the first one outside of the batch, whose
// position is returned; `rois` if there is none.
int64_t ReadRoiImages(const RoiAlignParams& params, DType type, const void* images, int64_t* out);

// Samples of all rois, which are valid; at most 2^63.
uint64_t CountRoiSamples(const RoiAlignParams& params, const float* rois);

// out [rois, out_h, out_w, channels] from x [batch, height, width, channels], rois [rois, 4] as x1, y1, x2,
// y2, and images[i], the index of the image of roi i. Rois are valid. A sample is the bilinear interpolation
// of four pixels; the largest sample takes, as ONNX does, the largest of the four products instead.
void RoiAlign(const RoiAlignParams& params, const float* x, const float* rois, const int64_t* images,
              float* out, const Parallel& parallel);

}  // namespace micrort
