// Tensors that are made rather than computed.

#include <algorithm>

#include "converter/frontend/tensorflow/registry.h"
#include "converter/lower/arrays.h"
#include "converter/lower/positions.h"

namespace micrort::frontend::tensorflow {

namespace {

Status ImportFill(OpContext& c) { return c.Return(c.build.Expand({c.input(1), c.AsInt64(c.input(0))})); }

// What it holds is not defined; zeros do.
Status ImportEmpty(OpContext& c) {
  MICRORT_ASSIGN_OR_RETURN(const DType type, c.Type("dtype", DType::kFloat32));
  return c.Return(c.build.Expand({c.Scalar(type, 0), c.AsInt64(c.input(0))}));
}

template <int value>
Status ImportLike(OpContext& c) {
  const ir::ValueId scalar = c.Scalar(c.x().dtype, value);
  return c.Return(c.build.Expand({scalar, c.build.ShapeOf(c.input())}));
}

// Types that the operator of the file does not have are computed in a wider one.
Status ImportRange(OpContext& c) {
  const DType dtype = c.x().dtype;
  const bool is_wide = SizeOf(dtype) >= 4 && dtype != DType::kUInt32 && dtype != DType::kUInt64;
  if (is_wide) return c.Return(c.build.Add(schema::RangeOptionsT(), c.inputs()));
  const DType wide = IsFloat(dtype) ? DType::kFloat32 : DType::kInt64;
  std::vector<ir::ValueId> inputs = c.inputs();
  for (ir::ValueId& input : inputs) input = c.build.Cast(input, wide);
  return c.Return(c.build.Cast(c.build.Add(schema::RangeOptionsT(), std::move(inputs)), dtype));
}

// inputs: start, stop, number of values.
Status ImportLinSpace(OpContext& c) {
  std::vector<float> start, stop;
  MICRORT_ASSIGN_OR_RETURN(int64_t count, c.ConstantInteger(2));
  if (count >= 1 && count <= (1 << 24) && (!ir::FloatsOf(c.x(0), &start) || !ir::FloatsOf(c.x(1), &stop))) {
    std::vector<float> parts;
    for (int64_t i = 0; i < count; ++i)
      parts.push_back(static_cast<float>(i) / static_cast<float>(std::max<int64_t>(count - 1, 1)));
    const ir::ValueId length = c.build.Sub(c.input(1), c.input(0));
    ir::ValueId positions = c.build.Constant({count}, parts);
    if (c.x().dtype != DType::kFloat32) positions = c.build.Cast(positions, c.x().dtype);
    return c.Return(c.build.Add(c.input(0), c.build.Mul(length, positions)));
  }
  if (start.size() != 1 || stop.size() != 1 || count < 1 || count > (1 << 24))
    return Invalid("{} values", count);
  std::vector<float> values(static_cast<size_t>(count), start[0]);
  const float step = count > 1 ? (stop[0] - start[0]) / static_cast<float>(count - 1) : 0.0f;
  for (size_t i = 0; i + 1 < values.size(); ++i) values[i] = start[0] + step * static_cast<float>(i);
  if (count > 1) values.back() = stop[0];
  return c.Return(c.build.Constant({count}, values));
}

// For dropout that a graph kept; the same numbers at every run. A seed of 0 is TensorFlow's word for any.
template <schema::RandomKind kind>
Status ImportRandom(OpContext& c) {
  MICRORT_ASSIGN_OR_RETURN(const DType type, c.Type("dtype", DType::kFloat32));
  schema::RandomOptionsT options;
  options.kind = kind;
  options.seed = static_cast<uint32_t>(c.Int("seed", 0)) * 31u + static_cast<uint32_t>(c.Int("seed2", 0));
  const ir::ValueId y = c.build.Add(options, {c.AsInt64(c.input(0))});
  return c.Return(c.build.As(y, type));
}

// One-hot vectors: equal to the positions along a new axis. inputs: indices, depth, on, off.
Status ImportOneHot(OpContext& c) {
  int64_t depth = 0;
  std::vector<int64_t> constant;
  MICRORT_ASSIGN_OR_RETURN(const int axis, c.Axis(c.Int("axis", -1), c.rank() + 1));
  ir::ValueId places = ir::kNoValue;
  if (ir::IntegersOf(c.x(1), &constant)) {
    MICRORT_ASSIGN_OR_RETURN(depth, c.ConstantInteger(1));
    if (depth < 0 || depth > (1 << 24)) return Invalid("depth {}", depth);
    places = lower::Positions(c.build, depth);
  } else {
    const ir::ValueId zero = c.build.Integer(0), one = c.build.Integer(1);
    const ir::ValueId count = c.build.Reshape(c.AsInt64(c.input(1)), {});
    places = c.build.Range({zero, count, one});
  }
  const ir::ValueId indices = c.AsInt64(c.input(0));
  return c.Return(lower::OneHot(c.build, indices, places, axis, c.input(2), c.input(3)));
}

using schema::RandomKind;

}  // namespace

const ImporterList GenerateOps = {
    {"Empty", 1, 1, ImportEmpty},
    {"Fill", 2, 2, ImportFill},
    {"LinSpace", 3, 3, ImportLinSpace, "a number of values that is not constant"},
    {"OneHot", 4, 4, ImportOneHot},
    {"OnesLike", 1, 1, ImportLike<1>},
    {"RandomStandardNormal", 1, 1, ImportRandom<RandomKind::Normal>, "the same numbers as TensorFlow"},
    {"RandomUniform", 1, 1, ImportRandom<RandomKind::Uniform>, "the same numbers as TensorFlow"},
    {"Range", 3, 3, ImportRange},
    {"ZerosLike", 1, 1, ImportLike<0>},
};

}  // namespace micrort::frontend::tensorflow
