#include "converter/frontend/tflite/tensor_reader.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "converter/frontend/tflite/sparse_tensor.h"
#include "converter/frontend/tflite/tensor_types.h"
#include "converter/ir/constant_values.h"
#include "converter/ir/source_quantization.h"
#include "kernels/base/shape.h"

namespace micrort::frontend::tflite {

namespace {

bool IsQuantizedType(DType dtype) {
  return dtype == DType::kInt8 || dtype == DType::kUInt8 || dtype == DType::kInt16 ||
         dtype == DType::kInt32 || dtype == DType::kInt64;
}

Status CheckType(const fb::Tensor& tensor, DType* dtype) {
  *dtype = DTypeOf(tensor.type());
  if (*dtype != DType::kUnknown) return Status();
  return Unsupported("element type {}", TypeName(tensor.type()));
}

Status ReadShape(const fb::Tensor& tensor, DType dtype, std::vector<int64_t>* shape, int64_t* elements) {
  Shape checked;
  const size_t rank = tensor.shape() == nullptr ? 0 : tensor.shape()->size();
  if (rank > static_cast<size_t>(kMaxRank))
    return Unsupported("{} dimensions, at most {} are possible", rank, kMaxRank);
  for (size_t i = 0; i < rank; ++i) {
    const int64_t dim = tensor.shape()->Get(static_cast<flatbuffers::uoffset_t>(i));
    if (dim < 0) return Invalid("dimension {}", dim);
    checked[checked.rank++] = dim;
    shape->push_back(dim);
  }
  if (checked.CheckedElements(SizeOf(dtype), elements)) return Status();
  return Invalid("shape {} is too large", ShapeString(checked));
}

// Two to a byte, the first in the low half.
ir::Bytes Unpack4Bit(Span<const uint8_t> packed, int64_t elements) {
  ir::Bytes out(static_cast<size_t>(elements));
  for (size_t i = 0; i < out.size(); ++i) {
    const int nibble = packed[i / 2] >> (i % 2 == 0 ? 0 : 4) & 15;
    out[i] = static_cast<uint8_t>(nibble > 7 ? nibble - 16 : nibble);
  }
  return out;
}

Status ReadData(const ModelFile& file, const fb::Tensor& tensor, int64_t elements, ir::Value* out) {
  const Span<const uint8_t> bytes = file.DataOf(tensor);
  const bool four_bit = tensor.type() == fb::TensorType::Int4;
  const uint64_t stored = four_bit ? (static_cast<uint64_t>(elements) + 1) / 2
                                   : static_cast<uint64_t>(elements) * SizeOf(out->dtype);
  if (bytes.size() != stored)
    return Invalid("its shape takes {} bytes, its data has {}", stored, bytes.size());
  ir::Bytes data = four_bit ? Unpack4Bit(bytes, elements) : ir::Bytes(bytes.begin(), bytes.end());
  if (out->dtype == DType::kBool) {
    for (uint8_t& b : data) b = b != 0;
  }
  out->is_four_bit = four_bit;
  out->data = std::make_shared<const ir::Bytes>(std::move(data));
  return Status();
}

}  // namespace

std::string NameOf(const fb::Tensor& tensor) { return tensor.name() == nullptr ? "" : tensor.name()->str(); }

bool IsQuantized(const fb::Tensor& tensor) {
  const auto* q = tensor.quantization();
  return q != nullptr && q->scale() != nullptr && q->scale()->size() != 0 &&
         IsQuantizedType(DTypeOf(tensor.type()));
}

Status ReadQuantization(const fb::Tensor& tensor, ir::Quantization* out) {
  *out = {};
  if (!IsQuantized(tensor)) return Status();
  const auto& q = *tensor.quantization();
  out->scales.assign(q.scale()->begin(), q.scale()->end());
  const size_t zero_points = q.zero_point() == nullptr ? 0 : q.zero_point()->size();
  if (zero_points != 0 && zero_points != 1 && zero_points != out->scales.size())
    return Invalid("{} scales, {} zero points", out->scales.size(), zero_points);
  bool all_zero = true;
  for (size_t i = 0; i < out->scales.size() && zero_points != 0; ++i) {
    const int64_t z = q.zero_point()->Get(static_cast<flatbuffers::uoffset_t>(zero_points == 1 ? 0 : i));
    if (z < std::numeric_limits<int16_t>::min() || z > std::numeric_limits<uint16_t>::max())
      return Invalid("zero point {}", z);
    all_zero &= z == 0;
    out->zero_points.push_back(static_cast<int32_t>(z));
  }
  // No zero points are the same as those that are all 0.
  if (all_zero) out->zero_points.clear();
  for (const float scale : out->scales) {
    if (std::isfinite(scale) && scale > 0) continue;
    return Invalid("scale {} of its quantization: expected a positive number", scale);
  }
  if (out->scales.size() == 1) return Status();
  const size_t rank = tensor.shape() == nullptr ? 0 : tensor.shape()->size();
  // Some writers give biases the dimension that the weights have.
  const int axis = rank == 1 ? 0 : q.quantized_dimension();
  if (axis < 0 || static_cast<size_t>(axis) >= rank ||
      static_cast<size_t>(tensor.shape()->Get(static_cast<flatbuffers::uoffset_t>(axis))) !=
          out->scales.size())
    return Invalid("{} scales along dimension {} of {}", out->scales.size(), axis, rank);
  out->axis = axis;
  return Status();
}

bool IsConstant(const ModelFile& file, const fb::Tensor& tensor) {
  return !tensor.is_variable() && !file.DataOf(tensor).empty();
}

Status ReadConstant(const ModelFile& file, const fb::Tensor& tensor, ir::Value* out) {
  int64_t elements = 0;
  out->name = NameOf(tensor);
  MICRORT_RETURN_IF_ERROR(CheckType(tensor, &out->dtype));
  MICRORT_RETURN_IF_ERROR(ReadShape(tensor, out->dtype, &out->shape, &elements));
  out->has_shape = true;
  MICRORT_RETURN_IF_ERROR(ReadQuantization(tensor, &out->quantization));
  return tensor.sparsity() == nullptr ? ReadData(file, tensor, elements, out)
                                      : ReadSparseData(file, tensor, elements, out);
}

ir::Value DequantizedConstant(const ir::Value& constant) {
  const ir::Quantization& q = constant.quantization;
  std::vector<int64_t> integers;
  ir::AnyIntegersOf(constant, &integers);
  size_t inner = 1;
  for (int i = q.axis + 1; i < constant.rank(); ++i)
    inner *= static_cast<size_t>(constant.shape[static_cast<size_t>(i)]);
  ir::Bytes bytes(integers.size() * sizeof(float));
  auto* floats = reinterpret_cast<float*>(bytes.data());
  for (size_t i = 0; i < integers.size(); ++i) {
    const size_t channel = q.scales.size() == 1 ? 0 : i / inner % q.scales.size();
    const int32_t zero_point = q.zero_points.empty() ? 0 : q.zero_points[channel];
    // As doubles, since integers may be the least of 64 bits.
    floats[i] = static_cast<float>(static_cast<double>(integers[i]) - zero_point) * q.scales[channel];
  }
  ir::Value out = constant;
  out.dtype = DType::kFloat32;
  out.data = std::make_shared<const ir::Bytes>(std::move(bytes));
  out.quantization = {};
  const bool is_byte = constant.dtype == DType::kInt8 || constant.dtype == DType::kUInt8;
  if (is_byte) out.source_quantization = q;
  if (constant.dtype == DType::kInt32 && q.zero_points.empty())
    out.source_integers = ir::SourceIntegers(integers);
  return out;
}

Status ReadInput(const fb::Tensor& tensor, ir::Value* out) {
  int64_t elements = 0;
  out->name = NameOf(tensor);
  out->in_source = true;
  MICRORT_RETURN_IF_ERROR(CheckType(tensor, &out->dtype));
  MICRORT_RETURN_IF_ERROR(ReadShape(tensor, out->dtype, &out->shape, &elements));
  MICRORT_RETURN_IF_ERROR(ReadQuantization(tensor, &out->quantization));
  out->has_shape = true;
  const auto* signature = tensor.shape_signature();
  if (signature == nullptr || signature->size() != out->shape.size()) return Status();
  for (size_t i = 0; i < out->shape.size(); ++i) {
    if (signature->Get(static_cast<flatbuffers::uoffset_t>(i)) == -1) out->shape[i] = ir::kDynamic;
  }
  return Status();
}

}  // namespace micrort::frontend::tflite
