#pragma once
// Graphs inside operators, as frontends import them.

#include <memory>
#include <vector>

#include "converter/ir/graph.h"

namespace micrort::frontend {

struct ImportedBody {
  std::shared_ptr<ir::Graph> graph;
  std::vector<ir::ValueId> captures;  // values around it that the inputs after those asked for stand for
};

// Gives two branches without other inputs the same captures, in one order, and returns these.
std::vector<ir::ValueId> AlignCaptures(const ir::Graph& around, ImportedBody (&branches)[2]);

}  // namespace micrort::frontend
