#include "serve/scheduler/executor.h"

#include <exception>

namespace micrort::serve {
namespace {

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
    sessions_.push_back(std::make_unique<Session>(model, options.session));
}

Executor::~Executor() { Drain(); }

Status Executor::Start(bool prepared) {
  for (const auto& session : sessions_) {
    if (prepared) MICRORT_RETURN_IF_ERROR(session->Prepare());
  }
  for (const auto& session : sessions_) threads_.emplace_back([this, s = session.get()] { Work(s); });
  return Status();
}

Error Executor::Submit(const JobPtr& job) {
  job->enqueued = Clock::now();
  stats_->Accept();
  const Error error = queue_.Push(job);
  if (!error.ok()) stats_->Reject();
  return error;
}

void Executor::Cancel(const JobPtr& job) {
  job->is_cancelled = true;
  queue_.Wake();
  for (const auto& session : sessions_) session->CancelAbandoned();
}

void Executor::Drain() {
  queue_.Close();
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
}

uint64_t Executor::arena_bytes() const {
  uint64_t bytes = 0;
  for (const auto& session : sessions_) bytes += session->arena_bytes();
  return bytes;
}

void Executor::Work(Session* session) {
  while (queue_.Wait()) {
    const int taken = gate_->Enter(options_.session.interpreter.threads);
    std::vector<JobPtr> batch, expired;
    queue_.Take(&batch, &expired);
    const Clock::time_point now = Clock::now();
    for (const JobPtr& job : expired) Finish(job, ExpiryOf(*job), {}, now, {});
    if (!batch.empty()) RunBatch(batch, session);
    gate_->Leave(taken);
  }
}

void Executor::RunBatch(const std::vector<JobPtr>& batch, Session* session) {
  const Clock::time_point started = Clock::now();
  std::vector<InferResponse> responses;
  StageTimes times;
  Error error;
  try {
    error = session->Run(batch, &responses, &times);
  } catch (const std::exception& e) {
    error = {ErrorKind::kUnavailable, e.what()};
  }
  if (!error.ok() && batch.size() > 1) return RunEach(batch, session);
  int64_t rows = 0;
  for (const JobPtr& job : batch) rows += job->rows;
  if (error.ok()) stats_->AddRun(rows, times);
  for (size_t i = 0; i < batch.size(); ++i)
    Finish(batch[i], error, error.ok() ? std::move(responses[i]) : InferResponse(), started, times);
}

void Executor::RunEach(const std::vector<JobPtr>& batch, Session* session) {
  for (const JobPtr& job : batch) {
    if (job->is_cancelled || job->deadline <= Clock::now()) {
      Finish(job, ExpiryOf(*job), {}, Clock::now(), {});
    } else {
      RunBatch({job}, session);
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
}

}  // namespace micrort::serve
