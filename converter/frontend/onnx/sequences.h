#pragma once
// Sequences and optionals. They exist while a model is converted: operators on them decide which tensors
// others read, and none is left in the graph. So how long a sequence is, and whether an optional holds
// anything, has to be known then.

#include <deque>
#include <string>
#include <vector>

#include "converter/frontend/common/errors.h"
#include "converter/ir/graph.h"
#include "kernels/base/status.h"

namespace micrort::frontend::onnx {

struct Sequence {
  bool is_optional = false;           // else a sequence
  std::vector<ir::ValueId> elements;  // tensors, or sequences; an optional has one or none
};

// They have ids as values of the graph have, below kNoValue.
inline bool IsSequence(ir::ValueId id) { return id < ir::kNoValue; }

class SequenceTable {
 public:
  // kUnsupported where all sequences together become too long.
  Status Add(Sequence sequence, ir::ValueId* id) {
    elements_ += sequence.elements.size();
    if (elements_ > kMostElements)
      return Unsupported("sequences of more than {} elements in all", kMostElements);
    sequences_.push_back(std::move(sequence));
    *id = ir::kNoValue - static_cast<int>(sequences_.size());
    return Status();
  }
  const Sequence& at(ir::ValueId id) const { return sequences_[static_cast<size_t>(ir::kNoValue - id - 1)]; }

 private:
  // Every operator on a sequence makes another one: a long chain of them on long ones is no real model.
  static constexpr size_t kMostElements = size_t{1} << 24;

  std::deque<Sequence> sequences_;  // references stay valid
  size_t elements_ = 0;             // of all
};

// Whether an input of this operator may be a sequence; others are tensors.
bool TakesSequence(const std::string& op, size_t input);

}  // namespace micrort::frontend::onnx
