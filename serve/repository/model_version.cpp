#include "serve/repository/model_version.h"

#include <algorithm>
#include <cstring>
#include <future>
#include <random>

#include "serve/protocol/data_type.h"
#include "serve/protocol/names.h"
#include "serve/repository/model_tensors.h"
#include "tools/io/file_kinds.h"
#include "tools/io/stated_pictures.h"

namespace micrort::serve {
namespace {

bool HasOpenSizes(const Model& model) {
  for (size_t i = 0; i < model.input_count(); ++i) {
    const Shape shape = model.input(i).shape;
    if (model.decides_shapes(i) ||
        std::any_of(shape.dims, shape.dims + shape.rank, [](int64_t d) { return d < 0; }))
      return true;
  }
  return false;
}

ExecutorOptions OptionsFor(const ModelConfig& config, const ServingContext& context) {
  ExecutorOptions options;
  options.instances = config.instances;
  options.queue.max_batch = config.dynamic_batching ? config.max_batch : 1;
  options.queue.preferred_batches = config.preferred_batches;
  options.queue.max_delay_us = config.dynamic_batching ? config.max_delay_us : 0;
  options.queue.max_queue = config.max_queue;
  options.session.has_batches = config.max_batch > 0;
  options.session.max_sequences = config.max_sequences;
  options.session.max_sequence_bytes = context.budget == nullptr ? SIZE_MAX : context.budget->most();
  options.session.max_sequence_idle_us = config.max_sequence_idle_us;
  options.session.budget = context.budget;
  options.session.interpreter.threads = config.threads != 0 ? config.threads : context.threads_per_instance;
  options.session.interpreter.resolver = context.resolver;
  options.session.interpreter.features = context.features;
  options.session.interpreter.limits = context.limits;
  return options;
}

// Only the size of the batch's first open dimension may differ.
std::string BatchKey(const InferRequest& request, const Model& model, bool has_batches) {
  std::string key;
  for (size_t i = 0; i < request.inputs.size(); ++i) {
    const Tensor& input = request.inputs[i];
    for (size_t d = has_batches ? 1 : 0; d < input.shape.size(); ++d)
      key += std::to_string(input.shape[d]) + ",";
    key += ';';
    if (model.decides_shapes(i))
      key.append(reinterpret_cast<const char*>(input.data.data()), input.data.size());
  }
  return key;
}

constexpr size_t kMostWarmupBytes = size_t{256} << 20;

void Fill(const Warmup::Input& input, Tensor* tensor) {
  std::minstd_rand random(1);
  for (uint8_t& byte : tensor->owned) byte = input.is_random ? static_cast<uint8_t>(random() % 2) : 0;
}

Error CheckInput(const Tensor& tensor, const TensorSpec& spec, int64_t max_batch) {
  const std::string where = "input '" + spec.name + "'";
  if (tensor.dtype != spec.dtype) {
    return Invalid(where + ": expected datatype " + ProtocolName(spec.dtype) + ", found " +
                   ProtocolName(tensor.dtype));
  }
  bool fits = tensor.shape.size() == spec.shape.size();
  for (size_t i = 0; fits && i < spec.shape.size(); ++i)
    fits = spec.shape[i] == -1 || spec.shape[i] == tensor.shape[i];
  if (!fits) {
    return Invalid(where + ": expected shape " + ShapeText(spec.shape) + ", found " +
                   ShapeText(tensor.shape));
  }
  if (max_batch == 0) return {};
  if (tensor.shape[0] >= 1 && tensor.shape[0] <= max_batch) return {};
  return Invalid(where + ": expected a batch of 1 to " + std::to_string(max_batch) + ", found " +
                 std::to_string(tensor.shape[0]));
}

// A tokenizer beside a model that predicts no token, as an encoder's, is for clients, unless config.pbtxt
// names it: then `why_not` says why there is no text.
Error LoadTextModel(const Model& model, const std::string& tokenizer, const ModelConfig& config,
                    const ServingContext& context, ModelStats* stats, std::unique_ptr<TextModel>* out,
                    std::string* why_not) {
  if (tokenizer.empty()) return {};
  TextOptions options;
  options.tokenizer = tokenizer;
  options.chat = config.chat;
  options.sequences = config.text_sequences != 0 ? config.text_sequences : context.text_sequences;
  options.shares_beginnings = context.shares_beginnings;
  options.interpreter = OptionsFor(config, context).session.interpreter;
  options.gate = context.gate;
  options.stats = stats;
  const Error error = TextModel::Load(model, options, out);
  if (error.ok() || !config.tokenizer.empty()) return error;
  *why_not = "makes no text: " + error.message();
  return {};
}

// "" where the file states nothing, or its first input are no floats.
Error ReadPictures(const Model& model, std::string* pictures) {
  io::Preprocess stated;
  const Status status = io::StatedPreprocess(model, &stated);
  if (!status.ok()) return Error::From(status);
  const bool is_stated = !stated.is_default() && model.input_count() > 0 && IsFloat(model.input(0).dtype);
  if (is_stated) *pictures = io::PicturesJson(stated);
  return {};
}

}  // namespace

Error ModelVersion::Load(const std::string& name, const VersionFile& file, const ModelBytes& bytes,
                         const ModelConfig& config, const ServingContext& context, const LoadLimit& limit,
                         std::shared_ptr<ModelVersion>* out) {
  const std::string& path = file.path;
  ModelBytes memory = bytes;
  const bool is_mapped = bytes.owner == nullptr && context.maps_models;
  if (bytes.owner == nullptr && !is_mapped) MICRORT_SERVE_RETURN_IF_ERROR(ReadModelBytes(path, &memory));
  Result<Model> model =
      is_mapped ? Model::FromFile(path.c_str()) : Model::FromBuffer(memory.bytes.data(), memory.bytes.size());
  if (!model.ok()) {
    const Status status = is_mapped ? model.status() : model.status().WithPrefix("%s", path.c_str());
    return Error::From(io::ExplainNoMicrortModel(path, status));
  }
  ModelConfig whole = config;
  const Error pictures = ReadPictures(*model, &whole.pictures);
  if (!pictures.ok()) return pictures.WithPrefix(path);
  std::shared_ptr<ModelVersion> loaded(
      new ModelVersion(name, file.version, whole, memory, std::move(*model)));
  const Error error = loaded->Start(context, limit);
  if (!error.ok()) return error.WithPrefix(path);
  std::string why_not;
  MICRORT_SERVE_RETURN_IF_ERROR(LoadTextModel(loaded->model_, file.tokenizer, config, context,
                                              &loaded->stats_, &loaded->text_, &why_not));
  if (!why_not.empty()) loaded->note_ += (loaded->note_.empty() ? "" : "; ") + why_not;
  *out = std::move(loaded);
  return {};
}

Error ModelVersion::Start(const ServingContext& context, const LoadLimit& limit) {
  inputs_ = InputsOf(model_);
  outputs_ = OutputsOf(model_);
  const bool has_batches = config_.max_batch > 0;
  for (const TensorSpec& input : inputs_) {
    if (has_batches && (input.shape.empty() || input.shape[0] != -1)) {
      return Invalid("input '" + input.name + "' has shape " + ShapeText(input.shape) +
                     ": a max_batch_size above 0 needs an open first dimension (mnnconvert --input-shape " +
                     input.name + "=?x...)");
    }
  }
  MICRORT_SERVE_RETURN_IF_ERROR(CheckTensors("input", config_.inputs, inputs_, has_batches));
  MICRORT_SERVE_RETURN_IF_ERROR(CheckTensors("output", config_.outputs, outputs_, has_batches));

  // State is one instance's.
  ExecutorOptions options = OptionsFor(config_, context);
  Result<Interpreter> probe = Interpreter::Create(model_, options.session.interpreter);
  if (probe.ok() && probe->state_count() > 0) {
    if (has_batches) return Invalid("a model with state takes no batches: set max_batch_size to 0");
    options.instances = 1;
  } else if (config_.caches_answers && context.answer_cache_bytes > 0) {
    answers_ = std::make_unique<AnswerCache>(context.answer_cache_bytes);
  }
  if (!probe.ok()) {
    const StatusCode code = probe.status().code();
    const bool sizes_may_be_why =
        HasOpenSizes(model_) && (code == StatusCode::kInvalidArgument || code == StatusCode::kInvalidModel);
    if (!sizes_may_be_why) return Error::From(probe.status());
    note_ = "not tried yet, its sizes are open: " + std::string(probe.status().message());
  }
  executor_ = std::make_unique<Executor>(model_, options, context.gate, &stats_);
  MICRORT_SERVE_RETURN_IF_ERROR(Error::From(executor_->Start(note_.empty())));
  return RunWarmups(limit);
}

void ModelVersion::Close() {
  executor_->Close();
  if (text_ != nullptr) text_->Close();
}

void ModelVersion::Abort() {
  executor_->Abort();
  if (text_ != nullptr) text_->Abort();
}

uint64_t ModelVersion::memory_bytes() const {
  const uint64_t sequences = text_ == nullptr ? 0 : text_->memory_bytes();
  return executor_->arena_bytes() + sequences + model_.packed_bytes() + model_.file_bytes();
}

Error ModelVersion::CheckInputs(InferRequest* request) const {
  std::vector<Tensor>& given = request->inputs;
  if (given.size() != inputs_.size()) {
    return Invalid("model '" + name_ + "': expected " + std::to_string(inputs_.size()) + " inputs, found " +
                   std::to_string(given.size()) + ": expected " + NamesText(inputs_));
  }
  for (size_t i = 0; i < inputs_.size(); ++i) {
    const auto at = std::find_if(given.begin() + static_cast<std::ptrdiff_t>(i), given.end(),
                                 [&](const Tensor& tensor) { return tensor.name == inputs_[i].name; });
    if (at == given.end())
      return Invalid("model '" + name_ + "': expected an input '" + inputs_[i].name + "', found " +
                     NamesText(given));
    std::swap(given[i], *at);
    MICRORT_SERVE_RETURN_IF_ERROR(CheckInput(given[i], inputs_[i], config_.max_batch));
    if (config_.max_batch > 0 && given[i].shape[0] != given[0].shape[0])
      return Invalid("model '" + name_ + "': expected the same batch in all inputs, found " +
                     std::to_string(given[0].shape[0]) + " in '" + given[0].name + "' and " +
                     std::to_string(given[i].shape[0]) + " in '" + given[i].name + "'");
  }
  return {};
}

Error ModelVersion::CheckOutputs(const InferRequest& request) const {
  if (request.outputs.size() > outputs_.size())
    return Invalid("model '" + name_ + "': expected at most " + std::to_string(outputs_.size()) +
                   " outputs, found " + std::to_string(request.outputs.size()));
  for (const RequestedOutput& wanted : request.outputs) {
    const bool exists = std::any_of(outputs_.begin(), outputs_.end(),
                                    [&](const TensorSpec& spec) { return spec.name == wanted.name; });
    if (!exists)
      return Invalid("model '" + name_ + "' has no output '" + wanted.name + "'; it has " +
                     NamesText(outputs_));
  }
  return {};
}

void ModelVersion::SetDeadlines(Job* job) const {
  const auto now = Clock::now();
  // A year: far more than any request waits, and far from the end of the clock.
  const uint64_t most = uint64_t{365} * 24 * 3600 * 1'000'000;
  if (job->request.timeout_us != 0 && config_.may_override_timeout)
    job->deadline = now + std::chrono::microseconds(std::min(job->request.timeout_us, most));
  if (config_.queue_timeout_us != 0 && config_.rejects_late)
    job->queue_deadline = now + std::chrono::microseconds(std::min(config_.queue_timeout_us, most));
}

Error ModelVersion::Submit(InferRequest* request, InferCallback done, JobPtr* out) {
  MICRORT_SERVE_RETURN_IF_ERROR(CheckInputs(request));
  MICRORT_SERVE_RETURN_IF_ERROR(CheckOutputs(*request));
  auto job = std::make_shared<Job>();
  job->priority = request->priority != 0 ? request->priority : config_.default_priority;
  if (config_.priority_levels != 0) job->priority = std::min(job->priority, config_.priority_levels);
  if (config_.max_batch > 0 && !request->inputs.empty()) job->rows = request->inputs[0].shape[0];
  job->batch_key = BatchKey(*request, model_, config_.max_batch > 0);
  job->request = std::move(*request);
  SetDeadlines(job.get());
  job->done = [this_version = version_, this_name = name_, done = std::move(done)](
                  const InferRequest& asked, const Error& error, InferResponse response) {
    response.model = this_name;
    response.version = this_version;
    response.id = asked.id;
    done(asked, error, std::move(response));
  };
  // Set before another thread can finish the job.
  *out = job;
  if (answers_ != nullptr && !executor_->is_draining()) {
    const std::string key = AnswerCache::KeyOf(job->request);
    if (AnswerFromCache(*job, key)) return {};
    job->done = [this, key, done = std::move(job->done)](const InferRequest& asked, const Error& error,
                                                         InferResponse response) {
      if (error.ok()) answers_->Keep(key, response);
      done(asked, error, std::move(response));
    };
  }
  Error error = executor_->Submit(job);
  if (!error.ok()) *request = std::move(job->request);
  return error;
}

bool ModelVersion::AnswerFromCache(const Job& job, const std::string& key) {
  const auto begin = Clock::now();
  InferResponse response;
  if (!answers_->Find(key, &response)) {
    stats_.AddCacheMiss(Nanoseconds(begin, Clock::now()));
    return false;
  }
  stats_.AddCacheHit(job.rows, Nanoseconds(begin, Clock::now()));
  job.done(job.request, {}, std::move(response));
  return true;
}

Error ModelVersion::RunWarmups(const LoadLimit& limit) {
  for (const Warmup& warmup : config_.warmups) {
    for (uint32_t i = 0; i < warmup.count; ++i) {
      const Error error = RunWarmup(warmup, limit);
      if (!error.ok()) return error.WithPrefix("model_warmup '" + warmup.name + "'");
    }
  }
  return {};
}

Error ModelVersion::RunWarmup(const Warmup& warmup, const LoadLimit& limit) {
  InferRequest request;
  for (const Warmup::Input& input : warmup.inputs) {
    Tensor tensor;
    tensor.name = input.name;
    tensor.dtype = input.dtype;
    tensor.shape = input.dims;
    if (config_.max_batch > 0) tensor.shape.insert(tensor.shape.begin(), warmup.batch);
    size_t bytes = 0;
    MICRORT_SERVE_RETURN_IF_ERROR(
        TensorBytes(input.name, input.dtype, tensor.shape, kMostWarmupBytes, &bytes));
    tensor.Own(bytes);
    Fill(input, &tensor);
    request.inputs.push_back(std::move(tensor));
  }
  MICRORT_SERVE_RETURN_IF_ERROR(limit.Check());
  const auto finished = std::make_shared<std::promise<Error>>();
  std::future<Error> error = finished->get_future();
  JobPtr job;
  MICRORT_SERVE_RETURN_IF_ERROR(Submit(
      &request,
      [finished](const InferRequest&, const Error& failure, InferResponse) { finished->set_value(failure); },
      &job));
  while (error.wait_for(std::chrono::milliseconds(20)) != std::future_status::ready) {
    if (limit.Check().ok()) continue;
    Cancel(job);
    error.wait();
    return limit.Check();
  }
  return error.get();
}

}  // namespace micrort::serve
