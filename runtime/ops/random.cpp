// Random: reproducible random numbers.

#include "kernels/random/mersenne_twister.h"
#include "micrort/op_resolver.h"
#include "runtime/ops/op.h"
#include "runtime/ops/parse_options.h"

namespace micrort {
namespace random_op {
namespace {

struct State {
  bool normal;
  uint32_t seed;
};

Status Parse(const schema::Operator& op, void* state) {
  const schema::RandomOptions* o = nullptr;
  MICRORT_RETURN_IF_ERROR(ReadOptions(op, &o));
  if (o->kind() > schema::RandomKind::MAX) {
    return MICRORT_ERROR(kInvalidModel, "random kind %d does not exist", static_cast<int>(o->kind()));
  }
  *static_cast<State*>(state) = {o->kind() == schema::RandomKind::Normal, o->seed()};
  return Status();
}

Status Prepare(PrepareContext& context) {
  MICRORT_RETURN_IF_ERROR(context.ExpectArity(1, 1, 1));
  context.RequestScratch(sizeof(MersenneTwister));
  Shape shape;
  size_t rank = 0;
  if (context.contents(0) != Contents::kFixed) {
    const int64_t dims = context.input(0).shape.elements();
    if (dims > kMaxRank)
      return MICRORT_ERROR(kUnsupported, "a shape of %lld dimensions", static_cast<long long>(dims));
    shape.rank = static_cast<int>(dims);
    return context.SetOutput(0, DType::kFloat32, shape, Extents::DataDependent(kAllDims), 1u << 0);
  }
  MICRORT_RETURN_IF_ERROR(context.KnownIntegers(0, shape.dims, kMaxRank, &rank));
  shape.rank = static_cast<int>(rank);
  return context.SetOutput(0, DType::kFloat32, shape);
}

Status Run(const RunContext& context) {
  const State& s = context.state<State>();
  auto& generator = *static_cast<MersenneTwister*>(context.scratch);
  generator.Seed(s.seed);
  const Tensor& out = context.output(0);
  auto* values = out.as<float>();
  for (size_t i = 0; i < out.elements(); ++i) {
    values[i] = static_cast<float>(s.normal ? generator.Normal() : generator.Uniform());
    // Rounding may reach the end of the interval.
    if (!s.normal && values[i] >= 1.0f) values[i] = 0x1.fffffep-1f;
  }
  return Status();
}

}  // namespace
}  // namespace random_op

MICRORT_OPERATOR(Random, random_op, sizeof(State), Parse, Prepare, nullptr, Run)

}  // namespace micrort
