#pragma once
// TFLite's padding of windows, and what windows are slid over: volumes, and tensors with space between
// elements.

#include "converter/frontend/common/onnx_operator.h"
#include "converter/frontend/common/window.h"
#include "converter/frontend/tflite/op_context.h"

namespace micrort::frontend::tflite {

// Fills in the padding over a dimension of this size; kUnsupported where that depends on a size that is not
// fixed.
Status SettlePadding(fb::Padding padding, int64_t size, WindowAxis* axis);

// The same for the height and width of x [N,H,W,C].
Status SettlePadding(fb::Padding padding, const ir::Value& x, Window* window);
// The same for input 0, x. Where padding depends on a size that is not fixed, the model computes it: x gets
// the padding, filled with `fill`, and the window has none. x is quantized then as the input is.
Status SettlePadding(OpContext& c, fb::Padding padding, float fill, ir::ValueId* x, Window* window);

// Calls CutToSize() for a transposed window, after a check of the padding.
Status SettleTransposedPadding(fb::Padding padding, int64_t size, int64_t wanted, WindowAxis* axis,
                               int32_t* output_pad);

// x by weights [KD,KH,KW,C/groups,O], plus bias [O], which may be kNoValue. The window has three axes;
// `others`: what ONNX states besides it. The depth of x is fixed.
Status ConvolveVolume(OpContext& c, ir::ValueId x, ir::ValueId weights, ir::ValueId bias,
                      const Window& window, std::vector<OnnxAttribute> others, ir::ValueId* y);

// x with dilations - 1 times the scalar `fill` between neighbours, dimension by dimension.
Result<ir::ValueId> Dilated(OpContext& c, ir::ValueId x, const std::vector<int64_t>& dilations,
                            ir::ValueId fill);

}  // namespace micrort::frontend::tflite
