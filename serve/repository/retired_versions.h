#pragma once
// Versions that were replaced or unloaded: nobody finds them any more, and they answer what they have taken.

#include <condition_variable>
#include <list>
#include <memory>
#include <mutex>
#include <thread>

#include "serve/repository/model_version.h"

namespace micrort::serve {

// Thread-safe.
class RetiredVersions {
 public:
  RetiredVersions();
  // Waits for all.
  ~RetiredVersions();

  // The version takes nothing more. What it has not answered by then is ended.
  void Add(std::shared_ptr<ModelVersion> version, Clock::time_point deadline);
  // Whether all have ended by then.
  bool WaitUntil(Clock::time_point deadline);

 private:
  struct Retired {
    std::shared_ptr<ModelVersion> version;
    Clock::time_point deadline;
    bool is_aborted = false;
  };

  void Work();
  // Ends those whose time is over; gives those that have ended.
  std::list<Retired> TakeEnded();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::list<Retired> versions_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace micrort::serve
