#pragma once
// Whether a graph is a decoder that keeps its keys and values (mnnconvert --kv-cache).

#include <algorithm>

#include "converter/ir/graph.h"

namespace micrort::passes {

inline bool KeepsCaches(const ir::Graph& graph) {
  return std::any_of(graph.states.begin(), graph.states.end(),
                     [](const ir::State& state) { return state.kind == schema::StateKind::Cache; });
}

}  // namespace micrort::passes
