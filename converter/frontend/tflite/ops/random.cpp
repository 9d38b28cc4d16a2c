// Random numbers: others than TFLite's, and the same at every run.

#include "converter/frontend/tflite/registry.h"

namespace micrort::frontend::tflite {

namespace {

using schema::RandomKind;

ir::ValueId Random(OpContext& c, RandomKind kind, ir::ValueId shape) {
  const auto o = c.op.Options<fb::RandomOptionsT>();
  schema::RandomOptionsT options;
  options.kind = kind;
  options.seed = static_cast<uint32_t>(o.seed ^ o.seed2);
  return c.build.Add(std::move(options), {shape});
}

template <RandomKind kKind>
Status ImportRandom(OpContext& c) {
  return c.Return(Random(c, kKind, c.Int64(0)));
}

// Classes by their log-probabilities [N,K]: the largest of these, each with noise of Gumbel's distribution.
Status ImportMultinomial(OpContext& c) {
  MICRORT_RETURN_IF_ERROR(c.CheckRank(0, 2));
  const ir::ValueId shape = c.build.Concat(
      {c.build.DimOf(c.input(0), 0), c.build.Reshape(c.Int64(1), {1}), c.build.DimOf(c.input(0), 1)}, 0);
  ir::ValueId noise = Random(c, RandomKind::Uniform, shape);
  for (int i = 0; i < 2; ++i) noise = c.build.Neg(c.build.Log(noise));
  const ir::ValueId sums = c.build.Add(c.build.InsertDim(c.input(0), 1), noise);
  return c.Return(c.build.Reduce(schema::ReduceKind::ArgMax, sums, {2}, false));
}

constexpr OpSupport kShapes = Types(TypesOf(DType::kInt32)).Without("the same numbers as TFLite");

}  // namespace

const ImporterList RandomImporters = {
    {"MULTINOMIAL", 2, 2, ImportMultinomial, Types(kFloat32).Without("the same classes as TFLite")},
    {"RANDOM_STANDARD_NORMAL", 1, 1, ImportRandom<RandomKind::Normal>, kShapes},
    {"RANDOM_UNIFORM", 1, 1, ImportRandom<RandomKind::Uniform>, kShapes},
};

}  // namespace micrort::frontend::tflite
