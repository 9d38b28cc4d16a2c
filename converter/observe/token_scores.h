#pragma once
// Which input of a decoder has tokens, and which output their scores.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "converter/observe/samples.h"
#include "micrort/interpreter.h"

namespace micrort::observe {

struct TokenScores {
  size_t output;
  // The token that follows each position with scores; -1 where none does.
  std::vector<int64_t> next;
};

// Whether an input has tokens: integers [batch][tokens] that index a table of `rows` rows.
bool IsTokens(DType dtype, size_t rank, int64_t rows);

// Looks for tokens among a sample, integers [batch][tokens] that index a table, and for their scores among
// the outputs of a run on it, floats [batch][tokens or 1][rows of that table]. Absent: the model has no such
// input or output, or a batch of several has the scores of its last tokens alone.
std::optional<TokenScores> FindTokenScores(const std::vector<io::InputSpec>& inputs,
                                           const observe::Sample& sample, const Interpreter& interpreter);

}  // namespace micrort::observe
