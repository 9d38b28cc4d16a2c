#pragma once
// The values of the graph inputs that decide shapes, from planning to the end of these shapes.

#include "kernels/base/fixed_array.h"
#include "runtime/memory/aligned_memory.h"
#include "runtime/model/schema_text.h"

namespace micrort {

class InputValues {
 public:
  // Copies the values of the inputs that the file marks. kInvalidArgument, naming the input, if one is
  // missing or has too many elements.
  Status Init(const schema::Subgraph& graph, Span<const Shape> shapes, Span<const void* const> values);

  // The values planned with, one an input: null for inputs that decide nothing. Empty if none does.
  Span<const void* const> planned() const { return {planned_.data(), planned_.size()}; }
  // Where the caller sees and writes the input; null for inputs that decide nothing.
  void* data(size_t input) const { return input < shown_.size() ? shown_[input] : nullptr; }
  // Whether these shapes leave the inputs that decide something as they are.
  bool KeepShapes(const schema::Subgraph& graph, Span<const Shape> shapes) const;
  // kInvalidArgument, naming the input, if the caller has changed a value since.
  Status Check(const schema::Subgraph& graph) const;

 private:
  AlignedMemory memory_;
  FixedArray<const void*> planned_;
  FixedArray<void*> shown_;
  FixedArray<Shape> shapes_;
};

}  // namespace micrort
