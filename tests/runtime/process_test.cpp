// What a process may do around runs: fork, take signals, have no more threads.

#include <gmock/gmock.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <numeric>

#include "runtime/threads/thread_pool.h"
#include "tests/runtime/squares_model.h"
#include "tests/runtime/test_session.h"
#include "tests/runtime/thread_hook.h"

namespace micrort::testing {
namespace {

using ::testing::HasSubstr;

InterpreterOptions WithThreads(int threads) {
  InterpreterOptions options = RealOps();
  options.threads = threads;
  return options;
}

bool RunsRight(Interpreter& interpreter) {
  float* const x = interpreter.input(0).as<float>();
  std::iota(x, x + kSquares, 0.0f);
  if (!interpreter.Run().ok()) return false;
  const float* const y = interpreter.output(0).as<float>();
  for (size_t i = 0; i < kSquares; ++i) {
    const float value = static_cast<float>(i);
    if (y[i] != value * value) return false;
  }
  return true;
}

// The child has the calling thread alone: it goes on with interpreters of one thread, and makes others anew.
TEST(Process, AChildGoesOnWithTheModel) {
  TestSession session(Squares(), WithThreads(1));
  ASSERT_TRUE(session.status().ok()) << session.status().message();
  ASSERT_TRUE(RunsRight(*session));
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    bool right = RunsRight(*session);
    Result<Interpreter> own = Interpreter::Create(session.model(), WithThreads(2));
    right = right && own.ok() && RunsRight(*own);
    _exit(right ? 0 : 1);
  }
  EXPECT_TRUE(RunsRight(*session));
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

std::atomic<int> signals{0};  // any thread may take one
Interpreter* volatile cancelled_by_signal = nullptr;

void OnSignal(int) {
  ++signals;
  if (Interpreter* const interpreter = cancelled_by_signal) interpreter->Cancel();
}

// SIGALRM every millisecond.
class Alarms {
 public:
  Alarms() {
    struct sigaction action = {};
    action.sa_handler = OnSignal;
    sigaction(SIGALRM, &action, &before_);
    Set(1000);
  }
  ~Alarms() {
    Set(0);
    sigaction(SIGALRM, &before_, nullptr);
  }

 private:
  static void Set(suseconds_t period) {
    const itimerval every = {{0, period}, {0, period}};
    setitimer(ITIMER_REAL, &every, nullptr);
  }
  struct sigaction before_ = {};
};

TEST(Process, SignalsDoNotDisturbRuns) {
  TestSession session(Squares(), WithThreads(3));
  ASSERT_TRUE(session.status().ok()) << session.status().message();
  const Alarms alarms;
  const int before = signals;
  while (signals < before + 20) ASSERT_TRUE(RunsRight(*session));
}

TEST(Process, ASignalMayCancel) {
  TestSession session(Squares(), WithThreads(2));
  ASSERT_TRUE(session.status().ok()) << session.status().message();
  cancelled_by_signal = &*session;
  Status status;
  {
    const Alarms alarms;
    while (status.ok()) status = session->Run();
  }
  cancelled_by_signal = nullptr;
  EXPECT_EQ(status.code(), StatusCode::kCancelled);
}

TEST(Process, ThreadsThatDoNotStartAreAnError) {
  if (ThreadPool::WorkersOf(4) == 1) GTEST_SKIP() << "a build without threads";
  for (size_t started = 0; started < 3; ++started) {
    const ThreadHook hook(started);
    const TestSession session(Squares(), WithThreads(4));
    EXPECT_EQ(session.status().code(), StatusCode::kOutOfMemory);
    EXPECT_THAT(session.status().message(), HasSubstr("cannot start thread " + std::to_string(started + 2)));
  }
  TestSession session(Squares(), WithThreads(4));
  ASSERT_TRUE(session.status().ok()) << session.status().message();
  EXPECT_TRUE(RunsRight(*session));
}

}  // namespace
}  // namespace micrort::testing
