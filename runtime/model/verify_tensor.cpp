#include "runtime/model/verify_steps.h"

namespace micrort {

namespace {

#if !defined(MICRORT_NO_PLANNING)
// Nothing else reads these.
Status VerifyLargest(const schema::Tensor& tensor) {
  const Span<const int32_t> dims = Ints(tensor.shape());
  const Span<const int32_t> most = Ints(tensor.max_shape());
  if (!most.empty() && most.size() != dims.size()) {
    return MICRORT_ERROR(kInvalidModel, "expected %zu largest sizes, found %zu", dims.size(), most.size());
  }
  for (size_t i = 0; i < most.size(); ++i) {
    const bool is_stated = most[i] != 0;
    if (most[i] >= 0 && (!is_stated || dims[i] < 0)) continue;
    return MICRORT_ERROR(kInvalidModel, "dimension %zu of size %d: its largest size is %d", i, dims[i],
                         most[i]);
  }
  return Status();
}
#endif

Status VerifyShape(const schema::Tensor& tensor) {
  const Span<const int32_t> dims = Ints(tensor.shape());
  if (dims.size() > kMaxRank) {
    return MICRORT_ERROR(kInvalidModel, "expected a rank of at most %d, found %zu", kMaxRank, dims.size());
  }
  for (size_t i = 0; i < dims.size(); ++i) {
    if (dims[i] < -1) {
      return MICRORT_ERROR(kInvalidModel, "dimension %zu: expected -1 or more, found %d", i, dims[i]);
    }
  }
#if !defined(MICRORT_NO_PLANNING)
  MICRORT_RETURN_IF_ERROR(VerifyLargest(tensor));
#endif
  const uint32_t names = Count(tensor.dim_names());
  if (names != 0 && names != dims.size()) {
    return MICRORT_ERROR(kInvalidModel, "expected %zu dimension names, found %u", dims.size(), names);
  }
  return Status();
}

// `bytes` with dynamic dimensions counted as 1.
Status VerifySize(const schema::Tensor& tensor, uint64_t* bytes) {
  Shape shape = ShapeOf(tensor);
  for (int i = 0; i < shape.rank; ++i) shape[i] = shape[i] < 0 ? 1 : shape[i];
  const size_t element_bytes = SizeOf(TypeOf(tensor));
  int64_t elements = 0;
  if (!shape.CheckedElements(element_bytes, &elements) ||
      static_cast<uint64_t>(elements) > PTRDIFF_MAX / element_bytes) {
    return MICRORT_ERROR(kInvalidModel, "shape %s is too large", ShapeString(shape).c_str());
  }
  *bytes = static_cast<uint64_t>(elements) * element_bytes;
  return Status();
}

bool IsStatic(const schema::Tensor& tensor) {
  for (const int32_t dim : Ints(tensor.shape())) {
    if (dim < 0) return false;
  }
  return true;
}

// C++ gives a bool that is neither 0 nor 1 no meaning.
Status VerifyBools(VerifyContext& context, Span<const uint8_t> data) {
  MICRORT_RETURN_IF_ERROR(context.Spend(data.size()));
  for (size_t i = 0; i < data.size(); ++i) {
    if (data[i] > 1)
      return MICRORT_ERROR(kInvalidModel, "element %zu: expected a bool of 0 or 1, found %u", i, data[i]);
  }
  return Status();
}

Status VerifyConstant(VerifyContext& context, const schema::Tensor& tensor, uint64_t expected_bytes) {
  const auto* buffers = context.model->buffers();
  if (tensor.buffer() >= buffers->size()) {
    return MICRORT_ERROR(kInvalidModel, "expected a buffer below %u, found %u", buffers->size(),
                         tensor.buffer());
  }
  if (!IsStatic(tensor)) return MICRORT_ERROR(kInvalidModel, "a constant has a dynamic dimension");
  const Span<const uint8_t> data = BytesOfBuffer(*context.model, tensor.buffer());
  if (tensor.packed_only() && !data.empty()) {
    return MICRORT_ERROR(kInvalidModel,
                         "expected no data, as it is stored packed only, buffer %u has %zu bytes",
                         tensor.buffer(), data.size());
  }
  if (tensor.packed_only()) return Status();
  if (data.size() != expected_bytes) {
    return MICRORT_ERROR(kInvalidModel, "shape %s of %s needs %llu bytes, buffer %u has %zu",
                         ShapeString(ShapeOf(tensor)).c_str(), Name(TypeOf(tensor)),
                         static_cast<unsigned long long>(expected_bytes), tensor.buffer(), data.size());
  }
  return TypeOf(tensor) == DType::kBool ? VerifyBools(context, data) : Status();
}

}  // namespace

Status VerifyTensor(VerifyContext& context, const schema::Tensor& tensor) {
  if (tensor.name() == nullptr) return MICRORT_ERROR(kInvalidModel, "the name is missing");
  if (SizeOf(TypeOf(tensor)) == 0) {
    return MICRORT_ERROR(kInvalidModel, "element type %d is not known", static_cast<int>(tensor.dtype()));
  }
  if (TypeOf(tensor) == DType::kInt4 && tensor.buffer() == 0)
    return MICRORT_ERROR(kInvalidModel, "expected a constant, as it is int4");
  MICRORT_RETURN_IF_ERROR(VerifyShape(tensor));
  uint64_t bytes = 0;
  MICRORT_RETURN_IF_ERROR(VerifySize(tensor, &bytes));
  if (tensor.packed_only() && tensor.buffer() == 0)
    return MICRORT_ERROR(kInvalidModel, "expected a constant, as it is stored packed only");
  if (tensor.buffer() != 0) MICRORT_RETURN_IF_ERROR(VerifyConstant(context, tensor, bytes));
  if (Status s = VerifyQuantization(context, tensor); !s.ok()) return s.WithPrefix("quantization");
  return Status();
}

}  // namespace micrort
