// Runs that end before they are done: Cancel() and RunFor().

#include <gmock/gmock.h>

#include <atomic>
#include <cstring>
#include <thread>

#include "micrort/micrort_c.h"
#include "runtime/threads/thread_pool.h"
#include "tests/runtime/nested_loops.h"

namespace micrort::testing {
namespace {

// A second or more of iterations.
ModelBuilder LongLoops() { return NestedLoops({500, 9000}); }

TEST(StoppedRun, ADeadlineReachesLoops) {
  TestSession session(LongLoops(), RealOps());
  ASSERT_TRUE(session.status().ok()) << session.status().message();
  EXPECT_EQ((*session).RunFor(2000).code(), StatusCode::kDeadlineExceeded);
  EXPECT_EQ((*session).RunFor(0).code(), StatusCode::kInvalidArgument);
}

TEST(StoppedRun, CancelReachesLoopsFromAnotherThread) {
  TestSession session(LongLoops(), RealOps());
  ASSERT_TRUE(session.status().ok()) << session.status().message();
  std::thread other([&] { (*session).Cancel(); });
  EXPECT_EQ((*session).Run().code(), StatusCode::kCancelled);
  other.join();
}

TEST(StoppedRun, CancelEndsOneRunOnly) {
  TestSession session(Chain(3, {4}));
  session.SetInput(0, {1, 2, 3, 4});
  (*session).Cancel();
  EXPECT_EQ((*session).Run().code(), StatusCode::kCancelled);
  session.SetInput(0, {1, 2, 3, 4});
  EXPECT_TRUE((*session).Run().ok());
  EXPECT_THAT(session.Output(0), ::testing::ElementsAre(4, 5, 6, 7));
}

TEST(StoppedRun, PlanningBetweenRunsIsNotStopped) {
  TestSession session(Chain(1, {-1}));
  (*session).Cancel();
  const Shape shapes[] = {Shape::Of(2)};
  EXPECT_TRUE((*session).Resize(shapes).ok());
  EXPECT_EQ((*session).Run().code(), StatusCode::kCancelled);
  EXPECT_TRUE((*session).Resize(shapes).ok());
}

TEST(StoppedRun, ARunThatIsInTimeGivesItsResult) {
  TestSession session(Chain(3, {4}));
  session.SetInput(0, {1, 2, 3, 4});
  EXPECT_TRUE((*session).RunFor(60'000'000).ok());
  EXPECT_THAT(session.Output(0), ::testing::ElementsAre(4, 5, 6, 7));
}

// A kernel's tiles, of which one asks to stop.
TEST(StoppedRun, NoTileBeginsAfterTheStop) {
  for (const int threads : {1, 3}) {
    StopSignal stop;
    ThreadPool pool;
    pool.EndEarly(&stop);
    ASSERT_TRUE(pool.Start(threads).ok());
    stop.BeginRun(StopSignal::kNoDeadline);
    std::atomic<int> done{0};
    const auto tile = [&](size_t, int) {
      ++done;
      stop.Cancel();
    };
    ParallelFor(pool, 1000, tile);
    EXPECT_LE(done.load(), threads);
    stop.EndRun();
    done = 0;
    ParallelFor(pool, 1000, [&](size_t, int) { ++done; });  // between runs none is left out
    EXPECT_EQ(done.load(), 1000);
  }
}

TEST(StoppedRun, TheCInterfaceHasTheSame) {
  const ModelFile file = LongLoops().Finish();
  micrort_model* model = nullptr;
  micrort_interpreter* interpreter = nullptr;
  char message[MICRORT_MESSAGE_BYTES];
  ASSERT_EQ(micrort_model_from_buffer(file.data(), file.size(), &model, message, sizeof message), MICRORT_OK);
  micrort_options options;
  micrort_options_init(&options);
  options.max_work = 1'000'000'000;
  EXPECT_EQ(micrort_interpreter_create(model, &options, &interpreter, message, sizeof message),
            MICRORT_UNSUPPORTED);
  EXPECT_NE(std::strstr(message, "max_work"), nullptr) << message;
  ASSERT_EQ(micrort_interpreter_create(model, nullptr, &interpreter, message, sizeof message), MICRORT_OK)
      << message;
  EXPECT_EQ(micrort_interpreter_run_for(interpreter, 2000, nullptr, 0), MICRORT_DEADLINE_EXCEEDED);
  micrort_interpreter_cancel(interpreter);
  EXPECT_EQ(micrort_interpreter_run(interpreter, nullptr, 0), MICRORT_CANCELLED);
  micrort_interpreter_destroy(interpreter);
  micrort_model_destroy(model);
}

}  // namespace
}  // namespace micrort::testing
