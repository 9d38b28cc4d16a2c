#include "serve/scheduler/request_queue.h"

#include <algorithm>

namespace micrort::serve {
namespace {

// Who asks first over and over must not keep others from their turn: after so long, nobody comes in between.
constexpr std::chrono::seconds kPatience{1};

bool IsOvertaken(const Job& waiting, const Job& by) {
  return waiting.priority > by.priority && by.enqueued - waiting.enqueued < kPatience;
}

bool IsExpired(const Job& job, Clock::time_point now) {
  return job.is_cancelled || job.deadline <= now || job.queue_deadline <= now;
}

}  // namespace

Error RequestQueue::Push(JobPtr job) {
  {
    const std::lock_guard lock(mutex_);
    if (closed_) return {ErrorKind::kUnavailable, "the model is being unloaded"};
    if (jobs_.size() >= policy_.max_queue) {
      return {ErrorKind::kUnavailable,
              "the queue of the model is full (" + std::to_string(policy_.max_queue) + " requests)"};
    }
    auto at = jobs_.end();
    while (at != jobs_.begin() && IsOvertaken(**(at - 1), *job)) --at;
    jobs_.insert(at, std::move(job));
  }
  changed_.notify_one();
  return {};
}

bool RequestQueue::HasExpired(Clock::time_point now) const {
  return std::any_of(jobs_.begin(), jobs_.end(), [now](const JobPtr& job) { return IsExpired(*job, now); });
}

int64_t RequestQueue::RowsOfFirst() const {
  int64_t rows = 0;
  for (const JobPtr& job : jobs_) {
    if (job->batch_key != jobs_.front()->batch_key) continue;
    if (rows + job->rows > policy_.max_batch) break;
    rows += job->rows;
  }
  return rows;
}

bool RequestQueue::IsDue(Clock::time_point now) const {
  if (policy_.max_delay_us == 0 || closed_) return true;
  const int64_t rows = RowsOfFirst();
  if (rows >= policy_.max_batch) return true;
  const auto& preferred = policy_.preferred_batches;
  if (std::find(preferred.begin(), preferred.end(), rows) != preferred.end()) return true;
  return jobs_.front()->enqueued + std::chrono::microseconds(policy_.max_delay_us) <= now;
}

Clock::time_point RequestQueue::NextEvent() const {
  Clock::time_point next = jobs_.front()->enqueued + std::chrono::microseconds(policy_.max_delay_us);
  for (const JobPtr& job : jobs_) next = std::min({next, job->deadline, job->queue_deadline});
  return next;
}

bool RequestQueue::Wait() {
  std::unique_lock lock(mutex_);
  for (;;) {
    if (jobs_.empty()) {
      if (closed_) return false;
      changed_.wait(lock);
      continue;
    }
    const Clock::time_point now = Clock::now();
    if (IsDue(now) || HasExpired(now)) return true;
    changed_.wait_until(lock, NextEvent());
  }
}

void RequestQueue::Take(std::vector<JobPtr>* batch, std::vector<JobPtr>* expired) {
  const std::lock_guard lock(mutex_);
  const Clock::time_point now = Clock::now();
  const auto live = std::stable_partition(jobs_.begin(), jobs_.end(),
                                          [now](const JobPtr& job) { return IsExpired(*job, now); });
  expired->assign(std::make_move_iterator(jobs_.begin()), std::make_move_iterator(live));
  jobs_.erase(jobs_.begin(), live);
  if (jobs_.empty() || !IsDue(now)) return;

  int64_t rows = 0;
  bool is_full = false;
  const std::string key = jobs_.front()->batch_key;
  std::deque<JobPtr> left;
  for (JobPtr& job : jobs_) {
    // Those behind one that does not fit any more keep their order.
    if (is_full || job->batch_key != key || (rows > 0 && rows + job->rows > policy_.max_batch)) {
      is_full = is_full || job->batch_key == key;
      left.push_back(std::move(job));
      continue;
    }
    rows += job->rows;
    batch->push_back(std::move(job));
  }
  jobs_.swap(left);
  if (!jobs_.empty()) changed_.notify_one();
}

std::vector<JobPtr> RequestQueue::TakeAll() {
  const std::lock_guard lock(mutex_);
  std::vector<JobPtr> all(std::make_move_iterator(jobs_.begin()), std::make_move_iterator(jobs_.end()));
  jobs_.clear();
  return all;
}

void RequestQueue::Wake() { changed_.notify_one(); }

void RequestQueue::Close() {
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
  }
  changed_.notify_all();
}

bool RequestQueue::is_closed() const {
  const std::lock_guard lock(mutex_);
  return closed_;
}

size_t RequestQueue::size() const {
  const std::lock_guard lock(mutex_);
  return jobs_.size();
}

}  // namespace micrort::serve
