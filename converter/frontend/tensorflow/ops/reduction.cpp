// Reductions over axes, and sums along one.

#include "converter/frontend/tensorflow/registry.h"

namespace micrort::frontend::tensorflow {

namespace {

using schema::ReduceKind;

// Axes are input 1; without any, nothing is reduced.
template <ReduceKind kind>
Status ImportReduce(OpContext& c) {
  MICRORT_ASSIGN_OR_RETURN(const std::vector<int32_t> axes, ReadDistinctAxes(c));
  return c.Return(c.build.Reduce(kind, c.input(0), axes, c.Bool("keep_dims", false)));
}

// Whether any (the sum) or all (the smallest) are true: the maximum of no integers is no truth value.
template <ReduceKind kind>
Status ImportLogical(OpContext& c) {
  MICRORT_ASSIGN_OR_RETURN(const std::vector<int32_t> axes, ReadDistinctAxes(c));
  const ir::ValueId numbers = c.build.Cast(c.input(0), DType::kInt32);
  const ir::ValueId reduced = c.build.Reduce(kind, numbers, axes, c.Bool("keep_dims", false));
  return c.Return(c.build.Cast(reduced, DType::kBool));
}

template <ReduceKind kind>
Status ImportArg(OpContext& c) {
  MICRORT_ASSIGN_OR_RETURN(const int index, c.ConstantAxis(1, c.rank()));
  MICRORT_ASSIGN_OR_RETURN(const DType type, c.Type("output_type", DType::kInt64));
  const ir::ValueId y = c.build.Reduce(kind, c.input(0), {index}, false);
  return c.Return(c.build.As(y, type));
}

// A type of at least 32 bits. Sums and products that are cut to their own type then are its own.
DType WideTypeOf(DType dtype) {
  if (IsFloat(dtype)) return dtype == DType::kFloat64 ? dtype : DType::kFloat32;
  return SizeOf(dtype) < SizeOf(DType::kInt32) ? DType::kInt32 : dtype;
}

template <bool product>
Status ImportCumulative(OpContext& c) {
  schema::CumulativeSumOptionsT options;
  options.exclusive = c.Bool("exclusive", false);
  options.reverse = c.Bool("reverse", false);
  options.product = product;
  const DType dtype = c.x().dtype, wide = WideTypeOf(dtype);
  const ir::ValueId x = dtype == wide ? c.input(0) : c.build.Cast(c.input(0), wide);
  const ir::ValueId y = c.build.Add(options, {x, c.input(1)});
  return c.Return(c.build.As(y, dtype));
}

}  // namespace

const ImporterList ReductionOps = {
    {"All", 2, 2, ImportLogical<ReduceKind::Min>, "axes that are not constant"},
    {"Any", 2, 2, ImportLogical<ReduceKind::Sum>, "axes that are not constant"},
    {"ArgMax", 2, 2, ImportArg<ReduceKind::ArgMax>, "an axis that is not constant"},
    {"ArgMin", 2, 2, ImportArg<ReduceKind::ArgMin>, "an axis that is not constant"},
    {"Cumprod", 2, 2, ImportCumulative<true>},
    {"Cumsum", 2, 2, ImportCumulative<false>},
    {"EuclideanNorm", 2, 2, ImportReduce<ReduceKind::L2>, "axes that are not constant"},
    {"Max", 2, 2, ImportReduce<ReduceKind::Max>, "axes that are not constant"},
    {"Mean", 2, 2, ImportReduce<ReduceKind::Mean>, "axes that are not constant"},
    {"Min", 2, 2, ImportReduce<ReduceKind::Min>, "axes that are not constant"},
    {"Prod", 2, 2, ImportReduce<ReduceKind::Prod>, "axes that are not constant"},
    {"Sum", 2, 2, ImportReduce<ReduceKind::Sum>, "axes that are not constant"},
};

}  // namespace micrort::frontend::tensorflow
