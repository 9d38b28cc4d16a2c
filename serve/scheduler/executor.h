#pragma once
// Instances of one model: threads that take batches from its queue and answer their requests.

#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "serve/scheduler/compute_gate.h"
#include "serve/scheduler/request_queue.h"
#include "serve/scheduler/session.h"

namespace micrort::serve {

struct ExecutorOptions {
  QueuePolicy queue;
  SessionOptions session;
  int instances = 1;
};

class Executor {
 public:
  // Model, gate and stats outlive the executor.
  Executor(const Model& model, const ExecutorOptions& options, ComputeGate* gate, ModelStats* stats);
  ~Executor();

  // Starts every instance; with `prepared`, ready to run with open sizes of 1.
  Status Start(bool prepared);
  // `job.done` is called if and only if this succeeds.
  Error Submit(const JobPtr& job);
  // The client of the job went away: it is answered as soon as possible, without a result.
  void Cancel(const JobPtr& job);
  // No job is taken any more; those that are there are answered.
  void Close() { queue_.Close(); }
  // Answers what waits, and what runs as soon as it can be ended, without results. After Close().
  void Abort();
  // Whether all jobs are answered and no instance works any more. After Close().
  bool has_ended() const { return pending_ == 0 && working_ == 0; }
  // Closes, and waits for the end.
  void Drain();

  bool is_draining() const { return queue_.is_closed(); }
  size_t queued() const { return queue_.size(); }
  uint64_t arena_bytes() const;

 private:
  struct Instance {
    Instance(const Model& model, const SessionOptions& options) : session(model, options) {}
    Session session;
    std::mutex mutex;   // held by the thread that runs it
    size_t shapes = 0;  // those of its last run, hashed: of other ones, a run may take any time
  };
  enum class Outcome { kAnswered, kTooSlow };

  void Work(Instance* instance);
  // Requests whose time is over while they wait, however long the instances run.
  void AnswerExpired();
  void StartThread(std::function<void()> work);
  // By the thread that submits it: a run of microseconds takes less time than handing it to another thread.
  // False if it has to wait for anything.
  bool RunAtOnce(const JobPtr& job);
  // kTooSlow: that took longer than until then, and the job is as it was. Never without a time.
  Outcome RunBatch(const std::vector<JobPtr>& batch, Instance* instance,
                   Clock::time_point until = Clock::time_point::max());
  // One by one, so that what is wrong with one request is not the others' error.
  void RunEach(const std::vector<JobPtr>& batch, Instance* instance);
  void NoteCost(const StageTimes& times);
  void Finish(const JobPtr& job, const Error& error, InferResponse response, Clock::time_point started,
              const StageTimes& times);

  const ExecutorOptions options_;
  ComputeGate* gate_;
  ModelStats* stats_;
  RequestQueue queue_;
  std::vector<std::unique_ptr<Instance>> instances_;
  std::atomic<uint64_t> run_ns_{0};  // of late runs, smoothed; 0: none yet
  std::atomic<size_t> pending_{0};   // jobs that are not answered yet
  std::atomic<int> working_{0};      // threads
  std::atomic<bool> is_aborted_{false};
  std::vector<std::thread> threads_;
};

}  // namespace micrort::serve
