// Signal operators of TensorFlow Lite Micro: custom operators on bare integers, where their arithmetic is
// exact here, and on floats.

#include <flatbuffers/flexbuffers.h>

#include <limits>

#include "converter/frontend/tflite/ops/dims.h"
#include "converter/frontend/tflite/registry.h"

namespace micrort::frontend::tflite {

namespace {

using schema::BinaryKind;

Status ReadOption(OpContext& c, const char* name, int64_t lowest, int64_t highest, int64_t* out) {
  const Span<const uint8_t> bytes = c.op.custom_options();
  if (bytes.empty() || !flexbuffers::VerifyBuffer(bytes.data(), bytes.size()))
    return MICRORT_ERROR(kInvalidModel, "its custom options are no flexbuffer");
  const flexbuffers::Reference root = flexbuffers::GetRoot(bytes.data(), bytes.size());
  if (!root.IsMap() || root.AsMap()[name].IsNull())
    return MICRORT_ERROR(kInvalidModel, "its custom options have no '%s'", name);
  *out = root.AsMap()[name].AsInt64();
  if (*out >= lowest && *out <= highest) return Status();
  return MICRORT_ERROR(kInvalidModel, "'%s' is %lld: expected %lld to %lld", name,
                       static_cast<long long>(*out), static_cast<long long>(lowest),
                       static_cast<long long>(highest));
}

ir::ValueId Int(OpContext& c, int32_t v) { return c.build.Constant<int32_t>({}, {v}); }

ir::ValueId AsInt32(OpContext& c, size_t i) { return c.build.Cast(c.stored(i), DType::kInt32); }

// x * weights >> shift, saturated.
Status ImportWindow(OpContext& c) {
  int64_t shift = 0;
  MICRORT_RETURN_IF_ERROR(ReadOption(c, "shift", 0, 31, &shift));
  ir::ValueId y = c.build.Binary(BinaryKind::Mul, AsInt32(c, 0), AsInt32(c, 1));
  y = c.build.Binary(BinaryKind::ShiftRight, y, Int(c, static_cast<int32_t>(shift)));
  y = c.build.Binary(BinaryKind::Min, y, Int(c, std::numeric_limits<int16_t>::max()));
  return c.Return(c.build.Binary(BinaryKind::Max, y, Int(c, std::numeric_limits<int16_t>::min())));
}

// Shifted to the left until the largest element has 15 bits; the second output says by how many.
Status ImportFftAutoScale(OpContext& c) {
  constexpr int kBits = 15;
  std::vector<int32_t> axes;
  for (int i = 0; i < c.value(c.stored(0)).rank(); ++i) axes.push_back(i);
  const ir::ValueId x = AsInt32(c, 0);
  const ir::ValueId largest =
      c.build.Reduce(schema::ReduceKind::Max, c.build.Unary(schema::UnaryKind::Abs, x), axes, false);
  std::vector<int32_t> powers;
  for (int i = 0; i < kBits; ++i) powers.push_back(1 << i);
  const ir::ValueId below = c.build.Cast(
      c.build.Binary(BinaryKind::Less, largest, c.build.Constant({kBits}, powers)), DType::kInt32);
  const ir::ValueId shift = c.build.Reduce(schema::ReduceKind::Sum, below, {0}, false);
  c.SetOutput(0, c.build.Binary(BinaryKind::ShiftLeft, x, shift));
  c.SetOutput(1, c.build.Reshape(shift, {1}));
  return c.build.status();
}

// Squares of complex numbers, two elements each, from one place to another; 0 elsewhere.
Status ImportEnergy(OpContext& c) {
  const int rank = c.value(c.stored(0)).rank();
  const int64_t size = rank < 1 ? 0 : c.value(c.stored(0)).shape.back();
  if (size < 2 || size % 2 != 0)
    return MICRORT_ERROR(kInvalidModel, "a spectrum of %lld elements", static_cast<long long>(size));
  int64_t start = 0, end = 0;
  MICRORT_RETURN_IF_ERROR(ReadOption(c, "end_index", 0, size / 2, &end));
  MICRORT_RETURN_IF_ERROR(ReadOption(c, "start_index", 0, end, &start));
  std::vector<int32_t> pairs;
  for (int i = 0; i + 1 < rank; ++i) pairs.push_back(ir::CopyDim(i));
  pairs.push_back(static_cast<int32_t>(size / 2));
  pairs.push_back(2);
  const ir::ValueId x = c.build.Reshape(c.build.Cast(c.stored(0), DType::kInt64), pairs);
  const ir::ValueId squares = c.build.Binary(BinaryKind::Mul, x, x);
  const ir::ValueId energy = c.build.Reduce(schema::ReduceKind::Sum, squares, {rank}, false);
  schema::PadOptionsT pad;
  pad.pads.assign(2 * static_cast<size_t>(rank), 0);
  pad.pads[static_cast<size_t>(rank) - 1] = start;
  pad.pads.back() = size / 2 - end;
  return c.Return(c.build.Add(std::move(pad), {c.build.Slice(energy, rank - 1, start, end)}));
}

Status CheckFloat(OpContext& c) {
  const DType dtype = c.value(c.stored(0)).dtype;
  if (dtype != DType::kFloat32)
    return MICRORT_ERROR(kUnsupported,
                         "a transform of %s, whose stages round; only that of float32 is the same here",
                         Name(dtype));
  return c.x().rank() >= 1 ? Status() : MICRORT_ERROR(kInvalidModel, "a scalar");
}

constexpr int64_t kMaxTransform = 1 << 16;

// [...,N] → [...,2 * (length / 2 + 1)], real and imaginary parts in turn.
Status ImportRfft(OpContext& c) {
  int64_t length = 0;
  MICRORT_RETURN_IF_ERROR(CheckFloat(c));
  MICRORT_RETURN_IF_ERROR(ReadOption(c, "fft_length", 2, kMaxTransform, &length));
  const int rank = c.x().rank();
  schema::FourierOptionsT options;
  options.axis = rank - 1;
  options.one_sided = true;
  const ir::ValueId spectrum = c.build.Add(std::move(options), {InsertDim(c, c.input(0), rank), ir::kNoValue,
                                                                c.build.Constant<int64_t>({}, {length})});
  std::vector<int32_t> shape;
  for (int i = 0; i + 1 < rank; ++i) shape.push_back(ir::CopyDim(i));
  shape.push_back(static_cast<int32_t>(2 * (length / 2 + 1)));
  return c.Return(c.build.Reshape(spectrum, shape));
}

Status ImportIrfft(OpContext& c) {
  int64_t length = 0;
  MICRORT_RETURN_IF_ERROR(CheckFloat(c));
  MICRORT_RETURN_IF_ERROR(ReadOption(c, "fft_length", 2, kMaxTransform, &length));
  const int rank = c.x().rank();
  std::vector<int32_t> shape;
  for (int i = 0; i + 1 < rank; ++i) shape.push_back(ir::CopyDim(i));
  shape.push_back(static_cast<int32_t>(length / 2 + 1));
  shape.push_back(2);
  schema::FourierOptionsT options;
  options.axis = rank - 1;
  options.one_sided = options.inverse = true;
  const ir::ValueId signal = c.build.Add(
      std::move(options),
      {c.build.Reshape(c.input(0), shape), ir::kNoValue, c.build.Constant<int64_t>({}, {length})});
  return c.Return(DropDim(c, signal, rank));
}

}  // namespace

Span<const OpImporter> SignalImporters() {
  constexpr OpSupport kTransforms = Types(kFloat32).Without("transforms of integers");
  static constexpr OpImporter kImporters[] = {
      {"SignalEnergy", 1, 1, ImportEnergy, Types(TypesOf(DType::kInt16))},
      {"SignalFftAutoScale", 1, 1, ImportFftAutoScale, Types(TypesOf(DType::kInt16))},
      {"SignalIrfft", 1, 1, ImportIrfft, kTransforms},
      {"SignalRfft", 1, 1, ImportRfft, kTransforms},
      {"SignalWindow", 2, 2, ImportWindow, Types(TypesOf(DType::kInt16))},
  };
  return kImporters;
}

}  // namespace micrort::frontend::tflite
