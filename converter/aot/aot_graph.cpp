#include "converter/aot/aot_graph.h"

#include <algorithm>

namespace micrort::aot {

int AotGraph::ArgIndex(int32_t view) const {
  const auto found = std::find(args_.begin(), args_.end(), view);
  return found == args_.end() ? -1 : static_cast<int>(found - args_.begin());
}

size_t AotGraph::OffsetOf(int32_t view) const {
  const View& v = program().view(view);
  return base_ + offsets_[static_cast<size_t>(v.buffer)] + v.offset;
}

size_t AotGraph::ScratchOffsetOf(const Step& step) const {
  return base_ + offsets_[program().buffers.size() + static_cast<size_t>(step.node)];
}

AotGraph BodyOf(const AotGraph& owner, const Step& step, size_t index) {
  const Subgraph& body = SubgraphOf(*owner.node(step.node).bodies[index]);
  const Span<const int32_t> inputs = body.graph().inputs();
  std::vector<int32_t> args(inputs.begin(), inputs.end());
  for (const int32_t output : body.graph().outputs()) {
    // What no step computes stays where it is.
    const auto computes = [output](const Step& s) {
      return !s.removed && std::count(s.outputs.begin(), s.outputs.end(), output) != 0;
    };
    const Span<const Step> steps = body.program().steps;
    args.push_back(std::any_of(steps.begin(), steps.end(), computes) ? output : -1);
  }
  return AotGraph(&body, body.memory().offsets, owner.ScratchOffsetOf(step), std::move(args));
}

}  // namespace micrort::aot
