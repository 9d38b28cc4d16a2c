// Layers: windows, products, recurrences. Their weights say what the dimensions of their inputs have to be.

#include <cmath>

#include "converter/ir/size/size_function.h"

namespace micrort::ir::size {

namespace {

// Along height (0) or width (1).
struct Window {
  int64_t stride, dilation, pads;
};

template <typename OptionsT>
Window WindowOf(const OptionsT& o, int axis) {
  if (axis == 0) return {o.stride_h, o.dilation_h, int64_t{o.pad_top} + o.pad_bottom};
  return {o.stride_w, o.dilation_w, int64_t{o.pad_left} + o.pad_right};
}

Expr WindowsIn(const Expr& in, const Expr& kernel, const Window& w) {
  return FloorDiv(in + w.pads - Expr(w.dilation) * (kernel - 1) - 1, w.stride) + 1;
}

constexpr int kX = 0, kWeights = 1;

// The sizes of an image: windows have to fit.
void SetImage(SizeCall& call, std::vector<Expr> shape) {
  call.NeedAtMost(1, shape[1]);
  call.NeedAtMost(1, shape[2]);
  call.out().SetShape(std::move(shape));
}

bool AreImages(const SizeCall& call, int weights_rank) {
  return call.has(kX) && call.rank(kX) == 4 && call.has(kWeights) && call.rank(kWeights) == weights_rank;
}

}  // namespace

Status SizesOfConv2D(SizeCall& call) {
  const auto o = call.options<schema::Conv2DOptionsT>();
  if (!AreImages(call, 4)) return Status();
  const Expr channels = call.dim(kWeights, 3) * Expr(call.elements_in_byte(kWeights)) * Expr(o.groups);
  MICRORT_RETURN_IF_ERROR(call.RequireEqual(call.dim(kX, 3), channels, "channels of input and weights"));
  SetImage(call, {call.dim(kX, 0), WindowsIn(call.dim(kX, 1), call.dim(kWeights, 1), WindowOf(o, 0)),
                  WindowsIn(call.dim(kX, 2), call.dim(kWeights, 2), WindowOf(o, 1)), call.dim(kWeights, 0)});
  return Status();
}

Status SizesOfDepthwise(SizeCall& call) {
  const auto o = call.options<schema::DepthwiseConv2DOptionsT>();
  if (!AreImages(call, 3)) return Status();
  SetImage(call, {call.dim(kX, 0), WindowsIn(call.dim(kX, 1), call.dim(kWeights, 0), WindowOf(o, 0)),
                  WindowsIn(call.dim(kX, 2), call.dim(kWeights, 1), WindowOf(o, 1)), call.dim(kWeights, 2)});
  return Status();
}

Status SizesOfConvTranspose(SizeCall& call) {
  const auto o = call.options<schema::ConvTranspose2DOptionsT>();
  if (!AreImages(call, 4)) return Status();
  MICRORT_RETURN_IF_ERROR(call.RequireEqual(call.dim(kX, 3), call.dim(kWeights, 3) * Expr(o.groups),
                                            "channels of input and weights"));
  const auto size = [&](int axis, int64_t output_pad) {
    const Window w = WindowOf(o, axis);
    return (call.dim(kX, 1 + axis) - 1) * Expr(w.stride) - w.pads +
           Expr(w.dilation) * (call.dim(kWeights, 1 + axis) - 1) + 1 + output_pad;
  };
  SetImage(call, {call.dim(kX, 0), size(0, o.output_pad_h), size(1, o.output_pad_w), call.dim(kWeights, 0)});
  return Status();
}

Status SizesOfPool(SizeCall& call) {
  const auto o = call.options<schema::Pool2DOptionsT>();
  if (!call.has(kX) || call.rank(kX) != 4) return Status();
  std::vector<Expr> shape = call.in(kX).shape;
  for (int axis = 0; axis < 2; ++axis) {
    const Window w = WindowOf(o, axis);
    const Expr in = shape[static_cast<size_t>(1 + axis)];
    const int64_t kernel = axis == 0 ? o.kernel_h : o.kernel_w, before = axis == 0 ? o.pad_top : o.pad_left;
    Expr windows = WindowsIn(in, kernel, w);
    if (o.ceil_mode) {
      const Expr all = CeilDiv(in + w.pads - Expr(w.dilation) * Expr(kernel - 1) - 1, w.stride) + 1;
      // The last one has to begin inside of the input or the padding before it.
      windows = all - IsNonNegative((all - 1) * Expr(w.stride) - in - before);
    }
    shape[static_cast<size_t>(1 + axis)] = windows;
  }
  SetImage(call, std::move(shape));
  return Status();
}

Status SizesOfResize(SizeCall& call) {
  if (!call.has(0)) return Status();
  const auto o = call.options<schema::ResizeOptionsT>();
  const SizedTensor& x = call.in(0);
  const size_t rank = x.shape.size();
  std::vector<Expr> shape(rank, Expr::Unknown());
  const Numbers* sizes = call.values(3);
  const Numbers* scales = call.values(2);
  const bool crops = o.coordinates == schema::CoordinateMode::TfCropAndResize;
  for (size_t d = 0; d < rank; ++d) {
    if (o.sizes.size() == rank) {
      shape[d] = o.sizes[d];
    } else if (call.has(3)) {
      if (sizes != nullptr && sizes->size() == rank) shape[d] = (*sizes)[d].integer();
    } else if (!crops) {
      Number scale;
      if (call.has(2) && scales != nullptr && scales->size() == rank) scale = (*scales)[d];
      if (!call.has(2) && o.scales.size() == rank) {
        const Bytes bytes(reinterpret_cast<const uint8_t*>(&o.scales[d]),
                          reinterpret_cast<const uint8_t*>(&o.scales[d]) + sizeof(float));
        scale = (*NumbersOf(DType::kFloat32, bytes, 1))[0];
      }
      if (!scale.is_unknown()) shape[d] = FloorDiv(x.shape[d] * scale.numerator, scale.denominator);
    }
    if (!shape[d].is(0) && shape[d] != x.shape[d]) call.NeedAtMost(1, x.shape[d]);
  }
  call.out().SetShape(std::move(shape));
  return Status();
}

Status SizesOfMatMul(SizeCall& call) {
  if (!call.has(0) || !call.has(1) || call.rank(0) < 2 || call.rank(1) < 2) return Status();
  const bool transposed = call.options<schema::MatMulOptionsT>().transpose_b;
  const Expr rows = call.dim(1, -2), width = call.dim(1, -1) * Expr(call.elements_in_byte(1));
  const Expr &inner = transposed ? width : rows, &columns = transposed ? rows : width;
  MICRORT_RETURN_IF_ERROR(
      call.RequireEqual(call.dim(0, -1), inner, "columns of one factor and rows of the other"));
  const std::vector<Expr>&a = call.in(0).shape, &b = call.in(1).shape;
  std::vector<Expr> shape;
  MICRORT_RETURN_IF_ERROR(call.BroadcastTo({a.begin(), a.end() - 2}, {b.begin(), b.end() - 2}, &shape));
  shape.push_back(call.dim(0, -2));
  shape.push_back(columns);
  call.out().SetShape(std::move(shape));
  return Status();
}

Status SizesOfAttention(SizeCall& call) {
  const auto o = call.options<schema::AttentionOptionsT>();
  for (size_t i = 0; i < 3; ++i) {
    if (!call.has(i) || call.rank(i) != 4) return Status();
  }
  const auto tokens = [](bool by_head) { return by_head ? 2 : 1; };
  const auto heads = [](bool by_head) { return by_head ? 1 : 2; };
  MICRORT_RETURN_IF_ERROR(call.RequireEqual(call.dim(0, 3), call.dim(1, 3) - call.scale_elements(1),
                                            "widths of queries and keys"));
  MICRORT_RETURN_IF_ERROR(call.RequireEqual(call.dim(1, tokens(o.key_by_head)),
                                            call.dim(2, tokens(o.value_by_head)),
                                            "numbers of keys and values"));
  Expr batch;
  MICRORT_RETURN_IF_ERROR(
      call.RequireEqual(call.dim(0, 0), call.dim(1, 0), "batches of queries and keys", &batch));
  MICRORT_RETURN_IF_ERROR(call.RequireEqual(batch, call.dim(2, 0), "batches of queries and values", &batch));
  const Expr t = call.dim(0, tokens(o.query_by_head)), h = call.dim(0, heads(o.query_by_head)),
             e = call.dim(2, 3) - call.scale_elements(2);
  call.out().SetShape(o.output_by_head ? std::vector<Expr>{batch, h, t, e}
                                       : std::vector<Expr>{batch, t, h, e});
  return Status();
}

Status SizesOfAppend(SizeCall& call) {
  if (!call.has(0) || !call.has(2) || !call.has(3) || call.rank(0) < 2 || call.rank(3) < 1) return Status();
  std::vector<Expr> shape = call.in(0).shape;
  const Expr rows = call.dim(3, 0) + call.dim(2, 1);
  shape[1] = call.options<schema::AppendOptionsT>().window == 0 ? rows : Min(rows, shape[1]);
  call.out().SetShape(std::move(shape));
  return Status();
}

Status SizesOfReadCache(SizeCall& call) {
  if (!call.has(0) || call.rank(0) < 1) return Status();
  std::vector<Expr> shape = call.in(0).shape;
  shape.back() = shape.back() - call.scale_elements(0);
  call.out().SetShape(std::move(shape));
  return Status();
}

Status SizesOfRecurrent(SizeCall& call) {
  const auto o = call.options<schema::RecurrentOptionsT>();
  if (!call.has(0) || call.rank(0) != 3 || !call.has(1) || call.rank(1) != 2) return Status();
  MICRORT_RETURN_IF_ERROR(
      call.RequireEqual(call.dim(0, 2), call.dim(1, 0), "gates of inputs and of weights"));
  constexpr size_t kLengths = 3, kInitialH = 4, kInitialC = 5;
  Expr batch = call.dim(0, 1);
  for (const size_t i : {kLengths, kInitialH, kInitialC}) {
    if (!call.has(i) || call.rank(i) == 0) continue;
    MICRORT_RETURN_IF_ERROR(call.RequireEqual(batch, call.dim(i, 0), "batches of inputs and states", &batch));
  }
  const Expr hidden = call.dim(1, 1);
  size_t output = 0;
  if (!o.last_only) call.out(output++).SetShape({call.dim(0, 0), batch, hidden});
  while (output < call.output_count()) call.out(output++).SetShape({batch, hidden});
  return Status();
}

// The rest of what a length decides follows from the operator itself.
Status SizesOfFourier(SizeCall& call) {
  const auto o = call.options<schema::FourierOptionsT>();
  constexpr size_t kLength = 2, kStep = 3, kAxis = 4;
  const auto scalar = [&](size_t i) {
    const Numbers* numbers = call.values(i);
    return numbers != nullptr && numbers->size() == 1 ? (*numbers)[0].integer() : Expr::Unknown();
  };
  const auto is_present = [&](size_t i) { return call.node().has_input(i); };
  if (!call.has(0) || (is_present(kAxis) && !scalar(kAxis).constant())) return Status();
  int64_t axis = is_present(kAxis) ? *scalar(kAxis).constant() : o.axis;
  if (axis < 0) axis += call.rank(0);
  if (axis < 0 || axis >= call.rank(0) - 1) return Status();
  std::vector<Expr> shape = call.in(0).shape;
  const auto d = static_cast<size_t>(axis);
  const bool to_real = o.one_sided && o.inverse;
  const Expr length = is_present(kLength) ? scalar(kLength) : (to_real ? Expr(2) * (shape[d] - 1) : shape[d]);
  const Expr size = shape[d];
  shape[d] = o.one_sided && !o.inverse ? FloorDiv(length, 2) + 1 : length;
  shape.back() = to_real ? 1 : 2;
  if (is_present(kStep)) {
    const Expr step = scalar(kStep);
    const bool known = step.constant() && *step.constant() > 0;
    const Expr used = to_real ? FloorDiv(length, 2) + 1 : length;
    call.NeedAtMost(used, size);
    shape.insert(shape.begin() + axis, known ? FloorDiv(size - used, step) + 1 : Expr::Unknown());
  }
  call.out().SetShape(std::move(shape));
  return Status();
}

Status SizesOfGridSample(SizeCall& call) {
  if (!call.has(0) || !call.has(1) || call.rank(1) < 2) return Status();
  std::vector<Expr> shape = call.in(1).shape;
  MICRORT_RETURN_IF_ERROR(
      call.RequireEqual(call.dim(0, 0), shape[0], "batches of images and grids", &shape[0]));
  shape.back() = call.dim(0, -1);
  call.out().SetShape(std::move(shape));
  return Status();
}

Status SizesOfRoiAlign(SizeCall& call) {
  const auto o = call.options<schema::RoiAlignOptionsT>();
  if (!call.has(0) || !call.has(1) || !call.has(2) || call.rank(1) != 2 || call.rank(2) != 1) return Status();
  Expr count;
  MICRORT_RETURN_IF_ERROR(
      call.RequireEqual(call.dim(1, 0), call.dim(2, 0), "regions and their batch indices", &count));
  call.out().SetShape({count, o.output_h, o.output_w, call.dim(0, -1)});
  return Status();
}

}  // namespace micrort::ir::size
