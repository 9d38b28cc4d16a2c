#include "serve/repository/retired_versions.h"

#include <chrono>
#include <utility>

namespace micrort::serve {
namespace {

// How often versions that still work are looked at.
constexpr auto kPause = std::chrono::milliseconds(5);

}  // namespace

RetiredVersions::RetiredVersions() : thread_([this] { Work(); }) {}

RetiredVersions::~RetiredVersions() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void RetiredVersions::Add(std::shared_ptr<ModelVersion> version, Clock::time_point deadline) {
  version->Close();
  {
    const std::lock_guard lock(mutex_);
    versions_.push_back({std::move(version), deadline});
  }
  changed_.notify_all();
}

bool RetiredVersions::WaitUntil(Clock::time_point deadline) {
  std::unique_lock lock(mutex_);
  return changed_.wait_until(lock, deadline, [this] { return versions_.empty(); });
}

std::list<RetiredVersions::Retired> RetiredVersions::TakeEnded() {
  std::list<Retired> ended;
  const Clock::time_point now = Clock::now();
  for (auto at = versions_.begin(); at != versions_.end();) {
    const auto next = std::next(at);
    if (at->version->has_ended()) {
      ended.splice(ended.end(), versions_, at);
    } else if (!at->is_aborted && at->deadline <= now) {
      at->is_aborted = true;
      at->version->Abort();
    }
    at = next;
  }
  return ended;
}

void RetiredVersions::Work() {
  std::unique_lock lock(mutex_);
  while (!stopping_ || !versions_.empty()) {
    if (versions_.empty()) {
      changed_.wait(lock);
      continue;
    }
    std::list<Retired> ended = TakeEnded();
    if (ended.empty()) {
      changed_.wait_for(lock, kPause);
      continue;
    }
    lock.unlock();
    ended.clear();
    changed_.notify_all();
    lock.lock();
  }
}

}  // namespace micrort::serve
