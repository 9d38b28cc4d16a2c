#pragma once
// The roles of a decoder's inputs, found by their names.

#include <string>
#include <vector>

#include "micrort/text/decoder.h"

namespace micrort::text {

enum class InputRole { kTokens, kPositions, kMask, kCache, kFixed };

// The types of tokens and positions.
inline bool IsInteger(DType dtype) { return dtype == DType::kInt32 || dtype == DType::kInt64; }

// kFixed where the name is none of the others.
InputRole RoleByName(const TensorView& input);

// What stands for the past in the names of caches; with "present" in its place, the name of their output, or
// "" if it is not in the name.
constexpr const char* kPastNames[] = {"past_key_values", "past"};
std::string PresentName(const std::string& name, const char* past);

struct DecoderInput {
  InputRole role = InputRole::kFixed;
  TensorView declared;  // of the model: -1 where a dimension is open
  size_t output = 0;    // of a cache, the output that goes on with it
  size_t fixed = 0;     // index of the value of a fixed one
};

struct DecoderInputs {
  std::vector<DecoderInput> inputs;
  size_t logits = 0;  // output
};

// Errors as Decoder::Create() says; outputs are not looked at.
Result<DecoderInputs> FindDecoderInputs(const Model& model, const std::vector<FixedInput>& fixed);
// Finds the outputs of caches and the logits.
Status FindDecoderOutputs(const Interpreter& interpreter, DecoderInputs* inputs);

// The shape for a run that reads `count` tokens after `before`; a cache's at its begin.
Shape ShapeOf(const DecoderInput& input, int64_t count, int64_t before);

}  // namespace micrort::text
