#pragma once
// Graphs inside operators, as frontends import them.

#include <cstdint>
#include <functional>
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

// A value that iterations of a loop hand on. Formats add what they know of theirs.
struct Carried {
  ir::ValueId first = ir::kNoValue;  // before the first iteration
  std::string name;                  // of the body's input
  std::string shown;                 // for messages; empty: the value, by its name
  uint32_t changing_dims = 0;        // dimensions that iterations change, a bit each
};

// kUnsupported where the graph around may have none inside: there are too many inside each other.
Status CheckMayEnter(const GraphAssembler& around);
// While it lives, nodes of `body` are looked at.
class InsideBody {
 public:
  InsideBody(GraphAssembler& around, ir::Graph& body) : inference_(around.inference()) {
    inference_.Enter(body);
  }
  ~InsideBody() { inference_.Leave(); }
  InsideBody(const InsideBody&) = delete;
  InsideBody& operator=(const InsideBody&) = delete;

 private:
  ir::ShapeInference& inference_;
};

// Inputs of a loop's body are the number of the iteration, whether there is one, and the carried values.
constexpr size_t kLoopScalars = 2;
void AddLoopScalars(ir::Graph* body, const std::string& iteration = "iteration",
                    const std::string& condition = "condition");
// Adds an input that stands for the value of the graph around, of any size in the dimensions that iterations
// change.
ir::ValueId AddCarriedInput(GraphAssembler& body, const Carried& value);
// After the import of an iteration whose body has as its outputs from `first_output` on what becomes of the
// carried values: adds the dimensions in which they differ to changing_dims, and sets *widened where one is
// new. Importers rely on the shapes that they see, so the body has to be imported again then. kUnsupported,
// naming the value, if its type or rank differs.
Status Widen(const GraphAssembler& body, size_t k, size_t first_output, Carried* value, bool* widened);
template <typename Value>
Status WidenAll(const GraphAssembler& body, size_t first_output, std::vector<Value>* carried, bool* widened) {
  for (size_t k = 0; k < carried->size(); ++k)
    MICRORT_RETURN_IF_ERROR(Widen(body, k, first_output, &(*carried)[k], widened));
  return Status();
}

// Appends an If. The branches, which have no other inputs, get the same captures, in one order.
std::vector<ir::ValueId> AddIf(ir::Builder& build, ir::ValueId condition, ImportedBody (&branches)[2]);

// Appends a Loop over the values `firsts` before the first iteration. trip_count, condition: kNoValue
// where nothing ends it, or nothing keeps it from its first iteration. has_condition: the body's first output
// is whether there is another iteration.
std::vector<ir::ValueId> AddLoop(ir::Builder& build, ir::ValueId trip_count, ir::ValueId condition,
                                 const std::vector<ir::ValueId>& firsts, const ImportedBody& body,
                                 bool has_condition);
template <typename Value>
std::vector<ir::ValueId> FirstsOf(const std::vector<Value>& carried) {
  std::vector<ir::ValueId> firsts;
  for (const Carried& value : carried) firsts.push_back(value.first);
  return firsts;
}

// Imports branch 0, then branch 1. Where one can run with no sizes, what fails takes its place, and the
// branch says that it misfits; the other one does not. `import` says of an operator that failed in the body
// whether it misfits (ir::MaySuitOtherSizes).
Status ImportEachBranch(const std::function<Status(size_t branch, ImportedBody* out)>& import,
                        ImportedBody (*out)[2]);

}  // namespace micrort::frontend
