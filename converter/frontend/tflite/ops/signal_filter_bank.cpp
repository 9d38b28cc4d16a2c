// Signal operators of TensorFlow Lite Micro on the channels of a filter bank, all in integers, with its
// numbers: SignalFilterBank, -SquareRoot, -SpectralSubtraction, -Log, and SignalPCAN.

#include <cmath>
#include <limits>

#include "converter/frontend/tflite/ops/custom_options.h"
#include "converter/frontend/tflite/ops/integer_math.h"
#include "converter/frontend/tflite/registry.h"

namespace micrort::frontend::tflite {

namespace {

using Signed = IntegerMath<int64_t>;
using Unsigned = IntegerMath<uint64_t>;

constexpr int64_t kMaxUInt32 = std::numeric_limits<uint32_t>::max();
constexpr int kBits = 32;

// How many bits each element of x [n], which is not negative, takes: 0 to 32.
ir::ValueId BitLength(OpContext& c, ir::ValueId x) {
  std::vector<int64_t> powers;
  for (int i = 0; i < kBits; ++i) powers.push_back(int64_t{1} << i);
  const ir::ValueId reached =
      c.build.GreaterOrEqual(c.build.InsertDim(x, 1), c.build.Constant<int64_t>({1, kBits}, powers));
  return c.build.Reduce(schema::ReduceKind::Sum, c.build.Cast(reached, DType::kInt64), {1}, false);
}

// Weights of the filter bank: channel i - 1 reads `widths[i]` numbers from `starts[i]` on with weights, and
// what channel i - 2 reads with those that weights leave.
class FilterBank {
 public:
  static constexpr size_t kWeights = 1, kUnweights = 2, kStarts = 3, kWeightStarts = 4, kWidths = 5;

  Status Read(OpContext& c, int64_t bins) {
    bins_ = bins;
    MICRORT_ASSIGN_OR_RETURN(weights_, c.ConstantIntegers(kWeights));
    MICRORT_ASSIGN_OR_RETURN(unweights_, c.ConstantIntegers(kUnweights));
    MICRORT_ASSIGN_OR_RETURN(starts_, c.ConstantIntegers(kStarts));
    MICRORT_ASSIGN_OR_RETURN(weight_starts_, c.ConstantIntegers(kWeightStarts));
    MICRORT_ASSIGN_OR_RETURN(widths_, c.ConstantIntegers(kWidths));
    const size_t filters = starts_.size();
    if (filters < 2 || weight_starts_.size() != filters || widths_.size() != filters ||
        unweights_.size() != weights_.size())
      return Invalid("starts, widths or weights of different sizes");
    if (bins_ > ir::kMaxMade / channels()) return Unsupported("{} channels of {} bins", channels(), bins_);
    for (size_t i = 0; i < filters; ++i) MICRORT_RETURN_IF_ERROR(CheckFilter(i));
    return Status();
  }

  int64_t channels() const { return static_cast<int64_t>(starts_.size()) - 1; }

  // [bins, channels]
  std::vector<uint64_t> Matrix() const {
    std::vector<uint64_t> matrix(static_cast<size_t>(bins_ * channels()));
    for (int64_t filter = 0; filter <= channels(); ++filter) {
      const auto i = static_cast<size_t>(filter);
      for (int64_t j = 0; j < widths_[i]; ++j) {
        const auto row = static_cast<size_t>((starts_[i] + j) * channels());
        const auto weight = static_cast<size_t>(weight_starts_[i] + j);
        if (filter > 0) matrix[row + i - 1] += static_cast<uint64_t>(weights_[weight]);
        if (filter < channels()) matrix[row + i] += static_cast<uint64_t>(unweights_[weight]);
      }
    }
    return matrix;
  }

 private:
  // Without sums, which might overflow.
  Status CheckFilter(size_t i) const {
    const auto weights = static_cast<int64_t>(weights_.size());
    const int64_t width = widths_[i], start = starts_[i], weight_start = weight_starts_[i];
    const bool fits = width >= 0 && start >= 0 && weight_start >= 0 && width <= bins_ &&
                      start <= bins_ - width && width <= weights && weight_start <= weights - width;
    return fits ? Status() : Invalid("filter {} is outside of the spectrum or weights", i);
  }

  int64_t bins_ = 0;
  std::vector<int64_t> weights_, unweights_, starts_, weight_starts_, widths_;
};

// Channels [n], of a size that is known, since numbers for each become constants.
Result<int64_t> ReadChannels(OpContext& c) {
  constexpr int64_t kMost = 1 << 16;
  const ir::Value& x = c.value(c.stored(0));
  if (x.rank() != 1 || !x.is_static()) return Invalid("expected one dimension of fixed size");
  if (x.shape[0] > kMost) return Unsupported("{} channels or bins", x.shape[0]);
  return x.shape[0];
}

Status ImportFilterBank(OpContext& c) {
  FilterBank bank;
  MICRORT_ASSIGN_OR_RETURN(int64_t bins, ReadChannels(c));
  MICRORT_RETURN_IF_ERROR(bank.Read(c, bins));
  const ir::ValueId row = c.build.InsertDim(c.build.Cast(c.stored(0), DType::kUInt64), 0);
  const ir::ValueId matrix = c.build.Constant<uint64_t>({bins, bank.channels()}, bank.Matrix());
  return c.Return(c.build.DropDim(c.build.Add(schema::MatMulOptionsT(), {row, matrix}), 0));
}

// The root of x [n], rounded to the nearest; numbers of 32 bits have roots of 16 bits.
ir::ValueId SquareRoot(OpContext& c, ir::ValueId x) {
  Unsigned m(c.build);
  const ir::ValueId most = m.Num(static_cast<uint64_t>(kMaxUInt32));
  const auto square = [&](ir::ValueId r) { return m.Mul(r, r); };
  // Floats of 64 bits are at most one off.
  ir::ValueId r = c.build.Sqrt(c.build.Cast(x, DType::kFloat64));
  r = m.Min(c.build.Cast(r, DType::kUInt64), most);
  r = m.If(m.Greater(square(r), x), m.Sub(r, m.Num(1)), r);
  const ir::ValueId next = m.Min(m.Add(r, m.Num(1)), most);
  r = m.If(m.Greater(square(next), x), r, next);
  const ir::ValueId is_wide = m.Greater(x, most);
  const ir::ValueId limit = m.If(is_wide, most, m.Num(std::numeric_limits<uint16_t>::max()));
  const ir::ValueId rounded = m.If(m.Greater(m.Sub(x, square(r)), r), m.Add(r, m.Num(1)), r);
  return m.Min(rounded, limit);
}

Status ImportSquareRoot(OpContext& c) {
  MICRORT_RETURN_IF_ERROR(ReadChannels(c).status());
  Unsigned m(c.build);
  const ir::ValueId root = SquareRoot(c, m.From(c.stored(0)));
  return c.Return(c.build.Cast(m.Right(root, m.From(c.stored(1))), DType::kUInt32));
}

struct Subtraction {
  int64_t smoothing, rest, alternate_smoothing, alternate_rest, least, smoothing_bits, bits;
  bool clamps;
};

Result<Subtraction> ReadSubtraction(OpContext& c) {
  Subtraction o = {};
  MICRORT_ASSIGN_OR_RETURN(CustomOptions options, CustomOptions::Read(c));
  MICRORT_ASSIGN_OR_RETURN(o.smoothing, options.Int("smoothing", 0, kMaxUInt32));
  MICRORT_ASSIGN_OR_RETURN(o.rest, options.Int("one_minus_smoothing", 0, kMaxUInt32));
  MICRORT_ASSIGN_OR_RETURN(o.alternate_smoothing, options.Int("alternate_smoothing", 0, kMaxUInt32));
  MICRORT_ASSIGN_OR_RETURN(o.alternate_rest, options.Int("alternate_one_minus_smoothing", 0, kMaxUInt32));
  MICRORT_ASSIGN_OR_RETURN(o.least, options.Int("min_signal_remaining", 0, kMaxUInt32));
  MICRORT_ASSIGN_OR_RETURN(o.smoothing_bits, options.Int("smoothing_bits", 0, kBits - 1));
  MICRORT_ASSIGN_OR_RETURN(o.bits, options.Int("spectral_subtraction_bits", 0, kBits - 1));
  o.clamps = options.Bool("clamping", false);
  return o;
}

// What is left of each channel above its noise, which is its mean over time; channels take turns with two
// means.
Status ImportSpectralSubtraction(OpContext& c) {
  MICRORT_ASSIGN_OR_RETURN(int64_t channels, ReadChannels(c));
  MICRORT_ASSIGN_OR_RETURN(const Subtraction o, ReadSubtraction(c));
  MICRORT_ASSIGN_OR_RETURN(ir::ValueId noise, c.ReadHidden(0));
  if (c.value(noise).dim(0) != channels)
    return Unsupported("channels of another number than the file states");
  Unsigned m(c.build);
  const auto number = [&](int64_t v) { return m.Num(static_cast<uint64_t>(v)); };
  const auto in_turn = [&](int64_t even, int64_t odd) {
    std::vector<uint64_t> all;
    for (int64_t i = 0; i < channels; ++i) all.push_back(static_cast<uint64_t>(i % 2 == 0 ? even : odd));
    return c.build.Constant({channels}, all);
  };
  const auto in_32_bits = [&](ir::ValueId x) { return m.And(x, static_cast<uint64_t>(kMaxUInt32)); };
  const ir::ValueId x = m.From(c.stored(0));
  const ir::ValueId scaled = in_32_bits(m.Left(x, number(o.smoothing_bits)));
  const ir::ValueId sum = m.Add(m.Mul(scaled, in_turn(o.smoothing, o.alternate_smoothing)),
                                m.Mul(m.From(noise), in_turn(o.rest, o.alternate_rest)));
  const ir::ValueId mean = in_32_bits(m.Right(sum, number(o.bits)));
  const ir::ValueId subtracted = m.Min(mean, scaled);
  const ir::ValueId next = c.build.Cast(o.clamps ? subtracted : mean, DType::kUInt32);
  const ir::ValueId least = in_32_bits(m.Right(m.Mul(x, number(o.least)), number(o.bits)));
  const ir::ValueId left = m.Right(m.Sub(scaled, subtracted), number(o.smoothing_bits));
  c.AssignHidden(0, next);
  return c.Return({c.build.Cast(m.Max(left, least), DType::kUInt32), next});
}

// log2(1 + i / 128) - i / 128, in 65536ths.
std::vector<int64_t> LogTable() {
  constexpr int kSegments = 128;
  std::vector<int64_t> table;
  for (int i = 0; i <= kSegments; ++i) {
    const double at = static_cast<double>(i) / kSegments;
    table.push_back(std::llround(65536 * (std::log2(1 + at) - at)));
  }
  table.push_back(0);
  return table;
}

// The natural logarithm by a table of that to the base 2, in 16 bits.
Status ImportLog(OpContext& c) {
  constexpr int kFraction = 16, kSegmentBits = 9;
  constexpr int64_t kLogOf2 = 45426;  // in 65536ths
  MICRORT_RETURN_IF_ERROR(ReadChannels(c).status());
  MICRORT_ASSIGN_OR_RETURN(CustomOptions options, CustomOptions::Read(c));
  MICRORT_ASSIGN_OR_RETURN(int64_t correction, options.Int("input_correction_bits", 0, kBits - 1));
  MICRORT_ASSIGN_OR_RETURN(int64_t scale, options.Int("output_scale", 0, kMaxUInt32));
  Signed m(c.build);
  const ir::ValueId x = m.And(m.Left(m.From(c.stored(0)), m.Num(correction)), kMaxUInt32);
  const ir::ValueId whole = m.Max(m.Sub(BitLength(c, x), m.Num(1)), m.Num(0));
  const ir::ValueId part = m.Max(m.Sub(x, m.Left(m.Num(1), whole)), m.Num(0));
  const ir::ValueId fraction = m.Right(m.Left(part, m.Num(kFraction)), whole);
  const ir::ValueId segment = m.Right(fraction, m.Num(kSegmentBits));
  const ir::ValueId table = c.build.Integers(LogTable());
  const ir::ValueId low = c.build.Gather(table, segment, 0);
  const ir::ValueId high = c.build.Gather(table, m.Add(segment, m.Num(1)), 0);
  const ir::ValueId in_segment = m.And(fraction, (int64_t{1} << kSegmentBits) - 1);
  const ir::ValueId between = m.Right(m.Mul(m.Sub(high, low), in_segment), m.Num(kFraction));
  const ir::ValueId log2 = m.Add(m.Left(whole, m.Num(kFraction)), m.Add(fraction, m.Add(low, between)));
  const ir::ValueId log = m.RoundedRight(m.Mul(log2, m.Num(kLogOf2)), kFraction);
  const ir::ValueId scaled = m.Right(
      m.And(m.Add(m.Mul(log, m.Num(scale)), m.Num(1 << (kFraction - 1))), kMaxUInt32), m.Num(kFraction));
  const ir::ValueId y = m.Min(scaled, m.Num(std::numeric_limits<int16_t>::max()));
  return c.Return(c.build.Cast(m.If(m.Greater(x, m.Num(1)), y, m.Num(0)), DType::kInt16));
}

// A table of parabolas, one for each power of two, in 16 bits.
ir::ValueId Gain(OpContext& c, ir::ValueId noise, ir::ValueId table) {
  constexpr int kFractionBits = 10;
  Signed m(c.build);
  const ir::ValueId bits = BitLength(c, noise);
  const ir::ValueId first = m.Max(m.Sub(m.Left(bits, m.Num(2)), m.Num(6)), m.Num(0));
  const auto entry = [&](int64_t k) { return c.build.Gather(table, m.Add(first, m.Num(k)), 0); };
  const ir::ValueId fraction =
      m.And(m.Right(m.Left(noise, m.Num(kFractionBits + 1)), bits), (int64_t{1} << kFractionBits) - 1);
  ir::ValueId y = m.Right(m.Mul(entry(2), fraction), m.Num(5));
  y = m.Mul(m.Add(y, m.Left(entry(1), m.Num(5))), fraction);
  y = m.Add(m.RoundedRight(y, 15), entry(0));
  const ir::ValueId narrow = c.build.Cast(c.build.Cast(y, DType::kInt16), DType::kInt64);
  const ir::ValueId small = c.build.Gather(table, m.Min(noise, m.Num(2)), 0);
  return m.And(m.If(m.Greater(noise, m.Num(2)), narrow, small), kMaxUInt32);
}

// Channels over their noise, with 12 bits of fraction; below 2 squared and over 4, else less 1; with 6 bits.
Status ImportPcan(OpContext& c) {
  constexpr size_t kNoise = 1, kTable = 2, kTableSize = 4 * kBits - 3;
  constexpr int kSnrBits = 12, kOutputBits = 6;
  MICRORT_RETURN_IF_ERROR(ReadChannels(c).status());
  MICRORT_ASSIGN_OR_RETURN(CustomOptions options, CustomOptions::Read(c));
  MICRORT_ASSIGN_OR_RETURN(int64_t shift, options.Int("snr_shift", 0, 2 * kBits - 1));
  MICRORT_ASSIGN_OR_RETURN(std::vector<int64_t> table, c.ConstantIntegers(kTable));
  if (table.size() < kTableSize)
    return Invalid("a table of {} numbers, expected {}", table.size(), kTableSize);
  Signed m(c.build);
  Unsigned u(c.build);
  const ir::ValueId gain = Gain(c, m.From(c.stored(kNoise)), c.build.Integers(table));
  const ir::ValueId product = u.Mul(u.From(c.stored(0)), u.From(gain));
  const ir::ValueId snr = m.And(m.From(u.Right(product, u.Num(static_cast<uint64_t>(shift)))), kMaxUInt32);
  const ir::ValueId square =
      m.Right(m.And(m.Mul(snr, snr), kMaxUInt32), m.Num(2 + 2 * kSnrBits - kOutputBits));
  const ir::ValueId line = m.Sub(m.Right(snr, m.Num(kSnrBits - kOutputBits)), m.Num(1 << kOutputBits));
  const ir::ValueId y = m.If(m.Greater(m.Num(2 << kSnrBits), snr), square, line);
  return c.Return(c.build.Cast(y, DType::kUInt32));
}

constexpr TypeSet kChannels = TypesOf(DType::kUInt32);

}  // namespace

const ImporterList SignalFilterBankImporters = {
    {"SignalFilterBank", 6, 6, ImportFilterBank, Types(kChannels)},
    {"SignalFilterBankLog", 1, 1, ImportLog, Types(kChannels)},
    {"SignalFilterBankSpectralSubtraction", 1, 1, ImportSpectralSubtraction, Types(kChannels)},
    {"SignalFilterBankSquareRoot", 2, 2, ImportSquareRoot, Types(TypesOf(DType::kUInt64))},
    {"SignalPCAN", 3, 3, ImportPcan, Types(kChannels)},
};

}  // namespace micrort::frontend::tflite
