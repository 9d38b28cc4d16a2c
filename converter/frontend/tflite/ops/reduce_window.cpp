// DILATE and REDUCE_WINDOW.

#include <algorithm>
#include <limits>

#include "converter/frontend/tflite/ops/window.h"
#include "converter/frontend/tflite/registry.h"
#include "converter/lower/reduce_windows.h"

namespace micrort::frontend::tflite {

namespace {

using schema::ReduceKind;

Status ImportReduceWindow(OpContext& c) {
  ReduceKind kind = ReduceKind::Sum;
  switch (c.op.Options2<fb::ReduceWindowOptionsT>().reduce_function) {
    case fb::ReduceWindowFunction::Add:
      break;
    case fb::ReduceWindowFunction::Mul:
      kind = ReduceKind::Prod;
      break;
    case fb::ReduceWindowFunction::Minimum:
    case fb::ReduceWindowFunction::All:
      kind = ReduceKind::Min;
      break;
    case fb::ReduceWindowFunction::Maximum:
    case fb::ReduceWindowFunction::Any:
      kind = ReduceKind::Max;
      break;
    default:
      return Invalid("no function to reduce by");
  }
  lower::ReducedWindow window;
  MICRORT_ASSIGN_OR_RETURN(window.size, c.ConstantIntegers(2));
  MICRORT_ASSIGN_OR_RETURN(window.stride, c.ConstantIntegers(3));
  MICRORT_ASSIGN_OR_RETURN(window.dilation, c.ConstantIntegers(4));
  MICRORT_ASSIGN_OR_RETURN(
      const ir::ValueId y,
      lower::ReduceWindows(c.build, c.input(0), c.build.Reshape(c.input(1), {}), kind, window));
  return c.Return(y);
}

Status ImportDilate(OpContext& c) {
  MICRORT_ASSIGN_OR_RETURN(std::vector<int64_t> dilations, c.ConstantIntegers(1));
  MICRORT_ASSIGN_OR_RETURN(ir::ValueId y, Dilated(c, c.input(0), dilations, c.build.Reshape(c.input(2), {})));
  return c.Return(y);
}

constexpr OpSupport kWindowSupport = Types(kAllTypes).Without("shapes that are not fixed");

}  // namespace

Result<ir::ValueId> Dilated(OpContext& c, ir::ValueId x, const std::vector<int64_t>& dilations,
                            ir::ValueId fill) {
  const auto rank = static_cast<size_t>(c.value(x).rank());
  if (dilations.size() != rank || !c.value(x).is_static())
    return Unsupported("{} dilations of a shape of {} dimensions; expected as many, and a fixed shape",
                       dilations.size(), rank);
  for (size_t i = 0; i < rank; ++i) {
    const int64_t size = c.value(x).dim(i);
    if (dilations[i] < 1 || dilations[i] > std::numeric_limits<int32_t>::max() / std::max<int64_t>(1, size))
      return Invalid("dilation {}", dilations[i]);
    if (dilations[i] == 1 || size < 2) continue;
    const auto axis = static_cast<int>(i);
    schema::PadOptionsT pad;
    pad.pads.assign(2 * (rank + 1), 0);
    pad.pads[rank + 1 + i + 1] = dilations[i] - 1;
    const ir::ValueId spaced =
        c.build.Add(std::move(pad), {c.build.InsertDim(x, axis + 1), ir::kNoValue, fill});
    std::vector<int32_t> shape;
    for (size_t k = 0; k < rank; ++k)
      shape.push_back(static_cast<int32_t>(c.value(x).dim(k) * (k == i ? dilations[i] : 1)));
    x = c.build.Slice(c.build.Reshape(spaced, shape), axis, 0, (size - 1) * dilations[i] + 1);
  }
  return c.build.Checked(x);
}

const ImporterList ReduceWindowImporters = {
    {"DILATE", 3, 3, ImportDilate, kWindowSupport},
    {"REDUCE_WINDOW", 5, 5, ImportReduceWindow, kWindowSupport},
};

}  // namespace micrort::frontend::tflite
