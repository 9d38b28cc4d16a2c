// config.pbtxt of a model repository.

#include "serve/repository/model_config.h"
#include "tests/fuzz/harness.h"
#include "tests/fuzz/seeds.h"

namespace micrort::fuzz {
namespace {

Status Run(const std::string& text) {
  serve::ModelConfig config;
  const serve::Error error = serve::ParseModelConfig("config.pbtxt", "m", text, &config);
  if (error.ok()) return Status();
  return Refused(error.message().empty() ? "without a word" : error.message());
}

}  // namespace

std::vector<std::string> ConfigSeeds() {
  return {
      "name: \"m\" max_batch_size: 8 dynamic_batching { preferred_batch_size: [ 2, 4 ] "
      "max_queue_delay_microseconds: 100 "
      "default_queue_policy { max_queue_size: 5 default_timeout_microseconds: 7 } priority_levels: 3 "
      "default_priority_level: 2 } "
      "instance_group [ { count: 2 } ]",
      "input [ { name: \"x\" data_type: TYPE_FP32 dims: [ -1, 4 ] } ] output [ { name: \"y\" data_type: "
      "TYPE_INT8 dims: [ 4 ] } ] "
      "version_policy { latest { num_versions: 2 } } parameters { key: \"threads\" value { string_value: "
      "\"2\" } }",
      "model_warmup [ { name: \"w\" batch_size: 1 count: 2 inputs { key: \"x\" value { data_type: TYPE_FP32 "
      "dims: [ 4 ] zero_data: "
      "true } } } ] sequence_batching { max_sequence_idle_microseconds: 9 }"};
}

const Harness kConfig = {"config", Run, MutateBytes};

}  // namespace micrort::fuzz
