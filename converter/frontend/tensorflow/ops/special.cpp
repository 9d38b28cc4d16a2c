// Functions of mathematics and statistics, as operators that there are.

#include <limits>

#include "converter/frontend/common/plain_importers.h"
#include "converter/frontend/common/special_functions.h"
#include "converter/frontend/tensorflow/registry.h"

namespace micrort::frontend::tensorflow {

namespace {

using schema::ReduceKind;

template <ir::ValueId (*function)(ir::Builder&, ir::ValueId)>
Status ImportFloatFunction(OpContext& c) {
  MICRORT_RETURN_IF_ERROR(CheckFloat32(c));
  return c.Return(function(c.build, c.input()));
}

constexpr char kI0[] = "i0", kI0e[] = "special_i0e", kI1[] = "special_i1", kI1e[] = "special_i1e",
               kBetainc[] = "__betainc", kIgamma[] = "igamma", kIgammac[] = "igammac",
               kPolygamma[] = "__polygamma_of", kZeta[] = "special_zeta";
template <const char* op>
Status ImportComposedFunction(OpContext& c) {
  return ReturnComposed(c, op, c.inputs());
}

Status ImportNextAfter(OpContext& c) {
  if (c.x().dtype != DType::kFloat64) MICRORT_RETURN_IF_ERROR(CheckFloat32(c));
  return c.Return(NextAfter(c.build, c.input(0), c.input(1)));
}

Status ImportClipByValue(OpContext& c) {
  const ir::ValueId low = c.build.Max(c.input(0), c.input(1));
  return c.Return(c.build.Min(low, c.input(2)));
}

Status ImportL2Loss(OpContext& c) {
  const ir::ValueId flat = c.build.Reshape(c.input(), {kInferDim});
  const ir::ValueId sum = c.build.Reduce(ReduceKind::SumSquare, flat, {0}, false);
  return c.Return(c.build.Mul(sum, c.Scalar(c.x().dtype, 0.5)));
}

Status ImportXlog1py(OpContext& c) {
  ir::Builder& m = c.build;
  const ir::ValueId zero = c.Scalar(c.x().dtype, 0);
  const ir::ValueId y = m.Mul(c.input(0), Log1p(c.build, c.input(1)));
  return c.Return(m.If(c.build.Equal(c.input(0), zero), zero, y));
}

Status ImportApproximateEqual(OpContext& c) {
  ir::Builder& m = c.build;
  const ir::ValueId distance = c.build.Abs(m.Sub(c.input(0), c.input(1)));
  return c.Return(m.Less(distance, c.Scalar(c.x().dtype, double{c.Float("tolerance", 1e-5f)})));
}

// Computes it for vectors of three elements, the last dimension.
Status ImportCross(OpContext& c) {
  if (c.rank() < 1 || c.x().shape.back() != 3) return Invalid("expected three elements");
  ir::Builder& m = c.build;
  const auto turned = [&](size_t input, const std::vector<int64_t>& order) {
    return c.build.Gather(c.input(input), c.build.Integers(order), c.rank(input) - 1);
  };
  return c.Return(m.Sub(m.Mul(turned(0, {1, 2, 0}), turned(1, {2, 0, 1})),
                        m.Mul(turned(0, {2, 0, 1}), turned(1, {1, 2, 0}))));
}

// The logarithm of the running sum of exponentials. TensorFlow takes the lowest number for that of none.
Status ImportCumulativeLogsumexp(OpContext& c) {
  if (c.x().dtype != DType::kFloat32) return Unsupported("of type {}", Name(c.x().dtype));
  MICRORT_ASSIGN_OR_RETURN(const int index, c.ConstantAxis(1, c.rank()));
  if (c.x().shape[static_cast<size_t>(index)] == ir::kDynamic)
    return Unsupported("a dimension whose size is not fixed");
  const bool reverse = c.Bool("reverse", false);
  ir::ValueId x = reverse ? c.build.Reversed(c.input(0), {index}) : c.input(0);
  if (c.Bool("exclusive", false)) x = Delayed(c.build, x, index, 1, std::numeric_limits<float>::lowest());
  x = CumulativeLogSumExp(c.build, x, index);
  return c.Return(reverse ? c.build.Reversed(x, {index}) : x);
}

}  // namespace

const ImporterList SpecialOps = {
    {"ApproximateEqual", 2, 2, ImportApproximateEqual},
    {"Atan2", 2, 2, ImportAtan2},
    {"BesselI0", 1, 1, ImportComposedFunction<kI0>},
    {"BesselI0e", 1, 1, ImportComposedFunction<kI0e>},
    {"BesselI1", 1, 1, ImportComposedFunction<kI1>},
    {"BesselI1e", 1, 1, ImportComposedFunction<kI1e>},
    {"Betainc", 3, 3, ImportComposedFunction<kBetainc>},
    {"ClipByValue", 3, 3, ImportClipByValue},
    {"Cross", 2, 2, ImportCross},
    {"CumulativeLogsumexp", 2, 2, ImportCumulativeLogsumexp, "a dimension whose size is not fixed"},
    {"Digamma", 1, 1, ImportFloatFunction<Digamma>},
    {"Erfinv", 1, 1, ImportFloatFunction<Erfinv>},
    {"Igamma", 2, 2, ImportComposedFunction<kIgamma>},
    {"Igammac", 2, 2, ImportComposedFunction<kIgammac>},
    {"L2Loss", 1, 1, ImportL2Loss},
    {"Lgamma", 1, 1, ImportFloatFunction<Lgamma>},
    {"Ndtri", 1, 1, ImportFloatFunction<Ndtri>},
    {"NextAfter", 2, 2, ImportNextAfter},
    {"Polygamma", 2, 2, ImportComposedFunction<kPolygamma>},
    {"Xlog1py", 2, 2, ImportXlog1py},
    {"Zeta", 2, 2, ImportComposedFunction<kZeta>},
};

}  // namespace micrort::frontend::tensorflow
