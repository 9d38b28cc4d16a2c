// Quantization that was simulated in training: it becomes the same pair of operators that other formats have.

#include <algorithm>
#include <cmath>
#include <limits>

#include "converter/frontend/common/special_functions.h"
#include "converter/frontend/tensorflow/registry.h"

namespace micrort::frontend::tensorflow {

namespace {

// The range is moved so that 0 is one of the steps, as TensorFlow nudges it.
Result<ir::Quantization> NudgedQuantization(float low, float high, int64_t bits, bool narrow) {
  ir::Quantization out;
  const float least = narrow ? 1.0f : 0.0f, most = 255.0f;
  const float scale = (high - low) / (most - least);
  // Ends that are close to each other, or far apart, have a step that no float is.
  if (!(low <= 0) || !(high >= 0) || !(scale > 0) || !std::isfinite(scale))
    return Invalid("the range [{}, {}]", low, high);
  if (bits != 8) return Unsupported("num_bits {}", bits);
  const float zero = std::min(std::max(std::round(least - low / scale), least), most);
  out.scales = {scale};
  out.zero_points = {static_cast<int32_t>(zero)};
  return out;
}

Status FakeQuantize(OpContext& c, float low, float high) {
  const bool narrow = c.Bool("narrow_range", false);
  MICRORT_ASSIGN_OR_RETURN(ir::Quantization quantization,
                           NudgedQuantization(low, high, c.Int("num_bits", 8), narrow));
  const float scale = quantization.scales[0];
  const auto zero = static_cast<float>(quantization.zero_points[0]);
  ir::ValueId x = c.input(0);
  // What lies under the least step of a narrow range would be one step more.
  if (narrow) x = c.build.Unary(schema::UnaryKind::Clip, x, (1 - zero) * scale, (255 - zero) * scale);
  const ir::ValueId q = c.build.Quantize(x, DType::kUInt8, quantization);
  return c.Return(c.build.Add(schema::DequantizeOptionsT(), {q}, DType::kFloat32));
}

Status ImportFakeQuantArgs(OpContext& c) { return FakeQuantize(c, c.Float("min", -6), c.Float("max", 6)); }

Status ImportFakeQuantVars(OpContext& c) {
  MICRORT_ASSIGN_OR_RETURN(std::vector<float> low, c.ConstantFloats(1));
  MICRORT_ASSIGN_OR_RETURN(std::vector<float> high, c.ConstantFloats(2));
  if (low.size() != 1 || high.size() != 1) return Invalid("ranges of several values");
  return FakeQuantize(c, low[0], high[0]);
}

// One range for each slice of the last dimension. Signed, so that ranges around 0 have their zero at 0.
Status ImportFakeQuantChannels(OpContext& c) {
  std::vector<float> least, most;
  MICRORT_ASSIGN_OR_RETURN(std::vector<float> low, c.ConstantFloats(1));
  MICRORT_ASSIGN_OR_RETURN(std::vector<float> high, c.ConstantFloats(2));
  if (c.rank() < 1 || low.size() != high.size() || low.empty() ||
      c.x().shape.back() != static_cast<int64_t>(low.size()))
    return Invalid("{} and {} ends of ranges", low.size(), high.size());
  const bool narrow = c.Bool("narrow_range", false);
  ir::Quantization all;
  for (size_t i = 0; i < low.size(); ++i) {
    MICRORT_ASSIGN_OR_RETURN(ir::Quantization one,
                             NudgedQuantization(low[i], high[i], c.Int("num_bits", 8), narrow));
    const int32_t zero = one.zero_points[0] - 128;
    all.scales.push_back(one.scales[0]);
    all.zero_points.push_back(zero);
    least.push_back(static_cast<float>(-127 - zero) * one.scales[0]);
    most.push_back(static_cast<float>(127 - zero) * one.scales[0]);
  }
  all.axis = c.rank() - 1;
  ir::ValueId x = c.input(0);
  if (narrow) {
    const auto channels = static_cast<int64_t>(low.size());
    x = c.build.Max(x, c.build.Constant({channels}, least));
    x = c.build.Min(x, c.build.Constant({channels}, most));
  }
  const ir::ValueId q = c.build.Quantize(x, DType::kInt8, all);
  return c.Return(c.build.Add(schema::DequantizeOptionsT(), {q}, DType::kFloat32));
}

// Numbers of integers, and the ends of the range that they stand for.
struct Steps {
  bool is_signed = true, is_narrow = false, rounds_up = false;
  int64_t bits = 8;

  double least() const { return is_signed ? -std::exp2(bits - 1) + (is_narrow ? 1 : 0) : 0; }
  double most() const { return std::exp2(is_signed ? bits - 1 : bits) - 1; }
};

// The number of steps to 1: the smaller one that either end asks for. low, high: ends of the range.
ir::ValueId StepsToOne(OpContext& c, const Steps& steps, ir::ValueId low, ir::ValueId high) {
  ir::Builder& m = c.build;
  const auto for_end = [&](ir::ValueId end, double last) {
    const ir::ValueId counts = m.Less(m.Scalar(0), m.Mul(end, m.Scalar(last)));
    return m.If(counts, m.Div(m.Scalar(last), m.If(counts, end, m.Scalar(1))),
                m.Scalar(double{std::numeric_limits<float>::max()}));
  };
  return c.build.Min(for_end(low, steps.least()), for_end(high, steps.most()));
}

// One range for each slice of this dimension; -1: one for all.
Result<ir::ValueId> RangeOfData(OpContext& c, int64_t axis, ir::ValueId* low) {
  std::vector<int32_t> others;
  int kept = -1;
  if (axis >= 0) MICRORT_RETURN_IF_ERROR(Take(c.Axis(axis, c.rank()), &kept));
  for (int i = 0; i < c.rank(); ++i) {
    if (i != kept) others.push_back(i);
  }
  *low = c.build.Reduce(schema::ReduceKind::Min, c.input(0), others, true);
  return c.build.Reduce(schema::ReduceKind::Max, c.input(0), others, true);
}

// The same of a range that is given, one for each slice or one for all.
Status GivenRange(OpContext& c, int64_t axis, ir::ValueId* low, ir::ValueId* high) {
  *low = c.input(1);
  *high = c.input(2);
  if (axis < 0) return Status();
  MICRORT_ASSIGN_OR_RETURN(const int kept, c.Axis(axis, c.rank()));
  *low = c.build.Along(*low, kept, c.rank());
  *high = c.build.Along(*high, kept, c.rank());
  return Status();
}

// x as multiples of a step.
Status RoundToSteps(OpContext& c, const Steps& steps) {
  if (steps.bits < 1 || steps.bits > 24) return Unsupported("num_bits {}", steps.bits);
  ir::Builder& m = c.build;
  const int64_t axis = c.Int("axis", -1);
  const bool is_given = c.Bool("range_given", false);
  ir::ValueId low = ir::kNoValue, high = ir::kNoValue;
  MICRORT_RETURN_IF_ERROR(is_given ? GivenRange(c, axis, &low, &high)
                                   : Take(RangeOfData(c, axis, &low), &high));
  const ir::ValueId scale = StepsToOne(c, steps, low, high);
  ir::ValueId q = m.Mul(c.input(0), scale);
  q = steps.rounds_up ? c.build.Floor(m.Add(q, m.Scalar(0.5))) : c.build.Round(q);
  // A range of the data's own holds all of them.
  if (is_given)
    q = c.build.Unary(schema::UnaryKind::Clip, q, static_cast<float>(steps.least()),
                      static_cast<float>(steps.most()));
  return c.Return(m.Div(q, scale));
}

Steps StepsOf(const OpContext& c) {
  Steps steps;
  steps.is_signed = c.Bool("signed_input", true);
  steps.is_narrow = c.Bool("narrow_range", false);
  steps.rounds_up = c.String("round_mode", "HALF_TO_EVEN") == "HALF_UP";
  return steps;
}

// inputs: x, ends of the range.
Status ImportQuantizeAndDequantize(OpContext& c) {
  Steps steps = StepsOf(c);
  steps.bits = c.Int("num_bits", 8);
  return RoundToSteps(c, steps);
}

// The same, and a number of bits as the last input.
Status ImportQuantizeAndDequantizeV3(OpContext& c) {
  Steps steps = StepsOf(c);
  MICRORT_ASSIGN_OR_RETURN(steps.bits, c.ConstantInteger(3));
  return RoundToSteps(c, steps);
}

// The least and the most of a type of integers.
struct Limits {
  double least = 0, most = 0;
};

Result<Limits> LimitsOf(DType dtype) {
  const bool is_signed = dtype == DType::kInt8 || dtype == DType::kInt16 || dtype == DType::kInt32;
  if (!is_signed && dtype != DType::kUInt8 && dtype != DType::kUInt16)
    return Invalid("expected quantized integers, found {}", Name(dtype));
  const double count = std::ldexp(1.0, static_cast<int>(8 * SizeOf(dtype)));
  return is_signed ? Limits{-count / 2, count / 2 - 1} : Limits{0, count - 1};
}

// y = x * factor + shift, for a range from `low` to `high`, as TensorFlow's kernel computes it.
Status FactorAndShift(const OpContext& c, const Limits& limits, float low, float high, float* factor,
                      float* shift) {
  const std::string mode = c.String("mode", "MIN_COMBINED");
  const auto steps = static_cast<float>(limits.most - limits.least);
  *factor = (high - low) / steps;
  if (mode == "MIN_COMBINED") {
    // Signed integers are counted from the middle.
    const float half = limits.least < 0 ? static_cast<float>(-limits.least) : 0;
    *shift = half * *factor + low;
  } else if (mode == "MIN_FIRST") {
    const float rounded = high == low ? low : std::round(low / *factor) * *factor;
    *shift = rounded - static_cast<float>(limits.least) * *factor;
  } else if (mode == "SCALED") {
    const auto least = static_cast<float>(limits.least + (c.Bool("narrow_range", false) ? 1 : 0));
    *factor = high / static_cast<float>(limits.most);
    if (limits.least < 0) *factor = std::max(*factor, low / least);
    *shift = 0;
  } else {
    return Invalid("mode '{}'", mode);
  }
  return Status();
}

// inputs: x, ends of the range, or of a range for each slice along an axis.
Status ImportDequantize(OpContext& c) {
  MICRORT_ASSIGN_OR_RETURN(Limits limits, LimitsOf(c.x().dtype));
  MICRORT_ASSIGN_OR_RETURN(std::vector<float> low, c.ConstantFloats(1));
  MICRORT_ASSIGN_OR_RETURN(std::vector<float> high, c.ConstantFloats(2));
  if (low.empty() || low.size() != high.size())
    return Invalid("{} and {} ends of ranges", low.size(), high.size());
  std::vector<float> factors(low.size()), shifts(low.size());
  for (size_t i = 0; i < low.size(); ++i)
    MICRORT_RETURN_IF_ERROR(FactorAndShift(c, limits, low[i], high[i], &factors[i], &shifts[i]));
  const int64_t axis = c.Int("axis", -1);
  std::vector<int64_t> shape;
  if (axis >= 0) {
    MICRORT_ASSIGN_OR_RETURN(const int kept, c.Axis(axis, c.rank()));
    shape.assign(static_cast<size_t>(c.rank()), 1);
    shape[static_cast<size_t>(kept)] = static_cast<int64_t>(low.size());
  } else if (low.size() != 1) {
    return Invalid("{} ranges and no axis", low.size());
  }
  ir::ValueId y = c.build.Cast(c.input(0), DType::kFloat32);
  y = c.build.Mul(y, c.build.Constant(shape, factors));
  y = c.build.Add(y, c.build.Constant(shape, shifts));
  MICRORT_ASSIGN_OR_RETURN(const DType dtype, c.Type("dtype", DType::kFloat32));
  return c.Return(c.build.As(y, dtype));
}

}  // namespace

const ImporterList QuantizationOps = {
    {"Dequantize", 3, 3, ImportDequantize, "ranges that are not constant"},
    {"FakeQuantWithMinMaxArgs", 1, 1, ImportFakeQuantArgs, "other than 8 bits"},
    {"FakeQuantWithMinMaxVars", 3, 3, ImportFakeQuantVars, "ranges that are not constant; other than 8 bits"},
    {"FakeQuantWithMinMaxVarsPerChannel", 3, 3, ImportFakeQuantChannels,
     "ranges that are not constant; other than 8 bits"},
    {"QuantizeAndDequantizeV2", 3, 3, ImportQuantizeAndDequantize},
    {"QuantizeAndDequantizeV3", 4, 4, ImportQuantizeAndDequantizeV3, "a number of bits that is not constant"},
    {"QuantizeAndDequantizeV4", 3, 3, ImportQuantizeAndDequantize},
};

}  // namespace micrort::frontend::tensorflow
