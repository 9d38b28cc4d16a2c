// Transposed convolutions of sequences, images and volumes.

#include "converter/frontend/onnx/ops/image.h"
#include "converter/frontend/onnx/ops/in_float32.h"
#include "converter/frontend/onnx/ops/reshape.h"
#include "converter/frontend/onnx/registry.h"

namespace micrort::frontend::onnx {

namespace {

struct ConvTranspose {
  Window window;
  std::vector<int32_t> output_pad;  // one an axis of the window
  int32_t groups = 1;
  // The size that an axis of open size is cut to. How much is cut off is computed on the device.
  std::vector<int32_t> wanted;  // 0: not cut
  bool upper = false;           // the odd position goes at the end
};

Status ReadOutputPadding(NodeContext& c, ConvTranspose* out) {
  out->output_pad.assign(out->window.spatial(), 0);
  const std::vector<int64_t> list = c.Ints("output_padding");
  const auto spatial = static_cast<size_t>(c.x().rank() - 2);
  if (list.empty()) return Status();
  if (list.size() != spatial)
    return Invalid("output_padding: expected {} entries, found {}", spatial, list.size());
  for (size_t i = 0; i < spatial; ++i) {
    int32_t* to = &out->output_pad[out->output_pad.size() - spatial + i];
    MICRORT_ASSIGN_OR_RETURN(*to, ToInt32(list[i], "output_padding"));
    if (*to < 0) return Invalid("output_padding is negative");
  }
  return Status();
}

// Pads an axis so that the result has `excess` positions fewer than without padding; where that is negative,
// positions that nothing reaches follow at the end.
Status Crop(int64_t excess, bool upper, WindowAxis* axis, int32_t* output_pad) {
  const int64_t total = std::max<int64_t>(excess, 0);
  const int64_t half = upper ? total / 2 : total - total / 2;
  MICRORT_RETURN_IF_ERROR(SetPads(half, total - half, axis));
  return Take(ToInt32(*output_pad + total - excess, "output_shape"), output_pad);
}

// output_shape (or auto_pad, which means input * stride) is reached by padding; see ONNX's ConvTranspose.
Status PadToOutputShape(NodeContext& c, ConvTranspose* out) {
  const std::string mode = c.String("auto_pad", "NOTSET");
  const std::vector<int64_t> wanted = c.Ints("output_shape");
  const auto spatial = static_cast<size_t>(c.x().rank() - 2);
  const bool same = mode == "SAME_UPPER" || mode == "SAME_LOWER";
  if (!same && mode != "VALID" && mode != "NOTSET" && !mode.empty()) return Invalid("auto_pad '{}'", mode);
  if (!wanted.empty() && wanted.size() != spatial)
    return Invalid("output_shape: expected {} entries, found {}", spatial, wanted.size());
  out->wanted.assign(out->window.spatial(), 0);
  for (size_t i = 0; i < spatial; ++i) {
    const size_t a = out->window.spatial() - spatial + i;
    WindowAxis& axis = out->window.axes[a];
    const int64_t in = c.x().shape[2 + i];
    if (wanted.empty() && !same) {
      if (mode == "VALID") axis.pad_begin = axis.pad_end = 0;
      continue;
    }
    if (!wanted.empty() && in == ir::kDynamic) {
      MICRORT_ASSIGN_OR_RETURN(out->wanted[a], ToInt32(wanted[i], "output_shape"));
      out->upper = mode == "SAME_UPPER";
      axis.pad_begin = axis.pad_end = 0;
      continue;
    }
    MICRORT_RETURN_IF_ERROR(ToInt32(in, "dimension").status());
    if (!wanted.empty()) MICRORT_RETURN_IF_ERROR(ToInt32(wanted[i], "output_shape").status());
    const int64_t over = axis.span() - axis.stride + out->output_pad[a];  // over input * stride
    const int64_t excess = wanted.empty() ? over : over + in * axis.stride - wanted[i];
    MICRORT_RETURN_IF_ERROR(Crop(excess, mode == "SAME_UPPER", &axis, &out->output_pad[a]));
  }
  return Status();
}

// [C, O/g, KH, KW] → [O, KH, KW, C/g]
ir::ValueId TransposedWeights(NodeContext& c, ir::ValueId w, int32_t groups) {
  if (groups == 1) return c.build.Transpose(w, {1, 2, 3, 0});
  const ir::ValueId grouped = c.build.Reshape(w, {groups, kInferDim, CopyDim(1), CopyDim(2), CopyDim(3)});
  const ir::ValueId moved = c.build.Transpose(grouped, {0, 2, 3, 4, 1});
  return ReshapeTo(c, moved, {{moved, 0, 2}, OneDim(moved, 2), OneDim(moved, 3), OneDim(moved, 4)});
}

// x [B,H,W,C] with weights [C,O/g,KH,KW].
ir::ValueId TransposePlanes(NodeContext& c, const ConvTranspose& conv, ir::ValueId x, ir::ValueId w,
                            ir::ValueId bias) {
  schema::ConvTranspose2DOptionsT options;
  conv.window.CopyTo(&options);
  options.groups = conv.groups;
  options.output_pad_h = conv.output_pad[conv.output_pad.size() - 2];
  options.output_pad_w = conv.output_pad.back();
  return c.build.Add(std::move(options), ir::Present({x, TransposedWeights(c, w, conv.groups), bias}));
}

ir::ValueId ZerosLike(NodeContext& c, ir::ValueId x) {
  return c.build.Expand({c.build.Scalar(0), c.build.ShapeOf(x)});
}

// The outputs at positions congruent to `phase` modulo the stride, before padding: a sum of taps, each moved
// by whole strides.
ir::ValueId Phase(NodeContext& c, const WindowAxis& axis, int dim, int32_t phase,
                  const std::vector<ir::ValueId>& taps) {
  const int64_t longest = (axis.span() - 1) / axis.stride;
  ir::ValueId sum = ir::kNoValue;
  for (size_t k = 0; k < taps.size(); ++k) {
    const int64_t offset = static_cast<int64_t>(k) * axis.dilation;
    if (offset % axis.stride != phase) continue;
    const int64_t shift = offset / axis.stride;
    const ir::ValueId part = c.build.PadDim(taps[k], dim, shift, longest - shift);
    sum = sum == ir::kNoValue ? part : c.build.Add(sum, part);
  }
  return sum != ir::kNoValue ? sum : ZerosLike(c, c.build.PadDim(taps[0], dim, 0, longest));
}

// Combines what each tap of one axis makes of every input position into the outputs along that axis.
ir::ValueId CombineTaps(NodeContext& c, const WindowAxis& axis, int32_t output_pad, int dim,
                        const std::vector<ir::ValueId>& taps) {
  std::vector<ir::ValueId> phases;
  for (int32_t phase = 0; phase < axis.stride && c.build.status().ok(); ++phase)
    phases.push_back(Phase(c, axis, dim, phase, taps));
  ir::ValueId y = phases[0];
  if (axis.stride > 1) {
    for (ir::ValueId& phase : phases) phase = c.build.InsertDim(phase, dim + 1);
    const ir::ValueId all = c.build.Concat(phases, dim + 1);
    std::vector<DimRange> dims;
    for (int i = 0; i < c.value(all).rank(); ++i) {
      if (i == dim) dims.push_back({all, i, i + 2});
      if (i != dim && i != dim + 1) dims.push_back(OneDim(all, i));
    }
    y = ReshapeTo(c, all, dims);
  }
  const int64_t tail = (axis.span() - 1) % axis.stride + 1 - axis.stride;
  return c.build.PadDim(y, dim, -int64_t{axis.pad_begin}, tail + output_pad - axis.pad_end);
}

// All axes from `taps.size()` on, at the given taps of the axes before. `bias`: of images only.
ir::ValueId TransposeAxes(NodeContext& c, const ConvTranspose& conv, ir::ValueId x, ir::ValueId weights,
                          std::vector<int32_t> taps, ir::ValueId bias) {
  const size_t axis = taps.size();
  if (axis + 2 == conv.window.spatial()) {
    const ir::ValueId w = PlaneWeights(c, weights, taps);
    return FromPlanes(c, TransposePlanes(c, conv, ToPlanes(c, x), w, bias), x);
  }
  std::vector<ir::ValueId> parts;
  taps.push_back(0);
  for (; taps.back() < conv.window.axes[axis].kernel && c.build.status().ok(); ++taps.back())
    parts.push_back(TransposeAxes(c, conv, x, weights, taps, bias));
  if (!c.build.status().ok()) return x;
  return CombineTaps(c, conv.window.axes[axis], conv.output_pad[axis], static_cast<int>(1 + axis), parts);
}

// Crops y [N,...,C] along axes of open size, or pads it where nothing reaches as far.
ir::ValueId CutOpenAxes(NodeContext& c, const ConvTranspose& conv, ir::ValueId y) {
  const int rank = c.value(y).rank();  // of a sequence that of an image, too
  std::vector<ir::ValueId> begins, ends;
  const ir::ValueId zero = c.build.Integers({0}), shape = c.build.ShapeOf(y);
  for (int dim = 0; dim < rank; ++dim) {
    const size_t axis = conv.wanted.size() + static_cast<size_t>(dim + 1 - rank);
    const bool is_spatial = dim > 0 && dim + 1 < rank;
    if (!is_spatial || conv.wanted[axis] == 0) {
      begins.push_back(zero);
      ends.push_back(zero);
      continue;
    }
    const ir::ValueId excess =
        c.build.Sub(c.build.Slice(shape, 0, dim, dim + 1), c.build.Integers({conv.wanted[axis]}));
    const ir::ValueId total = c.build.Max(excess, zero);
    ir::ValueId half = c.build.Div(total, c.build.Integers({2}));
    if (!conv.upper) half = c.build.Sub(total, half);
    begins.push_back(c.build.Sub(zero, half));
    ends.push_back(c.build.Sub(half, excess));
  }
  begins.insert(begins.end(), ends.begin(), ends.end());
  return c.build.Add(schema::PadOptionsT(), {y, c.build.Concat(begins, 0)});
}

Status ImportConvTranspose(NodeContext& c) {
  MICRORT_ASSIGN_OR_RETURN(ConvWeights weights, ReadWeights(c));
  ConvTranspose conv;
  MICRORT_RETURN_IF_ERROR(ReadGroups(c, 0, weights.first, &conv.groups));
  MICRORT_RETURN_IF_ERROR(ReadWindow(c, weights.kernel, &conv.window));
  MICRORT_RETURN_IF_ERROR(CheckVolume(conv.window, true));
  MICRORT_RETURN_IF_ERROR(ReadOutputPadding(c, &conv));
  MICRORT_RETURN_IF_ERROR(PadToOutputShape(c, &conv));
  const int rank = c.x().rank();
  const ir::ValueId bias = c.has_input(2) ? c.input(2) : ir::kNoValue;
  const ir::ValueId x = ToNhwc(c.build, c.input(0), rank);
  const ir::ValueId w = LiftKernel(c, c.input(1));
  // In a volume, some outputs are reached by several taps and others by none, and so are outputs beyond what
  // is cut: the bias comes last.
  const bool cuts =
      std::any_of(conv.wanted.begin(), conv.wanted.end(), [](int32_t size) { return size != 0; });
  const bool bias_last = rank > 4 || cuts;
  ir::ValueId y = TransposeAxes(c, conv, x, w, {}, bias_last ? ir::kNoValue : bias);
  if (cuts) y = CutOpenAxes(c, conv, y);
  if (bias_last && bias != ir::kNoValue) y = c.build.Add(y, bias);
  return c.Return(FromNhwc(c.build, y, rank));
}

}  // namespace

const ImporterList ConvTransposeImporters = {
    {"ConvTranspose", 2, 3, InFloat32<ImportConvTranspose>, Types(kFloats)},
};

}  // namespace micrort::frontend::onnx
