#include "converter/observe/token_scores.h"

namespace micrort::observe {
namespace {

// [batch][tokens or 1][rows]
bool HasScores(const TensorView& output, const io::NamedArray& tokens, int64_t rows) {
  const Shape& shape = output.shape;
  return IsFloat(output.dtype) && shape.rank == 3 && shape[0] == tokens.shape[0] && shape[2] == rows &&
         (shape[1] == tokens.shape[1] || shape[1] == 1);
}

int64_t TokenAt(const io::NamedArray& tokens, size_t i) {
  return tokens.dtype == DType::kInt32 ? tokens.as<int32_t>()[i] : tokens.as<int64_t>()[i];
}

// The last token of each sequence has no next one in the sample.
std::vector<int64_t> NextOf(const io::NamedArray& tokens, size_t positions) {
  const auto count = static_cast<size_t>(tokens.shape[1]);
  std::vector<int64_t> next;
  for (size_t i = 0; i < tokens.elements(); ++i) {
    const bool is_last = i % count + 1 == count;
    if (positions == count || is_last) next.push_back(is_last ? -1 : TokenAt(tokens, i + 1));
  }
  return next;
}

}  // namespace

bool IsTokens(DType dtype, size_t rank, int64_t rows) {
  return (dtype == DType::kInt32 || dtype == DType::kInt64) && rank == 2 && rows > 2;
}

std::optional<TokenScores> FindTokenScores(const std::vector<io::InputSpec>& inputs,
                                           const observe::Sample& sample, const Interpreter& interpreter) {
  for (size_t i = 0; i < inputs.size() && i < sample.size(); ++i) {
    const io::NamedArray& array = sample[i];
    if (!IsTokens(array.dtype, array.shape.size(), inputs[i].rows) || array.elements() == 0) continue;
    for (size_t k = 0; k < interpreter.output_count(); ++k) {
      const TensorView output = interpreter.output(k);
      if (HasScores(output, array, inputs[i].rows))
        return TokenScores{k, NextOf(array, static_cast<size_t>(output.shape[1]))};
    }
  }
  return std::nullopt;
}

}  // namespace micrort::observe
