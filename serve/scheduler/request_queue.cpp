#include "serve/scheduler/request_queue.h"

#include <algorithm>

namespace micrort::serve {
namespace {

// Who asks first over and over must not keep others from their turn: after so long, nobody comes in between.
constexpr std::chrono::seconds kPatience{1};

bool IsOvertaken(const Job& waiting, const Job& by) {
  return waiting.priority > by.priority && by.enqueued - waiting.enqueued < kPatience;
}

Clock::time_point EndOfWaiting(const Job& job) {
  return job.is_cancelled ? Clock::time_point::min() : std::min(job.deadline, job.queue_deadline);
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
    if (EndOfWaiting(*job) < next_look_) expiring_.notify_one();
    auto at = jobs_.end();
    while (at != jobs_.begin() && IsOvertaken(**(at - 1), *job)) --at;
    jobs_.insert(at, std::move(job));
  }
  changed_.notify_one();
  return {};
}

void RequestQueue::MoveExpired(Clock::time_point now, std::vector<JobPtr>* expired) {
  const auto live = std::stable_partition(jobs_.begin(), jobs_.end(),
                                          [now](const JobPtr& job) { return EndOfWaiting(*job) <= now; });
  expired->assign(std::make_move_iterator(jobs_.begin()), std::make_move_iterator(live));
  jobs_.erase(jobs_.begin(), live);
}

bool RequestQueue::TakeExpired(std::vector<JobPtr>* expired) {
  std::unique_lock lock(mutex_);
  for (;;) {
    MoveExpired(Clock::now(), expired);
    if (!expired->empty()) break;
    if (closed_ && jobs_.empty()) return false;
    next_look_ = Clock::time_point::max();
    for (const JobPtr& job : jobs_) next_look_ = std::min(next_look_, EndOfWaiting(*job));
    if (next_look_ == Clock::time_point::max()) {
      expiring_.wait(lock);
    } else {
      expiring_.wait_until(lock, next_look_);
    }
  }
  // The first of those that are left may be due earlier.
  changed_.notify_one();
  return true;
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

void RequestQueue::NoteEnd() {
  if (closed_ && jobs_.empty()) expiring_.notify_one();
}

bool RequestQueue::Wait() {
  std::unique_lock lock(mutex_);
  for (;;) {
    if (jobs_.empty()) {
      if (closed_) return false;
      changed_.wait(lock);
      continue;
    }
    if (IsDue(Clock::now())) return true;
    changed_.wait_until(lock, jobs_.front()->enqueued + std::chrono::microseconds(policy_.max_delay_us));
  }
}

void RequestQueue::Take(std::vector<JobPtr>* batch, std::vector<JobPtr>* expired) {
  const std::lock_guard lock(mutex_);
  const Clock::time_point now = Clock::now();
  MoveExpired(now, expired);
  if (jobs_.empty() || !IsDue(now)) {
    NoteEnd();
    return;
  }

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
  NoteEnd();
}

std::vector<JobPtr> RequestQueue::TakeAll() {
  const std::lock_guard lock(mutex_);
  std::vector<JobPtr> all(std::make_move_iterator(jobs_.begin()), std::make_move_iterator(jobs_.end()));
  jobs_.clear();
  NoteEnd();
  return all;
}

void RequestQueue::Wake() {
  // TakeExpired() has seen that the job was cancelled, or waits already.
  const std::lock_guard lock(mutex_);
  expiring_.notify_one();
}

void RequestQueue::Close() {
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
  }
  changed_.notify_all();
  expiring_.notify_one();
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
