#include "converter/frontend/torchscript/ops/picked_view.h"

#include <numeric>

namespace micrort::frontend::torchscript {

namespace {

constexpr int64_t kMaxWritten = 1 << 20;  // elements, all positions of which become a constant

}  // namespace

void ReturnPicked(OpContext& c, ir::ValueId x, const std::function<ir::ValueId(ir::ValueId)>& pick) {
  const ir::Value whole = c.value(x);
  const ir::ValueId y = pick(x);
  c.ReturnView(y, nullptr, nullptr);
  const bool can_write = c.status().ok() && whole.is_static() && whole.elements() <= kMaxWritten;
  if (can_write) {
    std::vector<int64_t> all(static_cast<size_t>(whole.elements()));
    std::iota(all.begin(), all.end(), 0);
    const std::vector<int64_t> shape = whole.shape;
    const auto positions = c.Later(pick(c.build.Constant(shape, all)));
    const auto read = [=](ir::Builder& build, ir::ValueId base) {
      return build.Gather(build.Reshape(base, {ir::kInferDim}), positions(), 0);
    };
    const auto write = [=](ir::Builder& build, ir::ValueId base, ir::ValueId part) {
      const ir::ValueId flat = build.Reshape(base, {ir::kInferDim});
      const ir::ValueId changed = build.Add(
          schema::ScatterElementsOptionsT(),
          {flat, build.Reshape(positions(), {ir::kInferDim}), build.Reshape(part, {ir::kInferDim})});
      return build.Reshape(changed, std::vector<int32_t>(shape.begin(), shape.end()));
    };
    c.ReturnView(y, read, write);
  }
  MarkReordered(c);
}

}  // namespace micrort::frontend::torchscript
