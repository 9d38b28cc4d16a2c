#pragma once
// Reading optional parts of the file: an absent string is empty, an absent list has no elements.

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

inline QuantizationView QuantizationOf(const schema::Tensor& tensor) {
  const schema::Quantization* q = tensor.quantization();
  if (q == nullptr) return {};
  const uint32_t count = Count(q->scales()), halves = Count(q->half_scales());
  if (count == 0 && halves == 0) return {};
  const Span<const int32_t> zero_points = Ints(q->zero_points());
  return {count == 0 ? nullptr : q->scales()->data(), zero_points.data(), count == 0 ? halves : count,
          q->axis(), q->group()};
}

// Lies in the file as in memory; null where it is absent.
template <typename T>
const T* DataOf(const flatbuffers::Vector<T>* list) {
  return list == nullptr ? nullptr : list->data();
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
