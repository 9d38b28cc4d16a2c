#pragma once
// Values that the interpreter keeps from one run to the next.

#include <memory>
#include <string>
#include <vector>

#include "converter/ir/graph.h"
#include "kernels/base/status.h"

namespace micrort::ir {

// As users name them: tensor `output` of a run is input `input` of the next one.
struct StateNames {
  std::string output, input;
};

// Makes a state of each pair; both are then no output and no input of the caller's. kInvalidArgument if the
// graph has no such tensor or input, with names like it, and for an input that is given twice.
Status KeepStates(const std::vector<StateNames>& states, Graph* graph);

// The same for one pair of values, with an initial value or none. `input` is an input of the caller's;
// `output` is not a constant.
void AddState(ValueId output, ValueId input, std::shared_ptr<const Bytes> initial, Graph* graph,
              schema::StateKind kind = schema::StateKind::Value);

// Whether a node reads the value.
bool IsRead(const Graph& graph, ValueId id);

// kInvalidArgument unless both ends of each state have one type and shape, and dynamic dimensions have the
// names of ones of the caller's inputs. Shapes are known, and inputs that decide shapes are marked.
Status CheckStates(const Graph& graph);

}  // namespace micrort::ir
