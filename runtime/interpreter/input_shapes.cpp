#include "runtime/interpreter/input_shapes.h"

#include <cstring>

namespace micrort {

namespace {

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

// Dimensions of one name, of all inputs up to this one, must have one size.
Status CheckDimName(const schema::Subgraph& graph, Span<const Shape> shapes, size_t input, int dim) {
  const char* name = DimName(InputTensor(graph, input), dim);
  if (*name == '\0') return Status();
  for (size_t i = 0; i <= input; ++i) {
    const schema::Tensor& other = InputTensor(graph, i);
    const int end = i == input ? dim : shapes[i].rank;
    for (int d = 0; d < end; ++d) {
      if (std::strcmp(DimName(other, d), name) != 0) continue;
      if (shapes[i][d] == shapes[input][dim]) return Status();
      return MICRORT_ERROR(kInvalidArgument,
                           "dimension %d ('%.50s'): expected %lld, as dimension %d of input %zu ('%.50s'), "
                           "found %lld",
                           dim, name, static_cast<long long>(shapes[i][d]), d, i, Text(other.name()),
                           static_cast<long long>(shapes[input][dim]));
    }
  }
  return Status();
}

Status CheckDimNames(const schema::Subgraph& graph, Span<const Shape> shapes, size_t input) {
  for (int d = 0; d < shapes[input].rank; ++d) {
    MICRORT_RETURN_IF_ERROR(CheckDimName(graph, shapes, input, d));
  }
  return Status();
}

}  // namespace

Status DefaultInputShapes(const schema::Subgraph& graph, FixedArray<Shape>* shapes) {
  MICRORT_RETURN_IF_ERROR(shapes->Allocate(CallerInputs(graph).size()));
  for (size_t i = 0; i < shapes->size(); ++i) {
    Shape& shape = (*shapes)[i];
    shape = ShapeOf(InputTensor(graph, i));
    for (int d = 0; d < shape.rank; ++d) shape[d] = shape[d] < 0 ? 1 : shape[d];
  }
  return Status();
}

Status CheckInputShapes(const schema::Subgraph& graph, Span<const Shape> shapes) {
  const size_t inputs = CallerInputs(graph).size();
  if (shapes.size() != inputs) {
    return MICRORT_ERROR(kInvalidArgument, "expected %zu shapes, one an input, found %zu", inputs,
                         shapes.size());
  }
  for (size_t i = 0; i < inputs; ++i) {
    const schema::Tensor& tensor = InputTensor(graph, i);
    Status s = CheckInputShape(ShapeOf(tensor), shapes[i]);
    if (s.ok()) s = CheckDimNames(graph, shapes, i);
    if (!s.ok()) {
      return s.WithPrefix("input %zu ('%.100s')", i, Text(tensor.name()));
    }
  }
  return Status();
}

}  // namespace micrort
