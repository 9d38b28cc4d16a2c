#pragma once
// Graphs inside operators, as frontends import them.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "converter/frontend/common/graph_assembler.h"

namespace micrort::frontend {

struct ImportedBody {
  std::shared_ptr<ir::Graph> graph;
  std::vector<ir::ValueId> captures;  // values around it that the inputs after those asked for stand for
  bool misfits = false;               // one of its operators cannot run with the sizes that it gets
};

// An input of a body that stands for `outer` of the graph around, of any size in the dimensions that
// iterations change, a bit each.
ir::ValueId AddBodyInput(GraphAssembler& body, const std::string& name, ir::ValueId outer,
                         uint32_t changing_dims);
// One that stands for no value: the number of an iteration, or whether there is one.
ir::ValueId AddScalarInput(ir::Graph* body, const std::string& name, DType dtype);

// After the import of an iteration that makes `after` of `before`, an input: adds the dimensions in which
// they differ to *changing_dims, and says in *widened whether one is new. Importers rely on the shapes that
// they see, so the body has to be imported again then. kUnsupported, naming the value, if its type or rank
// differs.
Status WidenCarried(const GraphAssembler& body, ir::ValueId before, ir::ValueId after,
                    const std::string& name, uint32_t* changing_dims, bool* widened);

// Appends an If. The branches, which have no other inputs, get the same captures, in one order.
std::vector<ir::ValueId> AddIf(ir::Builder& build, ir::ValueId condition, ImportedBody (&branches)[2]);

// Appends a Loop over values that are `carried` before the first iteration. trip_count, condition: kNoValue
// where nothing ends it, or nothing keeps it from its first iteration. has_condition: the body's first output
// is whether there is another iteration.
std::vector<ir::ValueId> AddLoop(ir::Builder& build, ir::ValueId trip_count, ir::ValueId condition,
                                 const std::vector<ir::ValueId>& carried, const ImportedBody& body,
                                 bool has_condition);

}  // namespace micrort::frontend
