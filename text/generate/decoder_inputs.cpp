#include "text/generate/decoder_inputs.h"

#include <algorithm>

namespace micrort::text {
namespace {

constexpr size_t kNotFound = static_cast<size_t>(-1);

size_t IndexOf(const std::vector<std::string>& names, const std::string& name) {
  const auto found = std::find(names.begin(), names.end(), name);
  return found == names.end() ? kNotFound : static_cast<size_t>(found - names.begin());
}

// The output that goes on with a cache.
size_t PresentOf(const std::string& name, const std::vector<std::string>& outputs) {
  for (const char* past : kPastNames) {
    const size_t index = IndexOf(outputs, PresentName(name, past));
    if (index != kNotFound) return index;
  }
  return kNotFound;
}

Status CheckIntegers(const TensorView& input) {
  const bool is_number = IsInteger(input.dtype) ||
                         (std::string(input.name) == "attention_mask" && input.dtype == DType::kFloat32);
  if (is_number && input.shape.rank >= 1) return Status();
  return MICRORT_ERROR(
      kUnsupported, "input '%.80s': expected int32 or int64 of at least one dimension, found %s of rank %d",
      input.name, Name(input.dtype), input.shape.rank);
}

Status Classify(const TensorView& declared, const std::vector<FixedInput>& fixed, DecoderInput* input) {
  input->declared = declared;
  const std::string name = input->declared.name;
  for (size_t i = 0; i < fixed.size(); ++i) {
    if (fixed[i].name != name) continue;
    input->fixed = i;
    return Status();
  }
  input->role = RoleByName(declared);
  if (input->role == InputRole::kFixed)
    return MICRORT_ERROR(kUnsupported,
                         "input '%.80s' is neither tokens, positions, mask nor a cache, and has no value",
                         name.c_str());
  return input->role == InputRole::kCache ? Status() : CheckIntegers(input->declared);
}

Status FindLogits(const std::vector<std::string>& outputs, DecoderInputs* found) {
  found->logits = IndexOf(outputs, "logits");
  if (found->logits != kNotFound) return Status();
  std::vector<bool> is_cache(outputs.size(), false);
  for (const DecoderInput& input : found->inputs)
    if (input.role == InputRole::kCache) is_cache[input.output] = true;
  if (std::count(is_cache.begin(), is_cache.end(), false) != 1)
    return MICRORT_ERROR(kUnsupported, "expected an output 'logits', or only one that belongs to no cache");
  found->logits = static_cast<size_t>(std::find(is_cache.begin(), is_cache.end(), false) - is_cache.begin());
  return Status();
}

}  // namespace

InputRole RoleByName(const TensorView& input) {
  const std::string name = input.name;
  if (name == "input_ids" || name == "decoder_input_ids") return InputRole::kTokens;
  if (name == "position_ids" || name == "cache_position") return InputRole::kPositions;
  if (name == "attention_mask" && input.shape.rank == 2) return InputRole::kMask;
  return name.find("past") == std::string::npos ? InputRole::kFixed : InputRole::kCache;
}

std::string PresentName(const std::string& name, const char* past) {
  const size_t at = name.find(past);
  if (at == std::string::npos) return "";
  std::string present = name;
  return present.replace(at, std::char_traits<char>::length(past), "present");
}

Result<DecoderInputs> FindDecoderInputs(const Model& model, const std::vector<FixedInput>& fixed) {
  DecoderInputs found;
  int token_inputs = 0;
  for (size_t i = 0; i < model.input_count(); ++i) {
    DecoderInput input;
    MICRORT_RETURN_IF_ERROR(Classify(model.input(i), fixed, &input));
    token_inputs += input.role == InputRole::kTokens ? 1 : 0;
    found.inputs.push_back(input);
  }
  if (token_inputs == 1) return found;
  return MICRORT_ERROR(kUnsupported, "expected one input of tokens, 'input_ids', found %d", token_inputs);
}

Status FindDecoderOutputs(const Interpreter& interpreter, DecoderInputs* inputs) {
  std::vector<std::string> outputs;
  for (size_t i = 0; i < interpreter.output_count(); ++i) outputs.emplace_back(interpreter.output(i).name);
  for (DecoderInput& input : inputs->inputs) {
    if (input.role != InputRole::kCache) continue;
    input.output = PresentOf(input.declared.name, outputs);
    if (input.output == kNotFound)
      return MICRORT_ERROR(kUnsupported,
                           "input '%.80s': no output goes on with it (past becomes present in its name)",
                           input.declared.name);
    const TensorView present = interpreter.output(input.output);
    if (present.dtype != input.declared.dtype || present.shape.rank != input.declared.shape.rank)
      return MICRORT_ERROR(kUnsupported, "output '%.80s' is of another type or rank than its input",
                           present.name);
  }
  return FindLogits(outputs, inputs);
}

Shape ShapeOf(const DecoderInput& input, int64_t count, int64_t before) {
  Shape shape = input.declared.shape;
  const int last = shape.rank - 1;
  int counted = -1;  // the dimension that is no 1
  if (input.role == InputRole::kCache) {
    for (int i = 1; i < shape.rank; ++i)
      if (shape[i] < 0) counted = i;
    // [2, batch, heads, tokens, width]: a batch that is open alone counts no tokens.
    const bool is_batch = shape.rank == 5 && counted == 1;
    if (is_batch) counted = -1;
  } else {
    counted = last;
  }
  for (int i = 0; i < shape.rank; ++i) {
    if (shape[i] >= 0) continue;
    if (i != counted) {
      shape[i] = 1;
    } else if (input.role == InputRole::kCache) {
      shape[i] = 0;
    } else {
      shape[i] = input.role == InputRole::kMask ? before + count : count;
    }
  }
  return shape;
}

}  // namespace micrort::text
