#include "converter/frontend/tensorflow/tensor_ref.h"

#include <algorithm>
#include <map>
#include <vector>

namespace micrort::frontend::tensorflow {

namespace {

constexpr size_t kMaxDigits = 6;

bool ParseIndex(const std::string& text, int* out) {
  if (text.empty() || text.size() > kMaxDigits) return false;
  if (!std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; })) return false;
  *out = std::stoi(text);
  return true;
}

// Operators that have more than one named output, in their order.
const std::map<std::string, std::vector<std::string>>& NamedOutputs() {
  static const std::map<std::string, std::vector<std::string>> outputs = [] {
    std::map<std::string, std::vector<std::string>> table = {
        {"FusedBatchNorm", {"y", "batch_mean", "batch_variance", "reserve_space_1", "reserve_space_2"}},
        {"TopKV2", {"values", "indices"}},
        {"TopK", {"values", "indices"}},
        {"Switch", {"output_false", "output_true"}},
        {"Merge", {"output", "value_index"}},
        {"Unique", {"y", "idx"}},
        {"UniqueV2", {"y", "idx"}},
        {"UniqueWithCounts", {"y", "idx", "count"}},
        {"TensorArrayV3", {"handle", "flow"}},
        {"TensorArrayConcatV3", {"value", "lengths"}},
        {"TensorListConcat", {"tensor", "lengths"}},
        {"TensorListConcatV2", {"tensor", "lengths"}},
        {"TensorListPopBack", {"output_handle", "tensor"}},
        {"CombinedNonMaxSuppression", {"nmsed_boxes", "nmsed_scores", "nmsed_classes", "valid_detections"}},
        {"MaxPoolWithArgmax", {"output", "argmax"}},
        {"NonMaxSuppressionV4", {"selected_indices", "valid_outputs"}},
        {"NonMaxSuppressionV5", {"selected_indices", "selected_scores", "valid_outputs"}},
        {"LSTMBlockCell", {"i", "cs", "f", "o", "ci", "co", "h"}},
        {"BlockLSTM", {"i", "cs", "f", "o", "ci", "co", "h"}},
        {"GRUBlockCell", {"r", "u", "c", "h"}},
    };
    table["FusedBatchNormV2"] = table["FusedBatchNorm"];
    table["FusedBatchNormV3"] = table["FusedBatchNorm"];
    table["FusedBatchNormV3"].push_back("reserve_space_3");
    table["BlockLSTMV2"] = table["BlockLSTM"];
    return table;
  }();
  return outputs;
}

}  // namespace

Result<TensorRef> ParseTensorRef(const std::string& text) {
  TensorRef ref;
  ref.is_control = !text.empty() && text[0] == '^';
  const size_t first = ref.is_control ? std::string::npos : text.find(':');
  ref.node = text.substr(ref.is_control ? 1 : 0, first);
  if (first == std::string::npos) return ref;
  const size_t second = text.find(':', first + 1);
  if (second != std::string::npos) ref.output = text.substr(first + 1, second - first - 1);
  const size_t last = second == std::string::npos ? first : second;
  if (!ref.node.empty() && ParseIndex(text.substr(last + 1), &ref.index)) return ref;
  return MICRORT_ERROR(kInvalidModel, "'%.100s' names no tensor", text.c_str());
}

std::string NodeOf(const std::string& input) {
  const size_t start = !input.empty() && input[0] == '^' ? 1 : 0;
  return input.substr(start, input.find(':') - start);
}

int FirstOfOutput(const std::string& op, const std::string& output) {
  const auto found = NamedOutputs().find(op);
  if (found == NamedOutputs().end()) return 0;
  const auto at = std::find(found->second.begin(), found->second.end(), output);
  return at == found->second.end() ? 0 : static_cast<int>(at - found->second.begin());
}

}  // namespace micrort::frontend::tensorflow
