#include "runtime/program/program.h"

#include <algorithm>

namespace micrort {

View WholeView(int32_t buffer, DType dtype, const Shape& shape) {
  View view;
  view.buffer = buffer;
  view.dtype = dtype;
  view.shape = shape;
  int64_t stride = 1;
  for (int d = shape.rank - 1; d >= 0; --d) {
    view.strides[d] = stride;
    stride *= shape[d];
  }
  return view;
}

bool IsWhole(const View& view) {
  const View whole = WholeView(view.buffer, view.dtype, view.shape);
  return view.offset == 0 && std::equal(whole.strides, whole.strides + view.shape.rank, view.strides);
}

size_t FindStep(const Program& program, uint32_t node) {
  const Step* step =
      std::lower_bound(program.steps.begin(), program.steps.end(), node,
                       [](const Step& a, uint32_t b) { return static_cast<uint32_t>(a.node) < b; });
  if (step == program.steps.end() || static_cast<uint32_t>(step->node) != node || step->removed) {
    return SIZE_MAX;
  }
  return static_cast<size_t>(step - program.steps.begin());
}

Status CountReaders(const Program& program, FixedArray<uint32_t>* readers) {
  MICRORT_RETURN_IF_ERROR(readers->Allocate(program.views.size()));
  const auto count = [readers](Span<const int32_t> views) {
    for (const int32_t v : views) {
      if (v >= 0) ++(*readers)[static_cast<size_t>(v)];
    }
  };
  count(program.outputs);
  for (const Step& step : program.steps) {
    if (!step.removed) count(step.inputs);
  }
  return Status();
}

Status FindProducers(const Program& program, FixedArray<size_t>* producers) {
  MICRORT_RETURN_IF_ERROR(producers->Allocate(program.views.size()));
  std::fill(producers->begin(), producers->end(), SIZE_MAX);
  for (size_t s = 0; s < program.steps.size(); ++s) {
    if (program.steps[s].removed) continue;
    for (const int32_t v : program.steps[s].outputs) (*producers)[static_cast<size_t>(v)] = s;
  }
  return Status();
}

}  // namespace micrort
