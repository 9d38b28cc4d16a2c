#include "serve/repository/model_config.h"

#include <google/protobuf/io/tokenizer.h>
#include <google/protobuf/text_format.h>

#include <algorithm>
#include <charconv>

#include "serve/protocol/data_type.h"
#include "serve/repository/model_config.pb.h"

namespace micrort::serve {
namespace {

constexpr int kMaxInstances = 64, kMaxThreads = 64;
// Runs of one model_warmup, and how many of these a model may have: what a cache or a clock needs, and no
// load.
constexpr uint32_t kMaxWarmupRuns = 1000;
constexpr int kMaxWarmups = 64;
constexpr int kMaxTextSequences = 1024;

// A year: far more than anything waits, and far from the end of the clock.
constexpr uint64_t kMostMicroseconds = uint64_t{365} * 24 * 3600 * 1'000'000;

// Keeps the first error, and what was passed over.
class Messages : public google::protobuf::io::ErrorCollector {
 public:
  void AddError(int line, int column, const std::string& message) override {
    if (error.empty()) error = std::to_string(line + 1) + ":" + std::to_string(column + 1) + ": " + message;
  }
  void AddWarning(int line, int, const std::string& message) override {
    warnings.push_back("line " + std::to_string(line + 1) + ": " + message);
  }
  std::string error;
  std::vector<std::string> warnings;
};

// "TYPE_FP32", or the number where the protocol has no name for it.
std::string NameOf(config::DataType type) {
  const std::string& name = config::DataType_Name(type);
  return name.empty() ? "type " + std::to_string(type) : name;
}

DType TypeOf(config::DataType type) {
  static const std::string kPrefix = "TYPE_";
  const std::string name = NameOf(type);
  return name.rfind(kPrefix, 0) == 0 ? FromProtocolName(name.substr(kPrefix.size())) : DType::kUnknown;
}

Error ReadTensors(const google::protobuf::RepeatedPtrField<config::ModelTensor>& from,
                  std::vector<TensorSpec>* to) {
  for (const config::ModelTensor& tensor : from) {
    TensorSpec spec;
    spec.name = tensor.name();
    spec.dtype = TypeOf(tensor.data_type());
    if (spec.dtype == DType::kUnknown)
      return Invalid("tensor '" + spec.name + "': no model has elements of " + NameOf(tensor.data_type()));
    spec.shape.assign(tensor.dims().begin(), tensor.dims().end());
    to->push_back(std::move(spec));
  }
  return {};
}

Error ReadVersions(const config::ModelConfig& from, VersionPolicy* to) {
  const config::ModelVersionPolicy& policy = from.version_policy();
  if (policy.has_all()) to->choice = VersionChoice::kAll;
  if (policy.has_latest()) {
    to->latest = policy.latest().num_versions();
    if (to->latest == 0) return Invalid("version_policy: expected num_versions of at least 1");
  }
  if (policy.has_specific()) {
    to->choice = VersionChoice::kSpecific;
    to->specific.assign(policy.specific().versions().begin(), policy.specific().versions().end());
  }
  return {};
}

Error ReadInstances(const config::ModelConfig& from, ModelConfig* to) {
  if (from.instance_group_size() == 0) return {};
  int instances = 0;
  for (const config::ModelInstanceGroup& group : from.instance_group()) {
    if (group.kind() == config::ModelInstanceGroup::KIND_GPU)
      return Invalid("instance_group: models run on the CPU; expected KIND_CPU, found KIND_GPU");
    const int count = group.count() == 0 ? 1 : group.count();
    if (count < 0 || count > kMaxInstances || instances + count > kMaxInstances)
      return Invalid("instance_group: expected 1 to " + std::to_string(kMaxInstances) + " instances");
    instances += count;
  }
  to->instances = instances;
  return {};
}

Error ReadBatching(const config::ModelConfig& from, ModelConfig* to) {
  if (from.max_batch_size() < 0) return Invalid("expected a max_batch_size of at least 0");
  to->max_batch = from.max_batch_size();
  const config::ModelSequenceBatching& sequences = from.sequence_batching();
  if (sequences.max_sequences() != 0) to->max_sequences = sequences.max_sequences();
  if (sequences.max_sequence_idle_microseconds() != 0) {
    to->max_sequence_idle_us = std::min(sequences.max_sequence_idle_microseconds(), kMostMicroseconds);
  }
  if (!from.has_dynamic_batching()) return {};
  const config::ModelDynamicBatching& batching = from.dynamic_batching();
  if (to->max_batch == 0) return Invalid("dynamic_batching needs a max_batch_size of at least 1");
  to->dynamic_batching = true;
  for (int32_t size : batching.preferred_batch_size()) {
    if (size < 1 || size > to->max_batch) {
      return Invalid("preferred_batch_size: expected 1 to max_batch_size (" + std::to_string(to->max_batch) +
                     "), found " + std::to_string(size));
    }
    to->preferred_batches.push_back(size);
  }
  to->max_delay_us = std::min<uint64_t>(batching.max_queue_delay_microseconds(), 60'000'000);
  to->priority_levels = batching.priority_levels();
  if (batching.default_priority_level() != 0) to->default_priority = batching.default_priority_level();
  if (to->priority_levels != 0 && to->default_priority > to->priority_levels)
    return Invalid("expected a default_priority_level of at most priority_levels");
  const config::ModelQueuePolicy& policy = batching.default_queue_policy();
  if (policy.max_queue_size() != 0) to->max_queue = policy.max_queue_size();
  to->queue_timeout_us = policy.default_timeout_microseconds();
  to->rejects_late = policy.timeout_action() == config::ModelQueuePolicy::REJECT;
  to->may_override_timeout = !batching.has_default_queue_policy() || policy.allow_timeout_override();
  return {};
}

Error ReadNumber(const std::string& key, const std::string& text, int64_t min, int64_t max, int64_t* out) {
  const auto end = std::from_chars(text.data(), text.data() + text.size(), *out);
  if (end.ec == std::errc() && end.ptr == text.data() + text.size() && *out >= min && *out <= max) return {};
  return Invalid("parameters: expected '" + key + "' to be an integer from " + std::to_string(min) + " to " +
                 std::to_string(max) + ", found '" + text + "'");
}

Error ReadParameters(const config::ModelConfig& from, ModelConfig* to) {
  const std::string label = "label.";
  for (const auto& [key, parameter] : from.parameters()) {
    int64_t number = 0;
    if (key == "threads") {
      MICRORT_SERVE_RETURN_IF_ERROR(ReadNumber(key, parameter.string_value(), 1, kMaxThreads, &number));
      to->threads = static_cast<int>(number);
    } else if (key.compare(0, label.size(), label) == 0) {
      MICRORT_SERVE_RETURN_IF_ERROR(ReadNumber(key, parameter.string_value(), 1, INT64_MAX, &number));
      to->labels[key.substr(label.size())] = number;
    } else if (key == "text_sequences") {
      MICRORT_SERVE_RETURN_IF_ERROR(ReadNumber(key, parameter.string_value(), 1, kMaxTextSequences, &number));
      to->text_sequences = static_cast<int>(number);
    } else if (key == "chat") {
      to->chat = parameter.string_value();
    } else if (key == "tokenizer") {
      to->tokenizer = parameter.string_value();
      if (to->tokenizer.empty() || to->tokenizer.find('/') != std::string::npos)
        return Invalid("parameters: expected 'tokenizer' to be a name without '/', found '" + to->tokenizer +
                       "'");
    } else {
      to->notes.push_back("parameter '" + key + "' has no meaning here");
    }
  }
  return {};
}

Error ReadWarmups(const config::ModelConfig& from, ModelConfig* to) {
  if (from.model_warmup_size() > kMaxWarmups)
    return Invalid("model_warmup: expected at most " + std::to_string(kMaxWarmups) + " of them");
  for (const config::ModelWarmup& warmup : from.model_warmup()) {
    Warmup one;
    one.name = warmup.name();
    one.batch = std::max<int64_t>(warmup.batch_size(), 1);
    one.count = std::max<uint32_t>(warmup.count(), 1);
    if (one.count > kMaxWarmupRuns) {
      return Invalid("model_warmup '" + one.name + "': expected a count of at most " +
                     std::to_string(kMaxWarmupRuns) + ", found " + std::to_string(one.count));
    }
    for (const auto& [name, input] : warmup.inputs()) {
      if (input.has_input_data_file())
        return Invalid("model_warmup '" + one.name + "': input_data_file is not supported; use random_data");
      Warmup::Input to_input;
      to_input.name = name;
      to_input.dtype = TypeOf(input.data_type());
      to_input.dims.assign(input.dims().begin(), input.dims().end());
      to_input.is_random = input.random_data();
      one.inputs.push_back(std::move(to_input));
    }
    to->warmups.push_back(std::move(one));
  }
  return {};
}

// Fields that other servers know, and that say nothing here.
void NoteFields(const config::ModelConfig& from, ModelConfig* to) {
  const auto note = [&](const std::string& field, const std::string& value) {
    if (!value.empty() && value != "micrort")
      to->notes.push_back(field + " '" + value + "' has no meaning here: models are MicroRT's");
  };
  note("platform", from.platform());
  note("backend", from.backend());
  if (from.dynamic_batching().preserve_ordering()) {
    to->notes.push_back(
        "dynamic_batching.preserve_ordering has no meaning here: each answer goes to whoever asked, as soon "
        "as it is "
        "there");
  }
  for (const config::ModelInstanceGroup& group : from.instance_group()) {
    if (group.kind() == config::ModelInstanceGroup::KIND_MODEL)
      to->notes.push_back("instance_group.kind KIND_MODEL has no meaning here: models run on the CPU");
  }
}

Error ReadAll(const std::string& name, const config::ModelConfig& from, ModelConfig* to) {
  if (!from.name().empty() && from.name() != name)
    return Invalid("expected name '" + name + "', as the folder's, found '" + from.name() + "'");
  if (!from.default_model_filename().empty()) to->model_file = from.default_model_filename();
  if (to->model_file.find('/') != std::string::npos)
    return Invalid("default_model_filename: expected a name without '/'");
  to->caches_answers = from.response_cache().enable();
  NoteFields(from, to);
  MICRORT_SERVE_RETURN_IF_ERROR(ReadBatching(from, to));
  MICRORT_SERVE_RETURN_IF_ERROR(ReadTensors(from.input(), &to->inputs));
  MICRORT_SERVE_RETURN_IF_ERROR(ReadTensors(from.output(), &to->outputs));
  MICRORT_SERVE_RETURN_IF_ERROR(ReadVersions(from, &to->versions));
  MICRORT_SERVE_RETURN_IF_ERROR(ReadInstances(from, to));
  MICRORT_SERVE_RETURN_IF_ERROR(ReadWarmups(from, to));
  return ReadParameters(from, to);
}

}  // namespace

std::vector<int64_t> VersionPolicy::Choose(const std::vector<int64_t>& available) const {
  if (choice == VersionChoice::kAll) return available;
  if (choice == VersionChoice::kLatest) {
    const size_t skipped = available.size() - std::min(available.size(), latest);
    return {available.begin() + static_cast<std::ptrdiff_t>(skipped), available.end()};
  }
  std::vector<int64_t> chosen;
  for (int64_t version : available) {
    if (std::find(specific.begin(), specific.end(), version) != specific.end()) chosen.push_back(version);
  }
  return chosen;
}

Error ParseModelConfig(const std::string& path, const std::string& name, const std::string& text,
                       ModelConfig* config) {
  Messages messages;
  google::protobuf::TextFormat::Parser parser;
  parser.RecordErrorsTo(&messages);
  parser.AllowUnknownField(true);
  parser.SetRecursionLimit(32);
  config::ModelConfig message;
  if (!parser.ParseFromString(text, &message)) return Invalid(path + ":" + messages.error);
  config->notes = messages.warnings;
  const Error error = ReadAll(name, message, config);
  return error.ok() ? error : error.WithPrefix(path);
}

Error CheckTensors(const char* what, const std::vector<TensorSpec>& configured,
                   const std::vector<TensorSpec>& found, bool has_batches) {
  for (const TensorSpec& expected : configured) {
    const auto at = std::find_if(found.begin(), found.end(),
                                 [&](const TensorSpec& spec) { return spec.name == expected.name; });
    const std::string where = std::string(what) + " '" + expected.name + "' of config.pbtxt";
    if (at == found.end()) return Invalid(where + ": the model has none of that name");
    if (at->dtype != expected.dtype) {
      return Invalid(where + ": expected " + ProtocolName(at->dtype) + ", as in the model, found " +
                     ProtocolName(expected.dtype));
    }
    std::vector<int64_t> shape = expected.shape;
    if (has_batches) shape.insert(shape.begin(), -1);
    bool fits = shape.size() == at->shape.size();
    for (size_t i = 0; fits && i < shape.size(); ++i)
      fits = shape[i] == at->shape[i] || shape[i] == -1 || at->shape[i] == -1;
    if (!fits) {
      return Invalid(where + ": expected dims that fit the model's " + ShapeText(at->shape) + ", found " +
                     ShapeText(expected.shape) + (has_batches ? " behind the batch" : ""));
    }
  }
  return {};
}

}  // namespace micrort::serve
