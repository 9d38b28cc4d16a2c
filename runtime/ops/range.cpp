// Range: start, start + delta, start + 2 delta ... up to but without limit.

#include <cmath>
#include <type_traits>

#include "micrort/op_resolver.h"
#include "runtime/ops/op.h"
#include "runtime/ops/parse_options.h"

namespace micrort {
namespace range_op {
namespace {

enum RangeInput { kStart = 0, kLimit = 1, kDelta = 2 };
constexpr int kInputs = 3;
constexpr uint64_t kMaxCount = uint64_t{1} << 40;  // no memory holds more

Status Parse(const schema::Operator& op, void*) {
  const schema::RangeOptions* options = nullptr;
  return ReadOptions(op, &options);
}

Status CheckScalars(const PrepareContext& context) {
  for (int i = 0; i < kInputs; ++i) {
    const Tensor& in = context.input(i);
    if (in.dtype == context.input(0).dtype && in.shape.elements() == 1) continue;
    return MICRORT_ERROR(kInvalidModel, "input %d: expected one %s, found %s of shape %s", i,
                         Name(context.input(0).dtype), Name(in.dtype), ShapeString(in.shape).c_str());
  }
  return Status();
}

template <typename T>
uint64_t CountOf(T start, T limit, T delta) {
  if constexpr (std::is_floating_point_v<T>) {
    const double count = std::ceil(static_cast<double>(limit - start) / static_cast<double>(delta));
    if (!(count < static_cast<double>(kMaxCount))) return kMaxCount;
    return count > 0 ? static_cast<uint64_t>(count) : 0;
  } else {
    if (delta > 0 ? start >= limit : start <= limit) return 0;
    const auto from = static_cast<uint64_t>(delta > 0 ? start : limit);
    const auto to = static_cast<uint64_t>(delta > 0 ? limit : start);
    const auto step = delta > 0 ? static_cast<uint64_t>(delta) : 0 - static_cast<uint64_t>(delta);
    return (to - from - 1) / step + 1;
  }
}

template <typename T>
Status PrepareOf(PrepareContext& context) {
  const T start = *context.input(kStart).as<T>();
  const T limit = *context.input(kLimit).as<T>();
  const T delta = *context.input(kDelta).as<T>();
  if (delta == 0) return MICRORT_ERROR(kInvalidModel, "delta is 0");
  const uint64_t count = CountOf(start, limit, delta);
  if (count >= kMaxCount) {
    return MICRORT_ERROR(kInvalidModel, "a range from %g to %g by %g is too long", static_cast<double>(start),
                         static_cast<double>(limit), static_cast<double>(delta));
  }
  return context.SetOutput(0, kDTypeOf<T>, Shape::Of(count));
}

template <typename T>
Status RunOf(const RunContext& context) {
  const T start = *context.input(kStart).as<T>();
  const T delta = *context.input(kDelta).as<T>();
  // Integers wrap on the way where the range is longer than half of all numbers.
  using Sum = std::conditional_t<std::is_floating_point_v<T>, T, uint64_t>;
  T* out = context.output(0).as<T>();
  const size_t count = context.output(0).elements();
  for (size_t i = 0; i < count; ++i) {
    out[i] = static_cast<T>(static_cast<Sum>(start) + static_cast<Sum>(i) * static_cast<Sum>(delta));
  }
  return Status();
}

Status Prepare(PrepareContext& context) {
  MICRORT_RETURN_IF_ERROR(context.ExpectArity(kInputs, kInputs, 1));
  MICRORT_RETURN_IF_ERROR(CheckScalars(context));
  const DType dtype = context.input(0).dtype;
  if (const uint32_t deciders = context.Unreadable((1u << kInputs) - 1); deciders != 0) {
    return context.SetOutput(0, dtype, Shape::Of(1), Extents::DataDependent(kAllDims), deciders);
  }
  switch (dtype) {
    case DType::kFloat32:
      return PrepareOf<float>(context);
    case DType::kFloat64:
      return PrepareOf<double>(context);
    case DType::kInt16:
      return PrepareOf<int16_t>(context);
    case DType::kInt32:
      return PrepareOf<int32_t>(context);
    case DType::kInt64:
      return PrepareOf<int64_t>(context);
    default:
      return MICRORT_ERROR(kUnsupported, "a range of %s", Name(dtype));
  }
}

Status Run(const RunContext& context) {
  switch (context.output(0).dtype) {
    case DType::kFloat32:
      return RunOf<float>(context);
    case DType::kFloat64:
      return RunOf<double>(context);
    case DType::kInt16:
      return RunOf<int16_t>(context);
    case DType::kInt32:
      return RunOf<int32_t>(context);
    default:
      return RunOf<int64_t>(context);
  }
}

}  // namespace
}  // namespace range_op

MICRORT_OPERATOR(Range, range_op, 0, Parse, Prepare, nullptr, Run)

}  // namespace micrort
