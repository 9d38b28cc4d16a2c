#pragma once
// Reading optional parts of the file: an absent string is empty, an absent list has no elements.

#include "kernels/base/checked_math.h"
#include "kernels/base/dtype.h"
#include "kernels/base/int4.h"
#include "kernels/base/shape.h"
#include "kernels/base/span.h"
#include "micrort/tensor_view.h"
#include "schema/micrort_generated.h"

namespace micrort {

inline const char* Text(const flatbuffers::String* s) { return s == nullptr ? "" : s->c_str(); }

template <typename T>
uint32_t Count(const flatbuffers::Vector<T>* list) {
  return list == nullptr ? 0 : list->size();
}

// Lists of 32-bit integers lie in the file as in memory.
inline Span<const int32_t> Ints(const flatbuffers::Vector<int32_t>* list) {
  return list == nullptr ? Span<const int32_t>() : Span<const int32_t>(list->data(), list->size());
}

inline DType TypeOf(const schema::Tensor& tensor) {
  return static_cast<DType>(static_cast<uint8_t>(tensor.dtype()));
}

// As the file says it: -1 where a dimension is dynamic. For lists of at most kMaxRank dimensions.
inline Shape ShapeOf(const schema::Tensor& tensor) {
  Shape shape;
  for (const int32_t dim : Ints(tensor.shape())) shape.dims[shape.rank++] = dim;
  return shape;
}

// How many scales an int4 tensor has, which loading has checked.
inline size_t ScalesOfInt4(const schema::Tensor& tensor, const schema::Quantization& q) {
  if (q.axis() < 0) return 1;
  const Shape shape = ShapeOf(tensor);
  const int64_t slices = shape[q.axis()];
  if (q.group() == 0 || slices == 0) return static_cast<size_t>(slices);
  return static_cast<size_t>(slices * CeilDiv(2 * (shape.elements() / slices), int64_t{q.group()}));
}

// Reads nothing of halves, whose pages have been let go if the weights are packed.
inline QuantizationView QuantizationOf(const schema::Tensor& tensor) {
  const schema::Quantization* q = tensor.quantization();
  if (q == nullptr) return {};
  const Span<const int32_t> zero_points = Ints(q->zero_points());
  if (kHasInt4Layers && q->half_scales() != nullptr)
    return {nullptr, zero_points.data(), ScalesOfInt4(tensor, *q), q->axis(), q->group()};
  if (Count(q->scales()) == 0) return {};
  return {q->scales()->data(), zero_points.data(), q->scales()->size(), q->axis(), q->group()};
}

// Lies in the file as in memory; null where it is absent.
template <typename T>
const T* DataOf(const flatbuffers::Vector<T>* list) {
  return list == nullptr ? nullptr : list->data();
}

// What a buffer holds, in the flatbuffer or behind it. Its index and place are valid already.
Span<const uint8_t> BytesOfBuffer(const schema::Model& model, uint32_t index);

// The file lies in read-only memory; nothing writes through the data of a constant.
inline void* BufferData(const schema::Model& model, uint32_t buffer) {
  return const_cast<uint8_t*>(BytesOfBuffer(model, buffer).data());
}

// For int4.
inline Int4Grid Int4GridOf(const schema::Tensor& tensor) {
  const schema::Quantization* q = tensor.quantization();
  if (!kHasInt4Layers || q == nullptr || TypeOf(tensor) != DType::kInt4) return {};
  return Int4Grid::Of(DataOf(q->scales()), DataOf(q->half_scales()), DataOf(q->zero_points()),
                      DataOf(q->int4_zero_points()));
}

// The name of a dynamic dimension; "" if it has none.
inline const char* DimName(const schema::Tensor& tensor, int dim) {
  const bool is_named = ShapeOf(tensor)[dim] < 0 && static_cast<uint32_t>(dim) < Count(tensor.dim_names());
  return is_named ? Text(tensor.dim_names()->Get(static_cast<uint32_t>(dim))) : "";
}

// Values that the interpreter keeps between runs; see Subgraph.states.
inline size_t StateCount(const schema::Subgraph& graph) { return Count(graph.states()); }

// What callers see of a graph.
inline Span<const int32_t> CallerInputs(const schema::Subgraph& graph) {
  const Span<const int32_t> all = Ints(graph.inputs());
  return {all.data(), all.size() - StateCount(graph)};
}
inline Span<const int32_t> CallerOutputs(const schema::Subgraph& graph) {
  const Span<const int32_t> all = Ints(graph.outputs());
  return {all.data(), all.size() - StateCount(graph)};
}

inline const schema::Tensor& InputTensor(const schema::Subgraph& graph, size_t input) {
  return *graph.tensors()->Get(static_cast<uint32_t>(Ints(graph.inputs())[input]));
}

}  // namespace micrort
