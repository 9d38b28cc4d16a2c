#pragma once
// Graphs inside operators, as frontends import them.

#include <cstdint>
#include <memory>
#include <vector>

#include "converter/ir/graph.h"
#include "kernels/base/status.h"

namespace micrort::frontend {

struct ImportedBody {
  std::shared_ptr<ir::Graph> graph;
  std::vector<ir::ValueId> captures;  // values around it that the inputs after those asked for stand for
  bool misfits = false;               // one of its operators cannot run with the sizes that it gets
};

// An input of a body that stands for `outer`, of any size in the dimensions that iterations change, a bit
// each.
ir::Value BodyInputFor(const ir::Value& outer, uint32_t changing_dims);

// Gives two branches without other inputs the same captures, in one order, and returns these.
std::vector<ir::ValueId> AlignCaptures(const ir::Graph& around, ImportedBody (&branches)[2]);

}  // namespace micrort::frontend
