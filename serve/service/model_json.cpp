#include "serve/service/model_json.h"

#include <nlohmann/json.hpp>

#include "serve/protocol/data_type.h"
#include "tools/io/stated_pictures.h"

namespace micrort::serve {
namespace {

using OrderedJson = nlohmann::ordered_json;

std::string Text(const OrderedJson& json) {
  return json.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
}

OrderedJson Tensors(const std::vector<TensorSpec>& specs) {
  OrderedJson tensors = OrderedJson::array();
  for (const TensorSpec& spec : specs)
    tensors.push_back({{"name", spec.name}, {"datatype", ProtocolName(spec.dtype)}, {"shape", spec.shape}});
  return tensors;
}

OrderedJson ConfiguredTensors(const std::vector<TensorSpec>& specs, bool has_batches) {
  OrderedJson tensors = OrderedJson::array();
  for (const TensorSpec& spec : specs) {
    std::vector<int64_t> dims = spec.shape;
    if (has_batches && !dims.empty()) dims.erase(dims.begin());
    tensors.push_back({{"name", spec.name},
                       {"data_type", std::string("TYPE_") + ProtocolName(spec.dtype)},
                       {"dims", dims}});
  }
  return tensors;
}

OrderedJson Duration(uint64_t count, uint64_t ns) { return {{"count", count}, {"ns", ns}}; }

OrderedJson Statistics(const ModelVersion& model) {
  const ModelCounts counts = model.stats().Read();
  const uint64_t computed = counts.succeeded - counts.cache_hits;
  OrderedJson batches = OrderedJson::array();
  for (const auto& [rows, batch] : counts.batches) {
    batches.push_back({{"batch_size", rows},
                       {"compute_input", Duration(batch.count, batch.times.input_ns)},
                       {"compute_infer", Duration(batch.count, batch.times.infer_ns)},
                       {"compute_output", Duration(batch.count, batch.times.output_ns)}});
  }
  return {{"name", model.name()},
          {"version", model.version()},
          {"last_inference", counts.last_inference_ms},
          {"inference_count", counts.inferences},
          {"execution_count", counts.executions},
          {"inference_stats",
           {{"success", Duration(counts.succeeded, counts.request.sum_ns())},
            {"fail", Duration(counts.failed, counts.failed_ns)},
            {"queue", Duration(computed, counts.queue.sum_ns())},
            {"compute_input", Duration(computed, counts.times.input_ns)},
            {"compute_infer", Duration(computed, counts.times.infer_ns)},
            {"compute_output", Duration(computed, counts.times.output_ns)},
            {"cache_hit", Duration(counts.cache_hits, counts.cache_hit_ns)},
            {"cache_miss", Duration(counts.cache_misses, counts.cache_miss_ns)}}},
          {"batch_stats", batches},
          {"memory_usage",
           OrderedJson::array({{{"type", "CPU"}, {"id", 0}, {"byte_size", model.memory_bytes()}}})}};
}

OrderedJson SignatureTensors(const std::vector<TensorSpec>& specs) {
  OrderedJson tensors = OrderedJson::object();
  for (const TensorSpec& spec : specs) {
    OrderedJson dims = OrderedJson::array();
    for (int64_t dim : spec.shape) dims.push_back({{"size", std::to_string(dim)}, {"name", ""}});
    tensors[spec.name] = {{"dtype", TensorflowName(spec.dtype)},
                          {"tensor_shape", {{"dim", dims}, {"unknown_rank", false}}},
                          {"name", spec.name}};
  }
  return tensors;
}

}  // namespace

std::string MetadataJson(const ModelVersion& model, const std::vector<Repository::VersionPtr>& versions) {
  OrderedJson numbers = OrderedJson::array();
  for (const auto& version : versions) numbers.push_back(version->version());
  return Text({{"name", model.name()},
               {"versions", numbers},
               {"platform", "micrort"},
               {"inputs", Tensors(model.inputs())},
               {"outputs", Tensors(model.outputs())}});
}

std::string ConfigJson(const ModelVersion& model) {
  const ModelConfig& config = model.config();
  const bool has_batches = config.max_batch > 0;
  OrderedJson json = {
      {"name", model.name()},
      {"platform", "micrort"},
      {"max_batch_size", config.max_batch},
      {"input", ConfiguredTensors(model.inputs(), has_batches)},
      {"output", ConfiguredTensors(model.outputs(), has_batches)},
      {"instance_group", OrderedJson::array({{{"count", config.instances}, {"kind", "KIND_CPU"}}})},
      {"default_model_filename", config.model_file}};
  if (config.dynamic_batching) {
    json["dynamic_batching"] = {{"preferred_batch_size", config.preferred_batches},
                                {"max_queue_delay_microseconds", config.max_delay_us}};
  }
  if (!config.pictures.empty())
    json["parameters"] = {{io::kPicturesKey, {{"string_value", config.pictures}}}};
  return Text(json);
}

std::string StatisticsJson(const std::vector<Repository::VersionPtr>& versions) {
  OrderedJson all = OrderedJson::array();
  for (const auto& version : versions) all.push_back(Statistics(*version));
  return Text({{"model_stats", all}});
}

std::string ReadinessJson(bool is_ready, const std::vector<IndexEntry>& failed) {
  OrderedJson json = OrderedJson::object();
  if (!is_ready) json["error"] = "not ready";
  for (const IndexEntry& entry : failed)
    json["failed_models"].push_back({{"name", entry.model}, {"reason", entry.reason}});
  return json.empty() ? "" : Text(json);
}

std::string IndexJson(const std::vector<IndexEntry>& index) {
  OrderedJson all = OrderedJson::array();
  for (const IndexEntry& entry : index) {
    OrderedJson json = {{"name", entry.model}};
    if (!entry.version.empty()) json["version"] = entry.version;
    json["state"] = entry.state;
    json["reason"] = entry.reason;
    all.push_back(json);
  }
  return Text(all);
}

std::string VersionStatusJson(const std::vector<Repository::VersionPtr>& versions) {
  OrderedJson all = OrderedJson::array();
  for (const auto& version : versions) {
    all.push_back({{"version", version->version()},
                   {"state", "AVAILABLE"},
                   {"status", {{"error_code", "OK"}, {"error_message", ""}}}});
  }
  return Text({{"model_version_status", all}});
}

std::string SignatureJson(const ModelVersion& model) {
  const OrderedJson signature = {{"inputs", SignatureTensors(model.inputs())},
                                 {"outputs", SignatureTensors(model.outputs())},
                                 {"method_name", "tensorflow/serving/predict"}};
  return Text({{"model_spec", {{"name", model.name()}, {"signature_name", ""}, {"version", model.version()}}},
               {"metadata", {{"signature_def", {{"signature_def", {{"serving_default", signature}}}}}}}});
}

std::string ErrorJson(const std::string& message) { return Text({{"error", message}}); }

}  // namespace micrort::serve
