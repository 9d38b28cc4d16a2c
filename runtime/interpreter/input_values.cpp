#include "runtime/interpreter/input_values.h"

#include <cstring>

#include "kernels/base/checked_math.h"

namespace micrort {

namespace {

// Shapes, sizes, indices and the like.
constexpr int64_t kMaxInputElements = 4096;

size_t BytesOf(const schema::Tensor& tensor, const Shape& shape) {
  return static_cast<size_t>(shape.elements()) * SizeOf(TypeOf(tensor));
}

Status CheckValue(const schema::Tensor& tensor, size_t input, const Shape& shape, const void* value) {
  int64_t elements = 0;
  if (!shape.CheckedElements(SizeOf(TypeOf(tensor)), &elements) || elements > kMaxInputElements) {
    return MICRORT_ERROR(
        kInvalidArgument,
        "input %zu ('%.100s') decides shapes: expected at most %lld elements, found shape %s", input,
        Text(tensor.name()), static_cast<long long>(kMaxInputElements), ShapeString(shape).c_str());
  }
  if (value == nullptr && elements != 0) {
    return MICRORT_ERROR(kInvalidArgument,
                         "input %zu ('%.100s') decides shapes: its value must be given with the shapes",
                         input, Text(tensor.name()));
  }
  return Status();
}

}  // namespace

Status InputValues::Init(const schema::Subgraph& graph, Span<const Shape> shapes,
                         Span<const void* const> values) {
  if (!values.empty() && values.size() != shapes.size()) {
    return MICRORT_ERROR(kInvalidArgument, "expected %zu values, one an input, found %zu", shapes.size(),
                         values.size());
  }
  size_t bytes = 0;
  for (size_t i = 0; i < shapes.size(); ++i) {
    const schema::Tensor& tensor = InputTensor(graph, i);
    if (!tensor.decides_shapes()) continue;
    MICRORT_RETURN_IF_ERROR(CheckValue(tensor, i, shapes[i], values.empty() ? nullptr : values[i]));
    bytes += 2 * AlignUp(BytesOf(tensor, shapes[i]) + 1, kAlignment);
  }
  if (bytes == 0) return Status();
  MICRORT_RETURN_IF_ERROR(memory_.AllocateZeroed(bytes));
  MICRORT_RETURN_IF_ERROR(planned_.Allocate(shapes.size()));
  MICRORT_RETURN_IF_ERROR(shown_.Allocate(shapes.size()));
  MICRORT_RETURN_IF_ERROR(shapes_.Allocate(shapes.size()));
  auto* next = static_cast<uint8_t*>(memory_.data());
  for (size_t i = 0; i < shapes.size(); ++i) {
    const schema::Tensor& tensor = InputTensor(graph, i);
    shapes_[i] = shapes[i];
    if (!tensor.decides_shapes()) continue;
    const size_t size = BytesOf(tensor, shapes[i]);
    if (size != 0) std::memcpy(next, values[i], size);
    planned_[i] = next;
    shown_[i] = next + AlignUp(size + 1, kAlignment);
    if (size != 0) std::memcpy(shown_[i], values[i], size);
    next += 2 * AlignUp(size + 1, kAlignment);
  }
  return Status();
}

bool InputValues::KeepShapes(const schema::Subgraph& graph, Span<const Shape> shapes) const {
  if (shapes.size() != shapes_.size()) return false;
  for (size_t i = 0; i < shapes.size(); ++i) {
    if (InputTensor(graph, i).decides_shapes() && shapes[i] != shapes_[i]) return false;
  }
  return true;
}

Status InputValues::Check(const schema::Subgraph& graph) const {
  for (size_t i = 0; i < planned_.size(); ++i) {
    if (planned_[i] == nullptr) continue;
    const schema::Tensor& tensor = InputTensor(graph, i);
    if (std::memcmp(planned_[i], shown_[i], BytesOf(tensor, shapes_[i])) == 0) continue;
    return MICRORT_ERROR(kInvalidArgument,
                         "input %zu ('%.100s') decides shapes and holds another value than memory is planned "
                         "for: Resize() takes the new one",
                         i, Text(tensor.name()));
  }
  return Status();
}

}  // namespace micrort
