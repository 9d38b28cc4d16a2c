#include "converter/target/static_shapes.h"

#include <algorithm>

#include "kernels/base/target.h"

namespace micrort::target {

bool PlansNothing(CpuFeatures features) { return (features & kCpuMicrocontroller) != 0; }

std::vector<NamedShape> ShapesOfOne(const ir::Graph& graph, const std::vector<NamedShape>& given) {
  std::vector<NamedShape> shapes;
  for (size_t i = 0; i < graph.inputs.size(); ++i) {
    const ir::Value& input = graph.value(graph.inputs[i]);
    const bool is_given = std::any_of(given.begin(), given.end(), [&](const NamedShape& shape) {
      return shape.first == input.name || shape.first == "#" + std::to_string(i);
    });
    if (is_given || !input.has_shape || input.is_static()) continue;
    NamedShape shape = {input.name, input.shape};
    std::replace_if(
        shape.second.begin(), shape.second.end(), [](int64_t dim) { return dim < 0; }, int64_t{1});
    shapes.push_back(std::move(shape));
  }
  return shapes;
}

}  // namespace micrort::target
