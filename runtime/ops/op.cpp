#include "runtime/ops/op.h"

#include <cinttypes>

namespace micrort {

namespace {

// Dimensions of the file are -1 where they are dynamic.
bool Matches(const Shape& declared, const Shape& shape) {
  if (declared.rank != shape.rank) return false;
  for (int i = 0; i < shape.rank; ++i) {
    if (declared[i] >= 0 && declared[i] != shape[i]) return false;
  }
  return true;
}

Status CheckSize(const Shape& shape, DType dtype) {
  if (shape.rank > kMaxRank) {
    return MICRORT_ERROR(kUnsupported, "rank %d is over the limit of %d", shape.rank, kMaxRank);
  }
  int64_t elements = 0;
  if (!shape.CheckedElements(SizeOf(dtype), &elements) ||
      static_cast<uint64_t>(elements) > PTRDIFF_MAX / SizeOf(dtype)) {
    return MICRORT_ERROR(kInvalidModel, "shape %s of %s is negative or too large", ShapeString(shape).c_str(),
                         Name(dtype));
  }
  return Status();
}

}  // namespace

Status PrepareContext::ExpectArity(int min_inputs, int max_inputs, int outputs) const {
  if (input_count() < min_inputs || input_count() > max_inputs) {
    return MICRORT_ERROR(kInvalidModel, "expected %d to %d inputs, found %d", min_inputs, max_inputs,
                         input_count());
  }
  for (int i = 0; i < min_inputs; ++i) {
    if (!has_input(i)) return MICRORT_ERROR(kInvalidModel, "input %d is required, but absent", i);
  }
  if (output_count() != outputs) {
    return MICRORT_ERROR(kInvalidModel, "expected %d outputs, found %d", outputs, output_count());
  }
  return Status();
}

Status PrepareContext::SetOutput(int i, DType dtype, const Shape& shape) {
  Tensor& t = *outputs_[static_cast<size_t>(i)];
  if (SizeOf(dtype) == 0) return MICRORT_ERROR(kInternal, "output '%s': element type is not set", t.name);
  if (t.dtype == DType::kUnknown) t.dtype = dtype;
  if (t.dtype != dtype) {
    return MICRORT_ERROR(kInvalidModel, "output '%s': expected %s, the file says %s", t.name, Name(dtype),
                         Name(t.dtype));
  }
  if (Status s = CheckSize(shape, dtype); !s.ok()) return s.WithPrefix("output '%s'", t.name);
  if (t.declared != nullptr && !Matches(*t.declared, shape)) {
    return MICRORT_ERROR(kInvalidModel, "output '%s': expected shape %s, the file says %s", t.name,
                         ShapeString(shape).c_str(), ShapeString(*t.declared).c_str());
  }
  t.shape = shape;
  return Status();
}

Status PrepareContext::KnownIntegers(int i, int64_t* values, size_t capacity, size_t* count) const {
  if (!has_input(i)) return MICRORT_ERROR(kInvalidModel, "input %d is required, but absent", i);
  const Tensor& t = input(i);
  if (!t.known) {
    return MICRORT_ERROR(kUnsupported, "input %d ('%s') must be known before the model runs", i, t.name);
  }
  const size_t n = t.elements();
  if (n > capacity) {
    return MICRORT_ERROR(kInvalidModel, "input %d ('%s'): expected at most %zu elements, found %zu", i,
                         t.name, capacity, n);
  }
  if (t.dtype != DType::kInt64 && t.dtype != DType::kInt32) {
    return MICRORT_ERROR(kInvalidModel, "input %d ('%s'): expected int32 or int64, found %s", i, t.name,
                         Name(t.dtype));
  }
  for (size_t k = 0; k < n; ++k) {
    values[k] = t.dtype == DType::kInt64 ? t.as<int64_t>()[k] : t.as<int32_t>()[k];
  }
  *count = n;
  return Status();
}

}  // namespace micrort
