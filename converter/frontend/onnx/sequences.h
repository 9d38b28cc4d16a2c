#pragma once
// Sequences and optionals. They exist while a model is converted: operators on them decide which tensors
// others read, and none is left in the graph. So how long a sequence is, and whether an optional holds
// anything, has to be known then.

#include <deque>
#include <string>
#include <vector>

#include "converter/ir/graph.h"

namespace micrort::frontend::onnx {

struct Sequence {
  bool is_optional = false;           // else a sequence
  std::vector<ir::ValueId> elements;  // tensors, or sequences; an optional has one or none
};

// They have ids as values of the graph have, below kNoValue.
inline bool IsSequence(ir::ValueId id) { return id < ir::kNoValue; }

class SequenceTable {
 public:
  ir::ValueId Add(Sequence sequence) {
    sequences_.push_back(std::move(sequence));
    return ir::kNoValue - static_cast<int>(sequences_.size());
  }
  const Sequence& at(ir::ValueId id) const { return sequences_[static_cast<size_t>(ir::kNoValue - id - 1)]; }

 private:
  std::deque<Sequence> sequences_;  // references stay valid
};

// Whether an input of this operator may be a sequence; others are tensors.
bool TakesSequence(const std::string& op, size_t input);

}  // namespace micrort::frontend::onnx
