// Transforms between signals and spectra.

#include "converter/frontend/onnx/ops/in_float32.h"
#include "converter/frontend/onnx/ops/reshape.h"
#include "converter/frontend/onnx/registry.h"

namespace micrort::frontend::onnx {

namespace {

// The axis is an attribute in opset 17 and an input later.
Status ImportDft(NodeContext& c) {
  schema::FourierOptionsT options;
  options.inverse = c.Int("inverse", 0) != 0;
  options.one_sided = c.Int("onesided", 0) != 0;
  MICRORT_ASSIGN_OR_RETURN(options.axis, ToInt32(c.opset() < 20 ? c.Int("axis", 1) : -2, "axis"));
  return c.Return(
      c.build.Add(std::move(options), {c.input(0), ir::kNoValue, c.input(1), ir::kNoValue, c.input(2)}));
}

// Inputs: signal [N,L] or [N,L,1 or 2], frame step, window, frame length.
Status ImportStft(NodeContext& c) {
  const int rank = c.x().rank();
  if (rank != 2 && rank != 3) return Invalid("signal of {} dimensions: expected [N,L,1 or 2]", rank);
  if (!c.has_input(2) && !c.has_input(3)) return Invalid("there is neither a window nor a frame length");
  const ir::ValueId x = rank == 3 ? c.input(0) : c.build.Reshape(c.input(0), {CopyDim(0), CopyDim(1), 1});
  const ir::ValueId length = c.has_input(3) ? c.input(3) : c.build.ShapeOf(c.input(2));
  schema::FourierOptionsT options;
  options.axis = 1;
  options.one_sided = c.Int("onesided", 1) != 0;
  return c.Return(c.build.Add(std::move(options), {x, c.input(2), length, c.input(1)}));
}

}  // namespace

const ImporterList FourierImporters = {
    {"DFT", 1, 3, InFloat32<ImportDft>, Types(kFloats).Since(17)},
    {"STFT", 2, 4, InFloat32<ImportStft>, Types(kFloats).Since(17)},
};

}  // namespace micrort::frontend::onnx
