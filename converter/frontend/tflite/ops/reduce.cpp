// MEAN, SUM, REDUCE_MAX, REDUCE_MIN, REDUCE_PROD, REDUCE_ANY, REDUCE_ALL, ARG_MAX, ARG_MIN.

#include "converter/frontend/tflite/ops/int16.h"
#include "converter/frontend/tflite/registry.h"
#include "kernels/reduce/reduce_s16.h"

namespace micrort::frontend::tflite {

namespace {

using schema::ReduceKind;

Result<std::vector<int32_t>> ReadAxes(OpContext& c) {
  MICRORT_ASSIGN_OR_RETURN(std::vector<int64_t> given, c.ConstantIntegers(1));
  return SortedAxes(given, c.x().rank());
}

// Whether the runtime sums up the integers: how many there are must be known.
bool HasInt16Form(OpContext& c, ReduceKind kind, const std::vector<int32_t>& axes) {
  if ((kind != ReduceKind::Sum && kind != ReduceKind::Mean) || !ComputesInt16(c, 1)) return false;
  const std::vector<int64_t>& shape = c.value(c.stored(0)).shape;
  constexpr auto kMost = static_cast<int64_t>(kMaxReduceS16Elements);
  int64_t elements = 1;
  for (const int32_t axis : axes) {
    const int64_t size = shape[static_cast<size_t>(axis)];
    if (size == ir::kDynamic || size > kMost) return false;
    elements *= size;
    if (elements > kMost) return false;
  }
  return true;
}

template <ReduceKind kKind>
Status ImportReduce(OpContext& c) {
  MICRORT_ASSIGN_OR_RETURN(std::vector<int32_t> axes, ReadAxes(c));
  if (HasInt16Form(c, kKind, axes)) {
    schema::ReduceOptionsT options;
    options.kind = kKind;
    options.axes = axes;
    options.keep_dims = c.op.Options<fb::ReducerOptionsT>().keep_dims;
    return ReturnInt16(c, std::move(options), {c.stored(0)});
  }
  return c.Return(c.build.Reduce(kKind, c.input(0), axes, c.op.Options<fb::ReducerOptionsT>().keep_dims));
}

// Whether any (the sum) or all (the smallest) are true: the maximum of no integers is no truth value.
template <ReduceKind kKind>
Status ImportReduceBool(OpContext& c) {
  MICRORT_ASSIGN_OR_RETURN(std::vector<int32_t> axes, ReadAxes(c));
  const ir::ValueId numbers = c.build.Cast(c.input(0), DType::kInt32);
  const ir::ValueId y = c.build.Reduce(kKind, numbers, axes, c.op.Options<fb::ReducerOptionsT>().keep_dims);
  return c.Return(c.build.Cast(y, DType::kBool));
}

template <ReduceKind kKind>
Status ImportArg(OpContext& c) {
  MICRORT_ASSIGN_OR_RETURN(const int64_t given, c.ConstantScalar(1));
  MICRORT_ASSIGN_OR_RETURN(const int axis, c.Axis(given, c.x().rank()));
  return c.Return(c.build.Reduce(kKind, c.input(0), {axis}, false));
}

constexpr TypeSet kReduced =
    TypesOf(DType::kFloat32, DType::kInt8, DType::kUInt8, DType::kInt16, DType::kInt32, DType::kInt64);

constexpr OpSupport kReductionSupport = Types(kReduced).Without("axes that are not constant");

}  // namespace

const ImporterList ReduceImporters = {
    {"ARG_MAX", 2, 2, ImportArg<ReduceKind::ArgMax>, kReductionSupport},
    {"ARG_MIN", 2, 2, ImportArg<ReduceKind::ArgMin>, kReductionSupport},
    {"MEAN", 2, 2, ImportReduce<ReduceKind::Mean>, kReductionSupport},
    {"REDUCE_ALL", 2, 2, ImportReduceBool<ReduceKind::Min>,
     Types(kBool).Without("axes that are not constant")},
    {"REDUCE_ANY", 2, 2, ImportReduceBool<ReduceKind::Sum>,
     Types(kBool).Without("axes that are not constant")},
    {"REDUCE_MAX", 2, 2, ImportReduce<ReduceKind::Max>, kReductionSupport},
    {"REDUCE_MIN", 2, 2, ImportReduce<ReduceKind::Min>, kReductionSupport},
    {"REDUCE_PROD", 2, 2, ImportReduce<ReduceKind::Prod>, kReductionSupport},
    {"SUM", 2, 2, ImportReduce<ReduceKind::Sum>, kReductionSupport},
};

}  // namespace micrort::frontend::tflite
