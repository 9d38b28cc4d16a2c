#include "tests/converter/folded_values.h"

#include <gtest/gtest.h>

#include "converter/ir/constant_values.h"

namespace micrort::testing {

namespace {

std::vector<float> FloatsOf(const ir::Value& value) {
  std::vector<float> floats;
  std::vector<int64_t> integers;
  if (ir::FloatsOf(value, &floats)) return floats;
  EXPECT_TRUE(ir::IntegersOf(value, &integers)) << value.name << " is no constant";
  for (int64_t v : integers) floats.push_back(static_cast<float>(v));
  return floats;
}

}  // namespace

std::vector<std::vector<float>> FoldedValues(const OnnxBuilder& builder) {
  Imported imported = Import(builder);
  EXPECT_TRUE(imported.status.ok()) << imported.text();
  std::vector<std::vector<float>> values;
  if (!imported.status.ok()) return values;
  const ir::Graph& graph = imported.graph();
  const ir::Graph::Uses uses = graph.ComputeUses();
  for (ir::ValueId id : graph.outputs) {
    const ir::Node* copy = uses.producer[static_cast<size_t>(id)];
    const bool folded = copy != nullptr && graph.value(copy->inputs[0]).is_constant();
    EXPECT_TRUE(folded) << graph.value(id).name;
    values.push_back(folded ? FloatsOf(graph.value(copy->inputs[0])) : std::vector<float>());
  }
  return values;
}

std::vector<float> FoldedY(OnnxBuilder& builder) {
  const auto values = FoldedValues(builder.Output("y"));
  return values.empty() ? std::vector<float>() : values[0];
}

}  // namespace micrort::testing
