#include "converter/frontend/tflite/tensor_reader.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "converter/frontend/tflite/model_file.h"
#include "converter/frontend/tflite/tensor_types.h"
#include "converter/ir/constant_values.h"
#include "converter/ir/graph.h"
#include "converter/ir/source_quantization.h"
#include "kernels/base/shape.h"

namespace micrort::frontend::tflite {

namespace {

Status ReadIndices(fb::SparseIndexVector type, const void* vector, std::vector<int64_t>* out) {
  const auto copy = [out](const auto* values) {
    if (values != nullptr) out->assign(values->begin(), values->end());
    return Status();
  };
  if (vector != nullptr) {
    switch (type) {
      case fb::SparseIndexVector::Int32Vector:
        return copy(static_cast<const fb::Int32Vector*>(vector)->values());
      case fb::SparseIndexVector::Uint16Vector:
        return copy(static_cast<const fb::Uint16Vector*>(vector)->values());
      case fb::SparseIndexVector::Uint8Vector:
        return copy(static_cast<const fb::Uint8Vector*>(vector)->values());
      default:
        break;
    }
  }
  return Invalid("sparsity: a dimension without indices");
}

struct SparseLevel {
  bool is_dense = true;
  int64_t size = 0;  // of the dimension, or of the blocks along one
  std::vector<int64_t> segments, indices;
  int64_t stride = 0;  // in elements of the tensor
};

class SparseReader {
 public:
  SparseReader(Span<const uint8_t> values, size_t element_bytes, ir::Bytes* out)
      : values_(values), element_bytes_(element_bytes), out_(*out) {}

  Status ReadLevels(const fb::SparsityParameters& sparsity, const std::vector<int64_t>& shape);
  Status Read() {
    // Without elements, dimensions may still be as long as they like.
    if (!out_.empty()) MICRORT_RETURN_IF_ERROR(Visit(0, 0, 0));
    if (taken_ * element_bytes_ == values_.size()) return Status();
    return Invalid("sparsity: {} elements are placed, its data has {} bytes", taken_, values_.size());
  }

 private:
  Status ReadLevel(const fb::DimensionMetadata& metadata, SparseLevel* level);
  Status SetStrides(const fb::SparsityParameters& sparsity, const std::vector<int64_t>& shape);
  Status Visit(size_t depth, int64_t position, int64_t offset);
  Status Place(int64_t offset);

  Span<const uint8_t> values_;
  size_t element_bytes_;
  ir::Bytes& out_;
  std::vector<SparseLevel> levels_;
  size_t taken_ = 0;
};

Status SparseReader::ReadLevel(const fb::DimensionMetadata& metadata, SparseLevel* level) {
  level->is_dense = metadata.format() == fb::DimensionType::Dense;
  level->size = metadata.dense_size();
  if (level->is_dense) return Status();
  MICRORT_RETURN_IF_ERROR(
      ReadIndices(metadata.array_segments_type(), metadata.array_segments(), &level->segments));
  return ReadIndices(metadata.array_indices_type(), metadata.array_indices(), &level->indices);
}

Status SparseReader::ReadLevels(const fb::SparsityParameters& sparsity, const std::vector<int64_t>& shape) {
  const size_t blocks = sparsity.block_map() == nullptr ? 0 : sparsity.block_map()->size();
  // A dimension is cut into blocks once; reading nests as deep as there are dimensions and blocks.
  if (blocks > shape.size()) return Invalid("sparsity: {} blocks of {} dimensions", blocks, shape.size());
  const size_t count = shape.size() + blocks;
  if (sparsity.traversal_order() == nullptr || sparsity.dim_metadata() == nullptr ||
      sparsity.traversal_order()->size() != count || sparsity.dim_metadata()->size() != count)
    return Invalid("sparsity: expected {} dimensions and blocks", count);
  levels_.resize(count);
  for (size_t i = 0; i < count; ++i) {
    MICRORT_RETURN_IF_ERROR(
        ReadLevel(*sparsity.dim_metadata()->Get(static_cast<flatbuffers::uoffset_t>(i)), &levels_[i]));
  }
  return SetStrides(sparsity, shape);
}

// Dimension d of the tensor steps over the blocks along it, if there are any; dimension rank + b is inside
// block b.
Status SparseReader::SetStrides(const fb::SparsityParameters& sparsity, const std::vector<int64_t>& shape) {
  const size_t rank = shape.size();
  std::vector<int64_t> strides(rank, 1), block(rank, 1);
  for (size_t d = rank; d-- > 1;) strides[d - 1] = strides[d] * shape[d];
  std::vector<int> level_of(levels_.size(), -1);
  for (size_t i = 0; i < levels_.size(); ++i) {
    const int d = sparsity.traversal_order()->Get(static_cast<flatbuffers::uoffset_t>(i));
    if (d < 0 || static_cast<size_t>(d) >= levels_.size() || level_of[static_cast<size_t>(d)] >= 0)
      return Invalid("sparsity: dimension {} in the order of traversal", d);
    level_of[static_cast<size_t>(d)] = static_cast<int>(i);
  }
  for (size_t b = rank; b < levels_.size(); ++b) {
    const int d = sparsity.block_map()->Get(static_cast<flatbuffers::uoffset_t>(b - rank));
    SparseLevel& level = levels_[static_cast<size_t>(level_of[b])];
    if (d < 0 || static_cast<size_t>(d) >= rank || block[static_cast<size_t>(d)] != 1 || !level.is_dense ||
        level.size < 1 || level.size > std::max<int64_t>(1, shape[static_cast<size_t>(d)]) ||
        shape[static_cast<size_t>(d)] % level.size != 0)
      return Invalid("sparsity: block {} of dimension {}", b - rank, d);
    block[static_cast<size_t>(d)] = level.size;
    level.stride = strides[static_cast<size_t>(d)];
  }
  for (size_t d = 0; d < rank; ++d) {
    SparseLevel& level = levels_[static_cast<size_t>(level_of[d])];
    const int64_t steps = shape[d] / block[d];
    if (level.is_dense && level.size != steps)
      return Invalid("sparsity: dimension {} of size {}", d, level.size);
    level.size = steps;
    level.stride = strides[d] * block[d];
  }
  return Status();
}

// `position`: of the element among those that the levels before have placed.
Status SparseReader::Visit(size_t depth, int64_t position, int64_t offset) {
  if (depth == levels_.size()) return Place(offset);
  const SparseLevel& level = levels_[depth];
  if (level.is_dense) {
    for (int64_t i = 0; i < level.size; ++i)
      MICRORT_RETURN_IF_ERROR(Visit(depth + 1, position * level.size + i, offset + i * level.stride));
    return Status();
  }
  const auto p = static_cast<size_t>(position);
  if (p + 1 >= level.segments.size()) return Invalid("sparsity: too few segments");
  const int64_t first = level.segments[p], last = level.segments[p + 1];
  if (first < 0 || last < first || static_cast<size_t>(last) > level.indices.size())
    return Invalid("sparsity: a segment leaves the list of indices");
  for (int64_t k = first; k < last; ++k) {
    const int64_t i = level.indices[static_cast<size_t>(k)];
    if (i < 0 || i >= level.size) return Invalid("sparsity: index {}", i);
    MICRORT_RETURN_IF_ERROR(Visit(depth + 1, k, offset + i * level.stride));
  }
  return Status();
}

Status SparseReader::Place(int64_t offset) {
  if ((taken_ + 1) * element_bytes_ > values_.size())
    return Invalid("sparsity: its data has only {} bytes", values_.size());
  std::memcpy(out_.data() + static_cast<size_t>(offset) * element_bytes_,
              values_.data() + taken_ * element_bytes_, element_bytes_);
  ++taken_;
  return Status();
}

// The elements of a constant that is stored sparsely, all of them; `out` has the tensor's type and shape
// already. kInvalidModel if indices leave the shape.
Status ReadSparseData(const ModelFile& file, const fb::Tensor& tensor, int64_t elements, ir::Value* out) {
  if (tensor.type() == fb::TensorType::Int4) return Unsupported("sparse int4");
  const size_t element_bytes = SizeOf(out->dtype);
  // A small file must not ask for any amount of memory.
  constexpr int64_t kMaxDenseBytes = int64_t{1} << 30;
  if (elements > kMaxDenseBytes / static_cast<int64_t>(element_bytes))
    return Unsupported("sparse data of {} elements", elements);
  ir::Bytes data(static_cast<size_t>(elements) * element_bytes);
  if (!out->quantization.zero_points.empty() && element_bytes == 1) {
    if (out->quantization.zero_points.size() != 1) return Unsupported("sparse with zero points");
    std::fill(data.begin(), data.end(), static_cast<uint8_t>(out->quantization.zero_points[0]));
  }
  SparseReader reader(file.DataOf(tensor), element_bytes, &data);
  MICRORT_RETURN_IF_ERROR(reader.ReadLevels(*tensor.sparsity(), out->shape));
  MICRORT_RETURN_IF_ERROR(reader.Read());
  out->data = std::make_shared<const ir::Bytes>(std::move(data));
  return Status();
}

bool IsQuantizedType(DType dtype) {
  return dtype == DType::kInt8 || dtype == DType::kUInt8 || dtype == DType::kInt16 ||
         dtype == DType::kInt32 || dtype == DType::kInt64;
}

Status CheckType(const fb::Tensor& tensor, DType* dtype) {
  *dtype = DTypeOf(tensor.type());
  return *dtype != DType::kUnknown ? Status() : Unsupported("element type {}", TypeName(tensor.type()));
}

Result<int64_t> ReadShape(const fb::Tensor& tensor, DType dtype, std::vector<int64_t>* shape) {
  int64_t elements = 0;
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
  if (checked.CheckedElements(SizeOf(dtype), &elements)) return elements;
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
  out->name = NameOf(tensor);
  MICRORT_RETURN_IF_ERROR(CheckType(tensor, &out->dtype));
  MICRORT_ASSIGN_OR_RETURN(int64_t elements, ReadShape(tensor, out->dtype, &out->shape));
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
  out->name = NameOf(tensor);
  out->in_source = true;
  MICRORT_RETURN_IF_ERROR(CheckType(tensor, &out->dtype));
  MICRORT_RETURN_IF_ERROR(ReadShape(tensor, out->dtype, &out->shape).status());
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
