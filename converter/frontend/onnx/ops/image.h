#pragma once
// What the operators on images share: how ONNX gives their windows. Operators on sequences [N,C,L] are those
// on images [N,C,1,L]; those on volumes are made of those on images.

#include "converter/frontend/common/window.h"
#include "converter/frontend/onnx/node_context.h"

namespace micrort::frontend::onnx {

// kInvalidModel unless the value has dimensions behind the batch and the channels.
Status CheckImageRank(const ir::Value& x);

// Reads strides, dilations, pads and kernel_shape (which `kernel`, if it is not empty, must equal) for an
// operator on x, whose rank is checked. kInvalidModel on nonsense.
Status ReadWindow(NodeContext& c, const std::vector<int64_t>& kernel, Window* out);

// Reads auto_pad and, where it says so, computes the pads for which output = ceil(input / stride). Where
// these depend on a size that only a run knows, input 0 is replaced by itself padded with `fill`.
Status ApplyAutoPad(NodeContext& c, float fill, Window* window);

// Volumes, [N,S1,...,Sn,C] with n > 2, as batches of their planes [...,H,W,C], for which there are operators.

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

// The sizes of ONNX weights [O, C/groups, K...] of a convolution or [C, O/groups, K...] of a transposed one.
struct ConvWeights {
  int64_t first = 0;
  int64_t second = 0;
  std::vector<int64_t> kernel;
};

// kInvalidModel unless input 1 has the rank of input 0, which is checked; kUnsupported if its shape is not
// fixed.
Result<ConvWeights> ReadWeights(const NodeContext& c);

// Groups must divide both channel counts.
Status ReadGroups(NodeContext& c, int64_t outputs, int64_t in_channels, int32_t* groups);

// [O,I,K] → [O,I,1,K]; others stay.
ir::ValueId LiftKernel(NodeContext& c, ir::ValueId w);

}  // namespace micrort::frontend::onnx
