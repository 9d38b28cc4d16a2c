#pragma once
// How a model is served: what its config.pbtxt says, checked.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "serve/protocol/tensor.h"

namespace micrort::serve {

enum class VersionChoice { kLatest, kAll, kSpecific };

struct VersionPolicy {
  VersionChoice choice = VersionChoice::kLatest;
  size_t latest = 1;
  std::vector<int64_t> specific;
  // Those of `available` (ascending) that are served.
  std::vector<int64_t> Choose(const std::vector<int64_t>& available) const;
};

struct Warmup {
  std::string name;
  int64_t batch = 1;
  uint32_t count = 1;
  struct Input {
    std::string name;
    DType dtype = DType::kUnknown;
    std::vector<int64_t> dims;
    bool is_random = false;
  };
  std::vector<Input> inputs;
};

struct ModelConfig {
  std::string model_file = "model.fb";
  int64_t max_batch = 0;  // 0: the model has no batches; shapes are whole
  bool dynamic_batching = false;
  std::vector<int64_t> preferred_batches;
  uint64_t max_delay_us = 0;
  size_t max_queue = 1024;
  uint64_t queue_timeout_us = 0;  // 0: none
  bool may_override_timeout = true;
  bool rejects_late = true;  // else what waited too long stays in the queue
  uint32_t priority_levels = 0, default_priority = 1;
  size_t max_sequences = 1024;
  uint64_t max_sequence_idle_us = 60'000'000;  // then a sequence is given up
  int instances = 1;
  int threads = 0;  // of an instance; 0: the server's default
  VersionPolicy versions;
  std::map<std::string, int64_t> labels;  // of versions
  // Without the batch dimension, where there are batches; checked against the model.
  std::vector<TensorSpec> inputs, outputs;
  std::vector<Warmup> warmups;
  bool caches_answers = false;
  std::string tokenizer;   // file beside the model; "": one of the usual names, if it is there
  std::string chat;        // family of conversations; "": the tokenizer tells
  int text_sequences = 0;  // texts at once; 0: the server's default
  // How the model's file says that pictures become its first input, floats: a JSON object as of tools/io's
  // PicturesJson(), or "".
  std::string pictures;
  std::vector<std::string> notes;  // fields that have no meaning here
};

// `text` is the content of `path`, the config.pbtxt of the model in folder `name`.
Error ParseModelConfig(const std::string& path, const std::string& name, const std::string& text,
                       ModelConfig* config);

// Whether inputs and outputs of a model are what its configuration says.
Error CheckTensors(const char* what, const std::vector<TensorSpec>& configured,
                   const std::vector<TensorSpec>& found, bool has_batches);

}  // namespace micrort::serve
