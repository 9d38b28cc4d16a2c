// Signal operators of TensorFlow Lite Micro: windows, scaling, transforms and energies. Those on integers
// give its numbers.

#include <limits>

#include "converter/frontend/tflite/ops/custom_options.h"
#include "converter/frontend/tflite/ops/fixed_fourier.h"
#include "converter/frontend/tflite/registry.h"

namespace micrort::frontend::tflite {

namespace {

Result<int64_t> ReadOption(OpContext& c, const char* name, int64_t lowest, int64_t highest) {
  MICRORT_ASSIGN_OR_RETURN(const CustomOptions options, CustomOptions::Read(c));
  return options.Int(name, lowest, highest);
}

ir::ValueId Int(OpContext& c, int32_t v) { return c.build.Constant<int32_t>({}, {v}); }

ir::ValueId AsInt32(OpContext& c, size_t i) { return c.build.Cast(c.stored(i), DType::kInt32); }

// x * weights >> shift, saturated.
Status ImportWindow(OpContext& c) {
  MICRORT_ASSIGN_OR_RETURN(int64_t shift, ReadOption(c, "shift", 0, 31));
  ir::ValueId y = c.build.Mul(AsInt32(c, 0), AsInt32(c, 1));
  y = c.build.ShiftRight(y, Int(c, static_cast<int32_t>(shift)));
  y = c.build.Min(y, Int(c, std::numeric_limits<int16_t>::max()));
  return c.Return(c.build.Max(y, Int(c, std::numeric_limits<int16_t>::min())));
}

// Shifted to the left until the largest element has 15 bits; the second output, a scalar, says by how many.
Status ImportFftAutoScale(OpContext& c) {
  constexpr int kBits = 15;
  std::vector<int32_t> axes;
  for (int i = 0; i < c.value(c.stored(0)).rank(); ++i) axes.push_back(i);
  const ir::ValueId x = AsInt32(c, 0);
  const ir::ValueId largest = c.build.Reduce(schema::ReduceKind::Max, c.build.Abs(x), axes, false);
  std::vector<int32_t> powers;
  for (int i = 0; i < kBits; ++i) powers.push_back(1 << i);
  const ir::ValueId below =
      c.build.Cast(c.build.Less(largest, c.build.Constant({kBits}, powers)), DType::kInt32);
  const ir::ValueId shift = c.build.Reduce(schema::ReduceKind::Sum, below, {0}, false);
  return c.Return({c.build.ShiftLeft(x, shift), shift});
}

// Squares of complex numbers, two elements each, from one place to another; 0 elsewhere.
Status ImportEnergy(OpContext& c) {
  const int rank = c.value(c.stored(0)).rank();
  const int64_t size = rank < 1 ? 0 : c.value(c.stored(0)).shape.back();
  if (size < 2 || size % 2 != 0) return Invalid("a spectrum of {} elements", size);
  MICRORT_ASSIGN_OR_RETURN(int64_t end, ReadOption(c, "end_index", 0, size / 2));
  MICRORT_ASSIGN_OR_RETURN(int64_t start, ReadOption(c, "start_index", 0, end));
  std::vector<int32_t> pairs = ir::CopiedDims(rank - 1);
  pairs.push_back(static_cast<int32_t>(size / 2));
  pairs.push_back(2);
  const ir::ValueId x = c.build.Reshape(c.build.Cast(c.stored(0), DType::kInt64), pairs);
  const ir::ValueId squares = c.build.Mul(x, x);
  const ir::ValueId energy = c.build.Reduce(schema::ReduceKind::Sum, squares, {rank}, false);
  const ir::ValueId chosen = c.build.Slice(energy, rank - 1, start, end);
  return c.Return(c.build.PadDim(chosen, rank - 1, start, size / 2 - end));
}

constexpr int64_t kMaxTransform = 1 << 16;

// A transform: its length, and whether it is that of floats; those of integers divide and round.
struct Transform {
  int64_t length = 0;
  bool is_float = false;
  int bits = 0;
};

Result<Transform> ReadTransform(OpContext& c) {
  Transform out;
  const ir::Value& x = c.value(c.stored(0));
  MICRORT_ASSIGN_OR_RETURN(out.length, ReadOption(c, "fft_length", 2, kMaxTransform));
  if (x.rank() < 1) return Invalid("a scalar");
  out.is_float = x.dtype == DType::kFloat32;
  if (out.is_float) return out;
  if (x.dtype != DType::kInt16 && x.dtype != DType::kInt32)
    return Unsupported("a transform of {}", Name(x.dtype));
  const bool is_power = (out.length & (out.length - 1)) == 0;
  if (!is_power || out.length < 4)
    return Unsupported("a transform of {} integers; expected a power of two", out.length);
  out.bits = x.dtype == DType::kInt16 ? 16 : 32;
  return out;
}

// x as rows of `count` elements of 64 bits, with zeros behind those that there are.
Result<ir::ValueId> Rows(OpContext& c, int64_t count) {
  const ir::ValueId x = c.stored(0);
  const int64_t size = c.value(x).shape.back();
  if (size == ir::kDynamic || size > count) return Invalid("{} elements for a transform of {}", size, count);
  const ir::ValueId rows = c.build.Reshape(x, {ir::kInferDim, static_cast<int32_t>(size)});
  return c.build.Checked(c.build.Padded(c.build.Cast(rows, DType::kInt64), {0, 0, 0, count - size}));
}

// Rows of `size` elements back in the shape and type of x.
Status ReturnRows(OpContext& c, ir::ValueId rows, int64_t size) {
  const ir::ValueId x = c.stored(0);
  const ir::ValueId narrow = c.build.Cast(rows, c.value(x).dtype);
  // Sizes of open dimensions come from x, whose rank the rows do not have.
  const auto last = static_cast<int64_t>(c.value(x).rank()) - 1;
  const ir::ValueId shape = c.build.Concat({c.build.SizesOf(x, 0, last), c.build.Integers({size})}, 0);
  return c.Return(c.build.Add(schema::ReshapeOptionsT(), {narrow, shape}));
}

// [...,N] → [...,2 * (length / 2 + 1)], real and imaginary parts in turn.
Status ImportRfft(OpContext& c) {
  MICRORT_ASSIGN_OR_RETURN(Transform t, ReadTransform(c));
  const int64_t size = 2 * (t.length / 2 + 1);
  if (!t.is_float) {
    MICRORT_ASSIGN_OR_RETURN(const ir::ValueId rows, Rows(c, t.length));
    return ReturnRows(c, FixedRealTransform(c, rows, t.length, t.bits), size);
  }
  const int rank = c.x().rank();
  schema::FourierOptionsT options;
  options.axis = rank - 1;
  options.one_sided = true;
  const ir::ValueId spectrum = c.build.Add(
      std::move(options), {c.build.InsertDim(c.input(0), rank), ir::kNoValue, c.build.Integer(t.length)});
  std::vector<int32_t> shape = ir::CopiedDims(c.x().rank() - 1);
  shape.push_back(static_cast<int32_t>(size));
  return c.Return(c.build.Reshape(spectrum, shape));
}

Status ImportIrfft(OpContext& c) {
  MICRORT_ASSIGN_OR_RETURN(Transform t, ReadTransform(c));
  const auto frequencies = static_cast<int32_t>(t.length / 2 + 1);
  if (!t.is_float) {
    MICRORT_ASSIGN_OR_RETURN(ir::ValueId rows, Rows(c, 2 * int64_t{frequencies}));
    rows = c.build.Reshape(rows, {ir::CopyDim(0), frequencies, 2});
    return ReturnRows(c, FixedInverseRealTransform(c, rows, t.length, t.bits), t.length);
  }
  const int rank = c.x().rank();
  std::vector<int32_t> shape = ir::CopiedDims(c.x().rank() - 1);
  shape.push_back(frequencies);
  shape.push_back(2);
  schema::FourierOptionsT options;
  options.axis = rank - 1;
  options.one_sided = options.inverse = true;
  const ir::ValueId signal = c.build.Add(
      std::move(options), {c.build.Reshape(c.input(0), shape), ir::kNoValue, c.build.Integer(t.length)});
  return c.Return(c.build.DropDim(signal, rank));
}

constexpr OpSupport kTransforms = Types(TypesOf(DType::kFloat32, DType::kInt16, DType::kInt32))
                                      .Without("transforms of integers whose length is no power of two");

}  // namespace

const ImporterList SignalImporters = {
    {"SignalEnergy", 1, 1, ImportEnergy, Types(TypesOf(DType::kInt16))},
    {"SignalFftAutoScale", 1, 1, ImportFftAutoScale, Types(TypesOf(DType::kInt16))},
    {"SignalIrfft", 1, 1, ImportIrfft, kTransforms},
    {"SignalRfft", 1, 1, ImportRfft, kTransforms},
    {"SignalWindow", 2, 2, ImportWindow, Types(TypesOf(DType::kInt16))},
};

}  // namespace micrort::frontend::tflite
