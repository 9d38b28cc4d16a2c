#pragma once
// Volumes, [N,S1,...,Sn,C] with n > 2, as batches of their planes [...,H,W,C], for which there are operators.

#include "converter/frontend/onnx/ops/image.h"

namespace micrort::frontend::onnx {

// [N,S1,...,H,W,C] → [N*S1*...,H,W,C]; images stay as they are.
ir::ValueId ToPlanes(NodeContext& c, ir::ValueId x);
// Planes back into a volume that has the dimensions of `like` before its planes.
ir::ValueId FromPlanes(NodeContext& c, ir::ValueId planes, ir::ValueId like);

// kUnsupported where there are too many taps before the plane to make operators for each of them; of a
// transposed convolution, strides, too.
Status CheckVolume(const Window& window, bool is_transposed);

// Counts through the taps of a window, last axis fastest. `taps` has one entry for each of the first axes of
// the window; false after the last.
bool NextTap(const Window& window, std::vector<int32_t>* taps);

// Weights [O,I,K1,...,KH,KW] → [O,I,KH,KW] at a tap of the axes before the plane.
ir::ValueId PlaneWeights(NodeContext& c, ir::ValueId weights, const std::vector<int32_t>& taps);

}  // namespace micrort::frontend::onnx
