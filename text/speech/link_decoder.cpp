#include <string>

#include "text/generate/decoder_inputs.h"
#include "text/speech/speech_encoder.h"

namespace micrort::text {
namespace {

const TensorView* FindValue(const std::string& name, const std::vector<TensorView>& values) {
  for (const TensorView& value : values)
    if (!name.empty() && value.name == name) return &value;
  return nullptr;
}

bool Holds(const TensorView& input, const char* part) {
  return std::string(input.name).find(part) != std::string::npos;
}

// The hidden states, by the names that exporters give them, or as all that there is.
const TensorView* FindHiddenStates(const std::vector<TensorView>& values) {
  for (const char* name : {"last_hidden_state", "hidden_states", "encoder_hidden_states"})
    if (const TensorView* found = FindValue(name, values); found != nullptr) return found;
  return values.size() == 1 ? &values[0] : nullptr;
}

Status CheckFits(const TensorView& input, const TensorView& value) {
  bool fits = input.dtype == value.dtype && input.shape.rank == value.shape.rank;
  for (int i = 0; fits && i < input.shape.rank; ++i)
    fits = input.shape[i] < 0 || input.shape[i] == value.shape[i];
  if (fits) return Status();
  return MICRORT_ERROR(kUnsupported,
                       "input '%.80s': expected %s%s, found %s%s of the encoder's output '%.80s'; are they "
                       "files of one model?",
                       input.name, Name(input.dtype), ShapeString(input.shape).text, Name(value.dtype),
                       ShapeString(value.shape).text, value.name);
}

}  // namespace

bool IsFromEncoder(const TensorView& input) {
  const InputRole role = RoleByName(input);
  const bool is_cross = Holds(input, "cross") || Holds(input, "encoder");
  return role == InputRole::kFixed || (role == InputRole::kCache && is_cross);
}

const TensorView* FindValueFor(const TensorView& input, const std::vector<TensorView>& values) {
  const std::string name = input.name;
  if (const TensorView* same = FindValue(name, values); same != nullptr) return same;
  for (const char* past : kPastNames) {
    const TensorView* present = FindValue(PresentName(name, past), values);
    if (present != nullptr) return present;
  }
  const bool is_states = Holds(input, "hidden_states") || Holds(input, "encoder_output");
  return is_states ? FindHiddenStates(values) : nullptr;
}

Status RefuseOpenSize(const TensorView& value) {
  return MICRORT_ERROR(kUnsupported, "output '%.80s' of the encoder has a size that a run decides, %s",
                       value.name, ShapeString(value.shape).text);
}

Result<TensorView> LinkInput(const TensorView& input, const std::vector<TensorView>& values) {
  const TensorView* value = FindValueFor(input, values);
  if (value == nullptr)
    return MICRORT_ERROR(kUnsupported, "input '%.80s': no output of the encoder has this name", input.name);
  MICRORT_RETURN_IF_ERROR(CheckFits(input, *value));
  for (int i = 0; i < value->shape.rank; ++i)
    if (value->shape[i] < 0) return RefuseOpenSize(*value);
  return TensorView(*value);
}

Result<std::vector<FixedInput>> LinkDecoder(const Model& decoder, const std::vector<TensorView>& values) {
  std::vector<FixedInput> fixed;
  bool has_tokens = false;
  for (size_t i = 0; i < decoder.input_count(); ++i) {
    const TensorView input = decoder.input(i);
    has_tokens = has_tokens || RoleByName(input) == InputRole::kTokens;
    if (!IsFromEncoder(input)) continue;
    MICRORT_ASSIGN_OR_RETURN(const TensorView value, LinkInput(input, values));
    fixed.push_back({input.name, value.shape, std::vector<uint8_t>(value.bytes(), 0)});
  }
  if (!has_tokens)
    return MICRORT_ERROR(kUnsupported, "no input takes tokens, 'input_ids'; expected a decoder, too");
  if (fixed.empty())
    return MICRORT_ERROR(kUnsupported, "no input comes from an encoder; is it the decoder of a recognizer?");
  return fixed;
}

}  // namespace micrort::text
