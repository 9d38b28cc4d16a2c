#pragma once
// A depthwise convolution with stride 1 that writes its output over its input, from the first row down. Rows
// that are still to be read lie in a window, small beside the image: each stripe of output rows reads from
// there, and what the next stripe reads again moves to the window's front. Each worker does so for a part of
// the image; rows of its neighbours that it reads are kept aside before any of them writes.

#include "kernels/conv_call/conv_call.h"

namespace micrort {

class ConvInPlace {
 public:
  // Whether a layer's output may lie where its input does: one image of the same rows, not empty, and every
  // output row reads the input row of the same index.
  static bool IsSupported(const Conv2DParams& p, const Conv2DAlgorithm& algorithm);

  // The plan of a supported layer. The windows of all workers have about an eighth of the image, but each at
  // least what (kernel_h - 1) * dilation_h rows of the output read.
  static InPlacePlan Plan(const ConvCall& call, int workers);

  // A call with such a plan.
  explicit ConvInPlace(const ConvCall& call);

  // The scratch of all windows, kept rows and stripes; does not overflow for images below 2^40 elements.
  uint64_t scratch_bytes() const { return static_cast<uint64_t>(parts_) * call_.in_place.part_bytes; }
  // The bits of a run with memory of its own. tensors.y is tensors.x; there is no residual.
  void Run(const ConvTensors& tensors, const Parallel& parallel) const;

 private:
  // Where in the scratch of a part, behind its window, the rows that it reads of the next parts lie, and
  // behind them that of the layer.
  int64_t BelowOffset() const;
  int64_t LayerOffset() const;
  uint64_t LayerBytes() const;

  int64_t PartBegin(int64_t part) const { return p_.out_h * part / parts_; }
  void KeepNeighbours(int64_t part, const void* x, uint8_t* memory) const;
  void RunPart(int64_t part, const ConvTensors& tensors, uint8_t* memory) const;

  const ConvCall& call_;
  const Conv2DParams& p_;
  const ConvTarget target_;  // of one worker
  const int64_t row_bytes_;
  const int64_t parts_, stripe_;  // of the image; output rows of a stripe
};

}  // namespace micrort
