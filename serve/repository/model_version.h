#pragma once
// One version of a model, loaded.

#include <memory>
#include <string>
#include <vector>

#include "micrort/micrort.h"
#include "serve/metrics/model_stats.h"
#include "serve/repository/load_limit.h"
#include "serve/repository/model_bytes.h"
#include "serve/repository/model_folder.h"
#include "serve/scheduler/answer_cache.h"
#include "serve/scheduler/executor.h"
#include "serve/text/text_model.h"

namespace micrort::serve {

// The part of a server that all of its models share.
struct ServingContext {
  ComputeGate* gate = nullptr;
  const OpResolver* resolver = nullptr;
  CpuFeatures features = ~CpuFeatures{0};
  ModelLimits limits;
  int threads_per_instance = 1;
  size_t answer_cache_bytes = 0;  // of each model that asks for a cache
  ByteBudget* budget = nullptr;   // of requests and their answers
  bool maps_models = false;       // files are mapped, so that nobody may write into them; else copied
  int text_sequences = 4;         // texts at once, of each model that makes text
  bool shares_beginnings = true;  // of texts and prompts (TextOptions)
};

class ModelVersion {
 public:
  // From `bytes`, or from the file where there are none. Messages start with its path.
  static Error Load(const std::string& name, const VersionFile& file, const ModelBytes& bytes,
                    const ModelConfig& config, const ServingContext& context, const LoadLimit& limit,
                    std::shared_ptr<ModelVersion>* out);

  const std::string& name() const { return name_; }
  const std::string& version() const { return version_; }
  const ModelConfig& config() const { return config_; }
  const std::vector<TensorSpec>& inputs() const { return inputs_; }
  const std::vector<TensorSpec>& outputs() const { return outputs_; }
  const ModelStats& stats() const { return stats_; }
  size_t queued() const { return executor_->queued(); }
  // Arenas, packed weights, and the file.
  uint64_t memory_bytes() const;
  // Why it could not be tried for one size of its open dimensions, or makes no text; "" if it could and does.
  const std::string& note() const { return note_; }
  // Null: it makes no text.
  TextModel* text() const { return text_.get(); }

  // Checks the request against the model and queues it. `done` is called if and only if this succeeds; else
  // the request is as it was, but for the order of its inputs.
  Error Submit(InferRequest* request, InferCallback done, JobPtr* job);
  void Cancel(const JobPtr& job) { executor_->Cancel(job); }
  bool is_draining() const { return executor_->is_draining(); }
  // Takes nothing more, and answers what it has; Abort() ends that early, without results.
  void Close();
  void Abort();
  bool has_ended() const { return executor_->has_ended() && (text_ == nullptr || text_->has_ended()); }

 private:
  ModelVersion(const std::string& name, int64_t version, const ModelConfig& config, ModelBytes bytes,
               Model model)
      : name_(name),
        version_(std::to_string(version)),
        config_(config),
        bytes_(std::move(bytes)),
        model_(std::move(model)) {}

  Error Start(const ServingContext& context, const LoadLimit& limit);
  Error CheckInputs(InferRequest* request) const;
  Error CheckOutputs(const InferRequest& request) const;
  void SetDeadlines(Job* job) const;
  Error RunWarmups(const LoadLimit& limit);
  Error RunWarmup(const Warmup& warmup, const LoadLimit& limit);
  // Whether the answer was there; `done` has been called then.
  bool AnswerFromCache(const Job& job, const std::string& key);

  const std::string name_, version_;
  const ModelConfig config_;
  const ModelBytes bytes_;
  Model model_;
  std::vector<TensorSpec> inputs_, outputs_;
  std::string note_;
  ModelStats stats_;
  std::unique_ptr<AnswerCache> answers_;  // null: all are computed
  std::unique_ptr<Executor> executor_;
  std::unique_ptr<TextModel> text_;
};

}  // namespace micrort::serve
