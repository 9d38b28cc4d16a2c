#include "serve/scheduler/executor.h"

#include <exception>
#include <functional>
#include <string>

namespace micrort::serve {
namespace {

// Runs that are shorter are not worth another thread.
constexpr uint64_t kAtOnceNs = 30'000;
// What a run that was expected to be that short may take of the thread that submits it.
constexpr auto kMostAtOnce = std::chrono::milliseconds(2);

size_t HashShapes(const Job& job, int64_t rows) {
  return std::hash<std::string>()(job.batch_key) * 31 + static_cast<size_t>(rows);
}

Error ExpiryOf(const Job& job) {
  if (job.is_cancelled) return {ErrorKind::kCancelled, "the client went away"};
  return {ErrorKind::kDeadline, "the time of the request was over while it waited"};
}

uint64_t BytesOf(const std::vector<Tensor>& tensors) {
  uint64_t bytes = 0;
  for (const Tensor& tensor : tensors) bytes += tensor.data.size();
  return bytes;
}

}  // namespace

Executor::Executor(const Model& model, const ExecutorOptions& options, ComputeGate* gate, ModelStats* stats)
    : options_(options), gate_(gate), stats_(stats), queue_(options.queue) {
  for (int i = 0; i < options.instances; ++i)
    instances_.push_back(std::make_unique<Instance>(model, options.session));
}

Executor::~Executor() { Drain(); }

Status Executor::Start(bool prepared) {
  for (const auto& instance : instances_) {
    if (prepared) MICRORT_RETURN_IF_ERROR(instance->session.Prepare());
  }
  for (const auto& instance : instances_) StartThread([this, i = instance.get()] { Work(i); });
  StartThread([this] { AnswerExpired(); });
  return Status();
}

void Executor::StartThread(std::function<void()> work) {
  ++working_;
  threads_.emplace_back([this, work = std::move(work)] {
    work();
    --working_;
  });
}

Error Executor::Submit(const JobPtr& job) {
  job->enqueued = Clock::now();
  stats_->Accept();
  ++pending_;
  if (RunAtOnce(job)) return {};
  const Error error = queue_.Push(job);
  if (!error.ok()) {
    stats_->Reject();
    --pending_;
  }
  return error;
}

void Executor::Cancel(const JobPtr& job) {
  job->is_cancelled = true;
  queue_.Wake();
  for (const auto& instance : instances_) instance->session.CancelAbandoned();
}

void Executor::Abort() {
  is_aborted_ = true;
  for (const auto& instance : instances_) instance->session.Abort();
  for (const JobPtr& job : queue_.TakeAll()) Finish(job, Unloading(), {}, Clock::now(), {});
}

void Executor::Drain() {
  queue_.Close();
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
}

uint64_t Executor::arena_bytes() const {
  uint64_t bytes = 0;
  for (const auto& instance : instances_) bytes += instance->session.arena_bytes();
  return bytes;
}

bool Executor::RunAtOnce(const JobPtr& job) {
  const uint64_t cost = run_ns_;
  if (cost == 0 || cost > kAtOnceNs || options_.queue.max_delay_us != 0) return false;
  const size_t shapes = HashShapes(*job, job->rows);
  if (queue_.is_closed() || queue_.size() != 0) return false;
  for (const auto& instance : instances_) {
    const std::unique_lock running(instance->mutex, std::try_to_lock);
    if (!running.owns_lock() || instance->shapes != shapes) continue;
    const int taken = gate_->TryEnter(options_.session.interpreter.threads);
    if (taken == 0) return false;
    const Outcome outcome = RunBatch({job}, instance.get(), Clock::now() + kMostAtOnce);
    gate_->Leave(taken);
    return outcome == Outcome::kAnswered;
  }
  return false;
}

void Executor::NoteCost(const StageTimes& times) {
  const uint64_t now = times.input_ns + times.infer_ns + times.output_ns;
  const uint64_t before = run_ns_;
  // A run that takes long weighs more: it held up its thread.
  run_ns_ =
      before == 0 || now > before ? (before + now) / (before == 0 ? 1 : 2) + 1 : (before * 15 + now) / 16 + 1;
}

void Executor::AnswerExpired() {
  std::vector<JobPtr> expired;
  while (queue_.TakeExpired(&expired)) {
    for (const JobPtr& job : expired) Finish(job, ExpiryOf(*job), {}, Clock::now(), {});
    expired.clear();
  }
}

void Executor::Work(Instance* instance) {
  while (queue_.Wait()) {
    const int taken = gate_->Enter(options_.session.interpreter.threads);
    std::vector<JobPtr> batch, expired;
    queue_.Take(&batch, &expired);
    const Clock::time_point now = Clock::now();
    for (const JobPtr& job : expired) Finish(job, ExpiryOf(*job), {}, now, {});
    if (!batch.empty()) {
      const std::lock_guard running(instance->mutex);
      (void)RunBatch(batch, instance);
    }
    gate_->Leave(taken);
  }
}

Executor::Outcome Executor::RunBatch(const std::vector<JobPtr>& batch, Instance* instance,
                                     Clock::time_point until) {
  const Clock::time_point started = Clock::now();
  std::vector<InferResponse> responses;
  StageTimes times;
  Error error;
  try {
    error = instance->session.Run(batch, until, &responses, &times);
  } catch (const std::exception& e) {
    error = {ErrorKind::kUnavailable, e.what()};
  }
  if (error.kind() == ErrorKind::kCancelled && is_aborted_) error = Unloading();
  if (error.kind() == ErrorKind::kDeadline && until != Clock::time_point::max() &&
      batch[0]->deadline > Clock::now()) {
    run_ns_ = Nanoseconds(started, Clock::now());  // those like it wait for a thread
    return Outcome::kTooSlow;
  }
  if (!error.ok() && batch.size() > 1) {
    RunEach(batch, instance);
    return Outcome::kAnswered;
  }
  int64_t rows = 0;
  for (const JobPtr& job : batch) rows += job->rows;
  if (error.ok()) {
    stats_->AddRun(rows, times);
    instance->shapes = HashShapes(*batch[0], rows);
    NoteCost(times);
  }
  for (size_t i = 0; i < batch.size(); ++i)
    Finish(batch[i], error, error.ok() ? std::move(responses[i]) : InferResponse(), started, times);
  return Outcome::kAnswered;
}

void Executor::RunEach(const std::vector<JobPtr>& batch, Instance* instance) {
  for (const JobPtr& job : batch) {
    if (job->is_cancelled || job->deadline <= Clock::now()) {
      Finish(job, ExpiryOf(*job), {}, Clock::now(), {});
    } else {
      (void)RunBatch({job}, instance);
    }
  }
}

void Executor::Finish(const JobPtr& job, const Error& error, InferResponse response,
                      Clock::time_point started, const StageTimes& times) {
  const Clock::time_point now = Clock::now();
  stats_->AddBytes(BytesOf(job->request.inputs), BytesOf(response.outputs));
  stats_->Finish(error, job->rows, Nanoseconds(job->enqueued, now), Nanoseconds(job->enqueued, started),
                 times);
  try {
    job->done(job->request, error, std::move(response));
  } catch (const std::exception&) {
    // Without memory for an answer there is none; the connection ends by its timeout.
  }
  // What callbacks hold of the request ends here, not with the last reference to the job.
  job->done = nullptr;
  --pending_;
}

}  // namespace micrort::serve
