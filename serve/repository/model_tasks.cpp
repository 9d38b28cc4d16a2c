#include "serve/repository/model_tasks.h"

#include <utility>

namespace micrort::serve {

ModelTasks::~ModelTasks() {
  Close();
  for (std::thread& thread : threads_) thread.join();
}

bool ModelTasks::Post(const std::string& model, Task task) {
  const std::lock_guard lock(mutex_);
  if (is_closed_) return false;
  std::deque<Task>& tasks = tasks_[model];
  tasks.push_back(std::move(task));
  if (tasks.size() > 1) return true;  // its turn comes behind the one before it
  ready_.push_back(model);
  if (idle_ < ready_.size() && threads_.size() < max_threads_) StartThread();
  changed_.notify_one();
  return true;
}

void ModelTasks::StartThread() {
  threads_.emplace_back([this] { Work(); });
}

bool ModelTasks::IsBusy(const std::string& model) const {
  const std::lock_guard lock(mutex_);
  return tasks_.count(model) != 0;
}

void ModelTasks::Work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    ++idle_;
    changed_.wait(lock, [this] { return is_closed_ || !ready_.empty(); });
    --idle_;
    if (ready_.empty()) return;
    const std::string model = std::move(ready_.front());
    ready_.pop_front();
    Task task = std::exchange(tasks_[model].front(), nullptr);
    ++running_;
    lock.unlock();
    task(true);
    task = nullptr;
    lock.lock();
    --running_;
    std::deque<Task>& tasks = tasks_[model];
    tasks.pop_front();
    if (tasks.empty()) {
      tasks_.erase(model);
    } else {
      ready_.push_back(model);
    }
    changed_.notify_all();
  }
}

void ModelTasks::Close() {
  std::vector<Task> dropped;
  {
    const std::lock_guard lock(mutex_);
    is_closed_ = true;
    for (auto entry = tasks_.begin(); entry != tasks_.end();) {
      std::deque<Task>& tasks = entry->second;
      // One that has been taken is empty here, and its thread takes it off.
      const bool runs = !tasks.front();
      for (size_t i = runs ? 1 : 0; i < tasks.size(); ++i) dropped.push_back(std::move(tasks[i]));
      tasks.resize(runs ? 1 : 0);
      entry = runs ? std::next(entry) : tasks_.erase(entry);
    }
    ready_.clear();
  }
  changed_.notify_all();
  for (const Task& task : dropped) task(false);
}

bool ModelTasks::WaitUntil(LoadLimit::Clock::time_point deadline) {
  std::unique_lock lock(mutex_);
  return changed_.wait_until(lock, deadline, [this] { return running_ == 0; });
}

}  // namespace micrort::serve
