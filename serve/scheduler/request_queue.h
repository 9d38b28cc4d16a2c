#pragma once
// Where requests wait for an instance of their model, and where batches are made of them.

#include <condition_variable>
#include <deque>
#include <mutex>
#include <vector>

#include "serve/scheduler/job.h"

namespace micrort::serve {

struct QueuePolicy {
  int64_t max_batch = 1;                   // rows
  std::vector<int64_t> preferred_batches;  // rows; a batch of such a size does not wait for more
  uint64_t max_delay_us = 0;               // how long the first of a batch waits for others
  size_t max_queue = 1024;                 // requests
};

class RequestQueue {
 public:
  explicit RequestQueue(const QueuePolicy& policy) : policy_(policy) {}

  // kUnavailable: full, or closed.
  Error Push(JobPtr job);
  // Blocks until a batch is due; false once the queue is closed and empty.
  bool Wait();
  // The batch that is due now, and jobs whose time is over or whose client went away. Another instance may
  // have taken all.
  void Take(std::vector<JobPtr>* batch, std::vector<JobPtr>* expired);
  // Blocks until jobs are to be answered without a run, whether an instance is free or not, and takes them;
  // false once the queue is closed and empty.
  bool TakeExpired(std::vector<JobPtr>* expired);
  // After a job was cancelled.
  void Wake();
  // All that wait.
  std::vector<JobPtr> TakeAll();
  // No job enters any more; those inside are still taken.
  void Close();
  bool is_closed() const;
  size_t size() const;

 private:
  void MoveExpired(Clock::time_point now, std::vector<JobPtr>* expired);
  // Rows that could run together with the first job.
  int64_t RowsOfFirst() const;
  bool IsDue(Clock::time_point now) const;
  // Tells TakeExpired() that no job will come any more.
  void NoteEnd();

  const QueuePolicy policy_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;   // for instances
  std::condition_variable expiring_;  // for TakeExpired(), which looks again at `next_look_`
  Clock::time_point next_look_ = Clock::time_point::max();
  std::deque<JobPtr> jobs_;  // by priority, then in order of arrival; none is overtaken for long
  bool closed_ = false;
};

}  // namespace micrort::serve
