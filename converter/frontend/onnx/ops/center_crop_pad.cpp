// CenterCropPad: crops or pads axes on both sides to a given size.

#include <algorithm>

#include "converter/frontend/onnx/registry.h"

namespace micrort::frontend::onnx {

namespace {

Status ReadAxes(NodeContext& c, std::vector<int>* axes) {
  const int rank = c.x().rank();
  std::vector<int64_t> listed = c.Ints("axes");
  for (int i = 0; listed.empty() && i < rank; ++i) axes->push_back(i);
  if (!listed.empty()) MICRORT_RETURN_IF_ERROR(Take(NormalizeAxes(listed, rank), axes));
  if (c.x(1).rank() == 1 && c.x(1).shape[0] == static_cast<int64_t>(axes->size())) return Status();
  return Invalid("shape: expected {} entries", axes->size());
}

// Entries of `list`, one for each of `axes`, at their places among `rank` dimensions; 0 for the others.
void AppendInOrder(NodeContext& c, const std::vector<int>& axes, int rank, ir::ValueId list,
                   std::vector<ir::ValueId>* parts) {
  for (int dim = 0; dim < rank; ++dim) {
    const auto at = std::find(axes.begin(), axes.end(), dim) - axes.begin();
    const bool found = at < static_cast<std::ptrdiff_t>(axes.size());
    parts->push_back(found ? c.build.Slice(list, 0, at, at + 1) : c.build.Integers({0}));
  }
}

Status ImportCenterCropPad(NodeContext& c) {
  std::vector<int> axes;
  MICRORT_RETURN_IF_ERROR(ReadAxes(c, &axes));
  const int rank = c.x().rank();
  const std::vector<int64_t> indices(axes.begin(), axes.end());
  const ir::ValueId dims = c.build.Gather(c.build.ShapeOf(c.input(0)), c.build.Integers(indices), 0);
  const ir::ValueId wanted = c.build.Cast(c.input(1), DType::kInt64);
  // Negative where cropped; half of it is rounded towards zero.
  const ir::ValueId both = c.build.Sub(wanted, dims);
  const ir::ValueId begin = c.build.Div(both, c.build.Integers({2}));
  const ir::ValueId end = c.build.Sub(both, begin);
  std::vector<ir::ValueId> parts;
  AppendInOrder(c, axes, rank, begin, &parts);
  AppendInOrder(c, axes, rank, end, &parts);
  const ir::ValueId pads = c.build.Concat(parts, 0);
  schema::PadOptionsT options;
  if (ir::IntegersOf(c.value(pads), &options.pads))
    return c.Return(c.build.Add(std::move(options), {c.input(0)}));
  return c.Return(c.build.Add(std::move(options), {c.input(0), pads}));
}

}  // namespace

const ImporterList CenterCropPadImporters = {
    {"CenterCropPad", 2, 2, ImportCenterCropPad, Types(kAllTypes).Since(18)},
};

}  // namespace micrort::frontend::onnx
