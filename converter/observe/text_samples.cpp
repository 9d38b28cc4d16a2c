#include "converter/observe/text_samples.h"

#include <algorithm>
#include <cstring>
#include <string_view>

#include "converter/ir/budget.h"
#include "tools/io/file.h"
#include "tools/io/heap_use.h"
#include "tools/io/session.h"
#if defined(MICRORT_HAS_TEXT)
#include "micrort/text/tokenizer.h"
#endif

namespace micrort::observe {
namespace {

enum class Role { kTokens, kPositions, kMask, kCache, kOther };

Role RoleOf(const io::InputSpec& input) {
  const std::string& name = input.name;
  if (name == "input_ids" || name == "decoder_input_ids") return Role::kTokens;
  if (name == "position_ids" || name == "cache_position") return Role::kPositions;
  if (name == "attention_mask") return Role::kMask;
  return name.find("past") == std::string::npos ? Role::kOther : Role::kCache;
}

// The last dimension that is open counts tokens of the past, and there are none; a batch is 1.
std::vector<int64_t> CacheShape(const io::InputSpec& input) {
  std::vector<int64_t> shape = input.shape;
  const size_t first =
      shape.size() == 5 ? 2 : 1;  // keys and values may lie in one tensor, in front of the batch
  for (size_t d = shape.size(), counted = 0; d-- > 0;) {
    if (shape[d] >= 0) continue;
    shape[d] = d >= first && counted++ == 0 ? 0 : 1;
  }
  return shape;
}

std::vector<int64_t> TokenShape(const io::InputSpec& input, int64_t count) {
  std::vector<int64_t> shape = input.shape;
  for (size_t d = 0; d < shape.size(); ++d) {
    if (shape[d] < 0) shape[d] = d + 1 == shape.size() ? count : 1;
  }
  return shape;
}

// Writes `value` as the i-th element.
void Store(int64_t value, size_t i, io::NamedArray* array) {
  const auto at = [&](size_t size) { return array->data.data() + i * size; };
  if (array->dtype == DType::kInt64) {
    std::memcpy(at(sizeof value), &value, sizeof value);
  } else if (array->dtype == DType::kInt32) {
    const auto narrow = static_cast<int32_t>(value);
    std::memcpy(at(sizeof narrow), &narrow, sizeof narrow);
  } else if (array->dtype == DType::kFloat32) {
    const auto real = static_cast<float>(value);
    std::memcpy(at(sizeof real), &real, sizeof real);
  }
}

// The window of a text that a sample is.
struct Window {
  const int32_t* tokens;
  int64_t count, position;
};

Status MakeInput(const io::InputSpec& input, const Window& window, io::NamedArray* array) {
  const Role role = RoleOf(input);
  const bool has_type = input.dtype == DType::kInt64 || input.dtype == DType::kInt32 ||
                        (role == Role::kMask && input.dtype == DType::kFloat32);
  if (role == Role::kOther || (role != Role::kCache && !has_type)) {
    return MICRORT_ERROR(
        kInvalidArgument,
        "--calib: input '%s' of %s is no input of tokens, positions, mask or cache that a text gives; "
        "expected NAME=PATH for all inputs",
        input.name.c_str(), Name(input.dtype));
  }
  array->name = input.name;
  array->dtype = input.dtype;
  array->shape = role == Role::kCache ? CacheShape(input) : TokenShape(input, window.count);
  MICRORT_RETURN_IF_ERROR(io::CheckArraySize(input.name, input.dtype, array->shape, ir::CurrentLimits()));
  array->data.assign(array->elements() * SizeOf(input.dtype), 0);
  if (role == Role::kCache) return Status();
  if (array->elements() != static_cast<size_t>(window.count)) {
    return MICRORT_ERROR(
        kInvalidArgument, "--calib: input '%s' of shape %s: a text gives one sequence of %lld tokens",
        input.name.c_str(), io::ShapeText(array->shape).c_str(), static_cast<long long>(window.count));
  }
  for (int64_t i = 0; i < window.count; ++i) {
    const int64_t value = role == Role::kTokens      ? window.tokens[i]
                          : role == Role::kPositions ? window.position + i
                                                     : 1;
    Store(value, static_cast<size_t>(i), array);
  }
  return Status();
}

Status MakeSample(const std::vector<io::InputSpec>& inputs, const Window& window, Sample* sample) {
  for (const io::InputSpec& input : inputs) {
    sample->emplace_back();
    MICRORT_RETURN_IF_ERROR(MakeInput(input, window, &sample->back()));
    io::AllowHeap(4 * sample->back().data.size());
  }
  return Status();
}

// The tokens of a sample: as many as the model fixes, or kTextWindow.
Status WindowOf(const std::vector<io::InputSpec>& inputs, int64_t* count) {
  for (const io::InputSpec& input : inputs) {
    if (RoleOf(input) != Role::kTokens || input.shape.empty()) continue;
    *count = input.shape.back() < 0 ? kTextWindow : input.shape.back();
    if (*count >= 1) return Status();
  }
  return MICRORT_ERROR(kInvalidArgument,
                       "--calib: a text needs an input of tokens, 'input_ids', which the model has not");
}

Status CheckTokens(const std::vector<io::InputSpec>& inputs, const std::vector<int32_t>& tokens) {
  for (const io::InputSpec& input : inputs) {
    if (RoleOf(input) != Role::kTokens || input.rows <= 0) continue;
    const int32_t largest = *std::max_element(tokens.begin(), tokens.end());
    if (largest < input.rows) continue;
    return MICRORT_ERROR(
        kInvalidArgument,
        "--tokenizer: token %d of the text is none of the model's %lld; expected the tokenizer of this model",
        largest, static_cast<long long>(input.rows));
  }
  return Status();
}

#if defined(MICRORT_HAS_TEXT)
Status ReadTokens(const std::string& path, const std::string& tokenizer, std::vector<int32_t>* tokens) {
  std::vector<uint8_t> text;
  MICRORT_RETURN_IF_ERROR(io::ReadFile(path, &text));
  io::AllowHeap(64 * text.size());
  MICRORT_ASSIGN_OR_RETURN(const text::Tokenizer loaded, text::Tokenizer::FromFile(tokenizer.c_str()));
  const std::string_view all(reinterpret_cast<const char*>(text.data()), text.size());
  return loaded.Encode(all, tokens).WithPrefix("%s", path.c_str());
}
#else
Status ReadTokens(const std::string& path, const std::string&, std::vector<int32_t>*) {
  return MICRORT_ERROR(kUnsupported,
                       "--calib %s: this mnnconvert was built without libutf8proc, and so without tokenizers",
                       path.c_str());
}
#endif

}  // namespace

bool IsText(const std::string& path) { return io::Extension(path) == "txt"; }

Status LoadTextSamples(const std::string& path, const std::vector<io::InputSpec>& inputs,
                       const TextOptions& options, std::vector<Sample>* samples) {
  if (options.tokenizer.empty())
    return MICRORT_ERROR(kInvalidArgument, "--calib %s: a text needs --tokenizer", path.c_str());
  std::vector<int32_t> tokens;
  int64_t count = 0;
  MICRORT_RETURN_IF_ERROR(WindowOf(inputs, &count));
  MICRORT_RETURN_IF_ERROR(ReadTokens(path, options.tokenizer, &tokens));
  auto length = static_cast<int64_t>(tokens.size());
  if (options.capacity > 0) length = std::min(length, options.capacity);
  if (length < count) {
    return MICRORT_ERROR(kInvalidArgument, "--calib %s: expected at least %lld tokens, found %lld",
                         path.c_str(), static_cast<long long>(count), static_cast<long long>(length));
  }
  MICRORT_RETURN_IF_ERROR(CheckTokens(inputs, tokens));
  for (int64_t first = 0; first + count <= length; first += count) {
    samples->emplace_back();
    const int64_t position = options.capacity > 0 ? first : 0;
    MICRORT_RETURN_IF_ERROR(MakeSample(inputs, {tokens.data() + first, count, position}, &samples->back()));
  }
  return Status();
}

}  // namespace micrort::observe
