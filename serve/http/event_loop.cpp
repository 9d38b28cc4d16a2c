#include "serve/http/event_loop.h"

#include <event2/event.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <stdexcept>

namespace micrort::serve {

EventLoop::EventLoop() : base_(event_base_new()), wake_descriptor_(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {
  if (base_ == nullptr || wake_descriptor_ < 0) throw std::runtime_error("cannot create an event loop");
  wake_ = event_new(base_, wake_descriptor_, EV_READ | EV_PERSIST, OnWake, this);
  event_add(wake_, nullptr);
  later_ = evtimer_new(base_, OnLater, this);
}

EventLoop::~EventLoop() {
  Stop();
  event_free(wake_);
  event_free(later_);
  event_base_free(base_);
  close(wake_descriptor_);
}

void EventLoop::Start() {
  thread_ = std::thread([this] {
    id_ = std::this_thread::get_id();
    event_base_loop(base_, EVLOOP_NO_EXIT_ON_EMPTY);
  });
}

void EventLoop::Post(std::function<void()> task) {
  bool was_empty = false;
  {
    const std::lock_guard lock(mutex_);
    was_empty = tasks_.empty();
    tasks_.push_back(std::move(task));
  }
  // The loop takes all tasks at once: it has been woken already where there were others.
  if (was_empty) eventfd_write(wake_descriptor_, 1);
}

void EventLoop::OnWake(int descriptor, short, void* self) {
  eventfd_t ignored;
  eventfd_read(descriptor, &ignored);
  static_cast<EventLoop*>(self)->RunTasks();
}

void EventLoop::RunTasks() {
  std::vector<std::function<void()>> tasks;
  {
    const std::lock_guard lock(mutex_);
    tasks.swap(tasks_);
  }
  for (const auto& task : tasks) task();
}

void EventLoop::Defer(std::function<void()> task) {
  deferred_.push_back(std::move(task));
  if (deferred_.size() == 1) RunLater();
}

void EventLoop::RunLater() {
  const timeval now = {0, 0};
  event_add(later_, &now);
}

void EventLoop::OnLater(int, short, void* self) { static_cast<EventLoop*>(self)->RunDeferred(); }

void EventLoop::RunDeferred() {
  constexpr int kAtOnce = 32;
  for (int i = 0; i < kAtOnce && !deferred_.empty(); ++i) {
    const std::function<void()> task = std::move(deferred_.front());
    deferred_.pop_front();
    task();
  }
  if (!deferred_.empty()) RunLater();
}

void EventLoop::Stop() {
  if (!thread_.joinable()) return;
  Post([this] { event_base_loopbreak(base_); });
  thread_.join();
  id_ = std::thread::id();  // a later thread may have the same
}

}  // namespace micrort::serve
