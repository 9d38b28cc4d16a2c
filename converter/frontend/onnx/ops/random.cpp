// Random numbers, reproducible: those of the seed that the node has, else of one that its output's name
// gives; the same at every run.

#include <cmath>

#include "converter/frontend/onnx/ops/reshape.h"
#include "converter/frontend/onnx/registry.h"

namespace micrort::frontend::onnx {

namespace {

using schema::RandomKind;

// FNV-1a
uint32_t HashOf(const std::string& text) {
  uint32_t hash = 2166136261u;
  for (char ch : text) hash = (hash ^ static_cast<uint8_t>(ch)) * 16777619u;
  return hash;
}

// The attribute is a float, but an integer in Dropout.
uint32_t ReadSeed(NodeContext& c, bool integer) {
  if (!c.Has("seed")) return HashOf(c.output_name(0));
  if (integer) return static_cast<uint32_t>(c.Int("seed", 0));
  const float seed = c.Float("seed", 0);
  return std::fabs(seed) < 0x1p62f ? static_cast<uint32_t>(static_cast<int64_t>(seed)) : 0;
}

ir::ValueId Random(NodeContext& c, RandomKind kind, uint32_t seed, ir::ValueId shape) {
  schema::RandomOptionsT options;
  options.kind = kind;
  options.seed = seed;
  return c.build.Add(std::move(options), {shape});
}

// random * scale + offset, of the given type
ir::ValueId Spread(NodeContext& c, ir::ValueId random, float scale, float offset, DType dtype) {
  const ir::ValueId scaled = c.build.Mul(random, c.build.Scalar(scale));
  const ir::ValueId y = c.build.Add(scaled, c.build.Scalar(offset));
  return c.build.As(y, dtype);
}

template <RandomKind kind>
Status Generate(NodeContext& c, ir::ValueId shape, DType dtype) {
  const ir::ValueId random = Random(c, kind, ReadSeed(c, false), shape);
  if (kind == RandomKind::Normal) {
    const float mean = c.Float("mean", 0.0f);
    return c.Return(Spread(c, random, c.Float("scale", 1.0f), mean, dtype));
  }
  const float low = c.Float("low", 0.0f);
  return c.Return(Spread(c, random, c.Float("high", 1.0f) - low, low, dtype));
}

template <RandomKind kind>
Status ImportRandom(NodeContext& c) {
  MICRORT_ASSIGN_OR_RETURN(const DType dtype, c.Type("dtype", DType::kFloat32));
  return Generate<kind>(c, c.build.Integers(c.Ints("shape")), dtype);
}

template <RandomKind kind>
Status ImportRandomLike(NodeContext& c) {
  MICRORT_ASSIGN_OR_RETURN(const DType dtype, c.Type("dtype", c.x().dtype));
  return Generate<kind>(c, c.build.ShapeOf(c.input(0)), dtype);
}

// 1 with the probability that the input gives: by inversion, as NumPy draws it.
Status ImportBernoulli(NodeContext& c) {
  MICRORT_ASSIGN_OR_RETURN(const DType dtype, c.Type("dtype", c.x().dtype));
  const ir::ValueId u = Random(c, RandomKind::Uniform, ReadSeed(c, false), c.build.ShapeOf(c.input(0)));
  const ir::ValueId p = c.build.As(c.input(0), DType::kFloat32);
  const ir::ValueId rest = c.build.Sub(c.build.Scalar(1), p);
  const ir::ValueId rare = c.build.Greater(u, rest);
  const ir::ValueId often = c.build.LessOrEqual(u, p);
  const ir::ValueId is_rare = c.build.LessOrEqual(p, c.build.Scalar(0.5f));
  return c.Return(c.build.Cast(c.build.Select({is_rare, rare, often}), dtype));
}

// Classes [N,samples] drawn by logarithms of probabilities [N,C]: the largest of each after Gumbel noise.
Status ImportMultinomial(NodeContext& c) {
  MICRORT_ASSIGN_OR_RETURN(const DType dtype, c.Type("dtype", DType::kInt32));
  const int64_t samples = c.Int("sample_size", 1);
  if (c.x().rank() != 2 || samples < 1)
    return Invalid("expected [N,C] and samples, found {} dimensions and {}", c.x().rank(), samples);
  const ir::ValueId x = c.build.As(c.input(0), DType::kFloat32);
  const ir::ValueId dims = c.build.ShapeOf(x);
  const ir::ValueId shape = c.build.Concat(
      {c.build.Slice(dims, 0, 0, 1), c.build.Integers({samples}), c.build.Slice(dims, 0, 1, 2)}, 0);
  const ir::ValueId u = Random(c, RandomKind::Uniform, ReadSeed(c, false), shape);
  const ir::ValueId exponential = c.build.Neg(c.build.Log(u));
  const ir::ValueId noise = c.build.Log(exponential);
  const ir::ValueId scores = c.build.Sub(c.build.Reshape(x, {CopyDim(0), 1, CopyDim(1)}), noise);
  return c.Return(c.build.Cast(c.build.Reduce(schema::ReduceKind::ArgMax, scores, {2}, false), dtype));
}

ir::ValueId True(NodeContext& c) { return c.build.graph().AddConstant("true", DType::kBool, {}, {1}); }

struct Dropped {
  ir::ValueId y;
  ir::ValueId mask;
};

// What remains, scaled so that its sum is expected to stay.
Dropped Drop(NodeContext& c) {
  const DType dtype = c.x().dtype;
  const ir::ValueId ratio = c.has_input(1) ? c.build.Cast(c.input(1), DType::kFloat32) : c.build.Scalar(0.5f);
  const ir::ValueId u = Random(c, RandomKind::Uniform, ReadSeed(c, true), c.build.ShapeOf(c.input(0)));
  const ir::ValueId mask = c.build.GreaterOrEqual(u, ratio);
  const ir::ValueId kept = c.build.Sub(c.build.Scalar(1), ratio);
  const ir::ValueId scale = c.build.Cast(c.build.Reciprocal(kept), dtype);
  const ir::ValueId scaled = c.build.Mul(c.input(0), scale);
  return {c.build.Select({mask, scaled, c.Scalar(dtype, 0)}), mask};
}

// Networks are exported with a ratio of 0 that still "trains".
bool DropsNothing(const NodeContext& c) {
  std::vector<float> ratio;
  return c.has_input(1) && ir::FloatsOf(c.x(1), &ratio) && ratio == std::vector<float>{0};
}

// Trains only where input 2 (of opset 12) says so.
Status ImportDropout(NodeContext& c) {
  c.Ignore({"ratio", "seed", "is_test"});
  const bool decided = !c.has_input(2) || c.x(2).is_constant();
  if (c.has_input(2) && c.x(2).dtype != DType::kBool)
    return Invalid("training_mode is {}: expected bool", Name(c.x(2).dtype));
  if (c.has_input(2) && c.x(2).is_static() && c.x(2).elements() != 1)
    return Invalid("training_mode has {} elements: expected one", c.x(2).elements());
  const bool trains = c.has_input(2) && decided && *c.x(2).as<uint8_t>() != 0;
  Dropped d = {c.input(0), True(c)};
  const bool drops = (trains || !decided) && !DropsNothing(c);
  if (drops) d = Drop(c);
  if (drops && !decided) {
    d.y = c.build.Select({c.input(2), d.y, c.input(0)});
    d.mask = c.build.Select({c.input(2), d.mask, True(c)});
  }
  if (c.wants_output(1)) {
    if (c.opset() < 10) d.mask = c.build.Cast(d.mask, c.x().dtype);  // no bool yet
    c.SetOutput(1, c.build.Expand({d.mask, c.build.ShapeOf(c.input(0))}));
  }
  return c.Return(d.y);
}

}  // namespace

const ImporterList RandomImporters = {
    {"Bernoulli", 1, 1, ImportBernoulli, Types(kFloats).Since(15)},
    {"Dropout", 1, 3, ImportDropout, Types(kFloats)},
    {"Multinomial", 1, 1, ImportMultinomial, Types(kFloats).Since(7)},
    {"RandomNormal", 0, 0, ImportRandom<RandomKind::Normal>, Types(kFloats)},
    {"RandomNormalLike", 1, 1, ImportRandomLike<RandomKind::Normal>, Types(kAllTypes)},
    {"RandomUniform", 0, 0, ImportRandom<RandomKind::Uniform>, Types(kFloats)},
    {"RandomUniformLike", 1, 1, ImportRandomLike<RandomKind::Uniform>, Types(kAllTypes)},
};

}  // namespace micrort::frontend::onnx
