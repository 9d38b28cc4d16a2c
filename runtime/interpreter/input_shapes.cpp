#include "runtime/interpreter/input_shapes.h"

namespace micrort {

namespace {

const schema::Tensor& InputTensor(const schema::Subgraph& graph, size_t input) {
  return *graph.tensors()->Get(static_cast<uint32_t>(Ints(graph.inputs())[input]));
}

Status CheckInputShape(const Shape& declared, const Shape& shape) {
  if (shape.rank != declared.rank) {
    return MICRORT_ERROR(kInvalidArgument, "expected rank %d (%s), found %d", declared.rank,
                         ShapeString(declared).c_str(), shape.rank);
  }
  for (int d = 0; d < shape.rank; ++d) {
    if (declared[d] >= 0 && shape[d] != declared[d]) {
      return MICRORT_ERROR(kInvalidArgument, "dimension %d: expected %lld, found %lld", d,
                           static_cast<long long>(declared[d]), static_cast<long long>(shape[d]));
    }
    if (shape[d] < 0) {
      return MICRORT_ERROR(kInvalidArgument, "dimension %d: expected 0 or more, found %lld", d,
                           static_cast<long long>(shape[d]));
    }
  }
  return Status();
}

}  // namespace

Status DefaultInputShapes(const schema::Subgraph& graph, FixedArray<Shape>* shapes) {
  MICRORT_RETURN_IF_ERROR(shapes->Allocate(Ints(graph.inputs()).size()));
  for (size_t i = 0; i < shapes->size(); ++i) {
    Shape& shape = (*shapes)[i];
    shape = ShapeOf(InputTensor(graph, i));
    for (int d = 0; d < shape.rank; ++d) shape[d] = shape[d] < 0 ? 1 : shape[d];
  }
  return Status();
}

Status CheckInputShapes(const schema::Subgraph& graph, Span<const Shape> shapes) {
  const size_t inputs = Ints(graph.inputs()).size();
  if (shapes.size() != inputs) {
    return MICRORT_ERROR(kInvalidArgument, "expected %zu shapes, one an input, found %zu", inputs,
                         shapes.size());
  }
  for (size_t i = 0; i < inputs; ++i) {
    const schema::Tensor& tensor = InputTensor(graph, i);
    if (Status s = CheckInputShape(ShapeOf(tensor), shapes[i]); !s.ok()) {
      return s.WithPrefix("input %zu ('%.100s')", i, Text(tensor.name()));
    }
  }
  return Status();
}

}  // namespace micrort
