#pragma once
// Models whose attributes a run sets and the next one reads.

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "tests/converter/converted.h"
#include "tests/converter/torch_archive.h"

namespace micrort::testing {

inline constexpr char kPickledNone[] = "N";

inline ConvertOptions ForInputX(const std::vector<int64_t>& shape = {1, 2}) {
  ConvertOptions options;
  options.input_shapes = {{"x", shape}};
  return options;
}

inline TorchArchive StatefulNet(const std::string& body, const std::string& more = "") {
  return TorchArchive("  def forward(self: __torch__.Net, x: Tensor" + more + ") -> Tensor:\n" + body);
}

inline size_t StatesOf(const Converted& model) {
  if (!model.status().ok()) return 999;
  const auto* graph = schema::GetModel(model.result().file.data())->subgraphs()->Get(0);
  return graph->states() == nullptr ? 0 : graph->states()->size();
}

// What the model gives for x = [1, 2], run after run; `states`: how many it keeps.
inline void ExpectRuns(const TorchArchive& archive, const std::vector<std::string>& outputs,
                       std::optional<size_t> states = std::nullopt) {
  Converted model("model.pt", archive.Bytes(), ForInputX());
  for (size_t i = 0; i < outputs.size(); ++i)
    EXPECT_EQ(model.Run({Counting({1, 2})}), outputs[i]) << "run " << i;
  if (states) {
    EXPECT_EQ(StatesOf(model), *states);
  }
}

}  // namespace micrort::testing
