#pragma once
// A thread that waits for the events of its sockets, and runs what other threads post to it.

#include <atomic>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

struct event;
struct event_base;

namespace micrort::serve {

class EventLoop {
 public:
  EventLoop();
  ~EventLoop();
  EventLoop(const EventLoop&) = delete;
  EventLoop& operator=(const EventLoop&) = delete;

  event_base* base() const { return base_; }
  void Start();
  // By any thread. Tasks that are posted before the loop ends run; those after are dropped when it is
  // destroyed.
  void Post(std::function<void()> task);
  // By the loop's thread: what may wait until other events have had their turn; a few tasks between two looks
  // at them. Tasks that are left when the loop ends are dropped.
  void Defer(std::function<void()> task);
  // Whether the caller is the loop's thread.
  bool is_current() const { return id_ == std::this_thread::get_id(); }
  // Ends the loop behind the tasks posted so far, and waits for that.
  void Stop();

 private:
  static void OnWake(int descriptor, short what, void* self);
  static void OnLater(int, short, void* self);
  void RunTasks();
  void RunLater();
  void RunDeferred();

  event_base* base_;
  event* wake_;
  event* later_;
  int wake_descriptor_;
  std::mutex mutex_;
  std::vector<std::function<void()>> tasks_;
  std::deque<std::function<void()>> deferred_;
  std::thread thread_;
  std::atomic<std::thread::id> id_;  // of thread_, which may run before the member is set
};

}  // namespace micrort::serve
