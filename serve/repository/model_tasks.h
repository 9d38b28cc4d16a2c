#pragma once
// Threads on which models are loaded and unloaded: what is asked of one model happens in its order, and none
// waits for another model.

#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "serve/repository/load_limit.h"

namespace micrort::serve {

// Thread-safe.
class ModelTasks {
 public:
  // With `runs` false there is only to say that it will not happen.
  using Task = std::function<void(bool runs)>;

  explicit ModelTasks(size_t max_threads) : max_threads_(max_threads) {}
  ~ModelTasks();

  // False, and the task is dropped, after Close().
  bool Post(const std::string& model, Task task);
  // Whether something is being done with the model, or waits to be.
  bool IsBusy(const std::string& model) const;
  // Takes no more tasks, and tells those that wait that they will not run.
  void Close();
  // Whether those that run have ended by then. After Close().
  bool WaitUntil(LoadLimit::Clock::time_point deadline);

 private:
  void Work();
  void StartThread();

  const size_t max_threads_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::string, std::deque<Task>> tasks_;  // of each model; the first one may be running
  std::deque<std::string> ready_;                  // models with a task that no thread has taken
  size_t idle_ = 0, running_ = 0;
  bool is_closed_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace micrort::serve
