#include "runtime/interpreter/input_shapes.h"

#include <algorithm>
#include <cstring>

#include "runtime/interpreter/size_rules.h"

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

// A dynamic dimension of an input that has a name.
struct NamedDim {
  const char* name;
  uint32_t input;
  int dim;
};

// Many dimensions may share one long name in the file.
int CompareNames(const NamedDim& a, const NamedDim& b) {
  return a.name == b.name ? 0 : std::strcmp(a.name, b.name);
}

size_t CollectNamedDims(const schema::Subgraph& graph, Span<const Shape> shapes, NamedDim* out) {
  size_t count = 0;
  for (size_t i = 0; i < shapes.size(); ++i) {
    for (int d = 0; d < shapes[i].rank; ++d) {
      const char* name = DimName(InputTensor(graph, i), d);
      if (*name == '\0') continue;
      if (out != nullptr) out[count] = {name, static_cast<uint32_t>(i), d};
      ++count;
    }
  }
  return count;
}

// Dimensions of one name must have one size. Sorted, so that a file of many names takes no longer than it is
// long; the first of a name is in front of the others.
Status CheckDimNames(const schema::Subgraph& graph, Span<const Shape> shapes) {
  FixedArray<NamedDim> dims;
  MICRORT_RETURN_IF_ERROR(dims.Allocate(CollectNamedDims(graph, shapes, nullptr)));
  CollectNamedDims(graph, shapes, dims.data());
  std::sort(dims.begin(), dims.end(), [](const NamedDim& a, const NamedDim& b) {
    const int order = CompareNames(a, b);
    if (order != 0) return order < 0;
    return a.input != b.input ? a.input < b.input : a.dim < b.dim;
  });
  const NamedDim* first = dims.begin();
  for (const NamedDim& at : dims) {
    if (CompareNames(*first, at) != 0) first = &at;
    const int64_t expected = shapes[first->input][first->dim], found = shapes[at.input][at.dim];
    if (expected == found) continue;
    return MICRORT_ERROR(
        kInvalidArgument,
        "input %u ('%.100s'): dimension %d ('%.50s'): expected %lld, as dimension %d of input %u "
        "('%.50s'), found %lld",
        at.input, Text(InputTensor(graph, at.input).name()), at.dim, at.name,
        static_cast<long long>(expected), first->dim, first->input,
        Text(InputTensor(graph, first->input).name()), static_cast<long long>(found));
  }
  return Status();
}

void SetOpenDims(const schema::Subgraph& graph, Span<Shape> shapes) {
  for (size_t i = 0; i < shapes.size(); ++i) {
    shapes[i] = ShapeOf(InputTensor(graph, i));
    for (int d = 0; d < shapes[i].rank; ++d) shapes[i][d] = shapes[i][d] < 0 ? 1 : shapes[i][d];
  }
}

}  // namespace

Status DefaultInputShapes(const schema::Subgraph& graph, FixedArray<Shape>* shapes) {
  MICRORT_RETURN_IF_ERROR(shapes->Allocate(CallerInputs(graph).size()));
  const Span<Shape> sizes(shapes->data(), shapes->size());
  SetOpenDims(graph, sizes);
  if (!KeepSizeRules(graph, sizes)) SetOpenDims(graph, sizes);
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
    if (Status s = CheckInputShape(ShapeOf(tensor), shapes[i]); !s.ok()) {
      return s.WithPrefix("input %zu ('%.100s')", i, Text(tensor.name()));
    }
  }
  MICRORT_RETURN_IF_ERROR(CheckDimNames(graph, shapes));
  return CheckSizeRules(graph, shapes);
}

}  // namespace micrort
