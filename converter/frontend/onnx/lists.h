#pragma once
// Sequences and optionals. They exist while a model is converted: operators on them decide which tensors
// others read, and none is left in the graph. So how long a sequence is, and whether an optional holds
// anything, has to be known then.

#include <deque>
#include <string>
#include <vector>

#include "converter/ir/graph.h"

namespace micrort::frontend::onnx {

struct List {
  bool is_optional = false;           // else a sequence
  std::vector<ir::ValueId> elements;  // tensors, or lists; an optional has one or none
};

// Lists have ids as values of the graph have, below kNoValue.
inline bool IsList(ir::ValueId id) { return id < ir::kNoValue; }

class ListTable {
 public:
  ir::ValueId Add(List list) {
    lists_.push_back(std::move(list));
    return ir::kNoValue - static_cast<int>(lists_.size());
  }
  const List& at(ir::ValueId id) const { return lists_[static_cast<size_t>(ir::kNoValue - id - 1)]; }

 private:
  std::deque<List> lists_;  // references stay valid
};

// Whether an input of this operator may be a list; others are tensors.
bool TakesList(const std::string& op, size_t input);

}  // namespace micrort::frontend::onnx
