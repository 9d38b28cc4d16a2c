#include "runtime/threads/thread_pool.h"

#include <gtest/gtest.h>

#if defined(__linux__)
#include <sched.h>
#endif

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

namespace micrort::testing {
namespace {

class ThreadPoolTest : public ::testing::TestWithParam<int> {
 protected:
  void SetUp() override { ASSERT_TRUE(pool_.Start(GetParam()).ok()); }
  ThreadPool pool_;
};

TEST_P(ThreadPoolTest, HasTheWorkersThatPrepareWasTold) {
  EXPECT_EQ(pool_.workers(), ThreadPool::WorkersOf(GetParam()));
}

TEST_P(ThreadPoolTest, RunsEachTileOnce) {
  for (const size_t tiles : {0, 1, 2, 3, 17, 1000, 200000}) {
    std::vector<std::atomic<int>> calls(tiles);
    ParallelFor(pool_, tiles, [&](size_t tile, int) { ++calls[tile]; });
    for (const auto& count : calls) EXPECT_EQ(count, 1);
  }
}

TEST_P(ThreadPoolTest, NoWorkerDoesTwoTilesAtOnce) {
  std::vector<std::atomic<int>> busy(static_cast<size_t>(pool_.workers()));
  std::atomic<int> clashes{0};
  for (int job = 0; job < 50; ++job) {
    ParallelFor(pool_, 100, [&](size_t, int worker) {
      if (busy[static_cast<size_t>(worker)].exchange(1) != 0) ++clashes;
      busy[static_cast<size_t>(worker)] = 0;
    });
  }
  EXPECT_EQ(clashes, 0);
}

// Jobs follow one another faster than threads fall asleep, and slower.
TEST_P(ThreadPoolTest, ManyJobs) {
  size_t sum = 0;
  std::vector<size_t> parts(static_cast<size_t>(pool_.workers()));
  for (size_t job = 0; job < 2000; ++job) {
    if (job % 400 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(2));
    ParallelFor(pool_, job % 7, [&](size_t, int worker) { ++parts[static_cast<size_t>(worker)]; });
    sum += job % 7;
  }
  size_t done = 0;
  for (const size_t part : parts) done += part;
  EXPECT_EQ(done, sum);
}

// What tiles write is seen by the caller, without atomics.
TEST_P(ThreadPoolTest, ResultsAreVisible) {
  std::vector<int> values(1000);
  for (int job = 1; job < 200; ++job) {
    ParallelFor(pool_, values.size(), [&](size_t tile, int) { values[tile] += job; });
    for (const int value : values) ASSERT_EQ(value, job * (job + 1) / 2);
  }
}

INSTANTIATE_TEST_SUITE_P(Threads, ThreadPoolTest, ::testing::Values(1, 2, 3, 8));

// A tile that takes long keeps nobody from the others of that worker's run.
TEST(ThreadPool, TilesOfABusyWorkerAreDoneByOthers) {
  ThreadPool pool;
  ASSERT_TRUE(pool.Start(3).ok());
  if (pool.workers() == 1) GTEST_SKIP() << "a build without threads";
  constexpr size_t kTiles = 64;
  std::atomic<size_t> others{0};
  ParallelFor(pool, kTiles, [&](size_t tile, int) {
    if (tile != 0) {
      ++others;
      return;
    }
    while (others != kTiles - 1) std::this_thread::yield();
  });
  EXPECT_EQ(others, kTiles - 1);
}

TEST(ThreadPool, SleepsAtOnceWhereItIsNotToSpin) {
  ThreadPool pool;
  pool.SetSpin(false);
  ASSERT_TRUE(pool.Start(3).ok());
  std::atomic<int> calls{0};
  for (int job = 0; job < 500; ++job) ParallelFor(pool, 7, [&](size_t, int) { ++calls; });
  EXPECT_EQ(calls, 3500);
}

#if defined(__linux__)
// Each worker waits for all others, so that every one of them takes part.
TEST(ThreadPool, BindsItsOwnThreads) {
  cpu_set_t before, after;
  ASSERT_EQ(sched_getaffinity(0, sizeof before, &before), 0);
  size_t cpu = 0;
  while (!CPU_ISSET(cpu, &before)) ++cpu;
  if (cpu > 63) GTEST_SKIP() << "no CPU of the first 64";
  constexpr int kThreads = 3;
  ThreadPool pool;
  ASSERT_TRUE(pool.Start(kThreads, uint64_t{1} << cpu).ok());
  if (pool.workers() == 1) GTEST_SKIP() << "a build without threads";
  ASSERT_EQ(sched_getaffinity(0, sizeof after, &after), 0);
  EXPECT_TRUE(CPU_EQUAL(&before, &after));
  std::atomic<int> arrived{0}, bound{0};
  ParallelFor(pool, kThreads, [&](size_t, int worker) {
    cpu_set_t own;
    sched_getaffinity(0, sizeof own, &own);
    if (worker != 0 && CPU_COUNT(&own) == 1 && CPU_ISSET(cpu, &own)) ++bound;
    ++arrived;
    while (arrived != kThreads) std::this_thread::yield();
  });
  EXPECT_EQ(bound, kThreads - 1);
}

TEST(ThreadPool, DoesNotStartOnCpusThatDoNotExist) {
  cpu_set_t allowed;
  ASSERT_EQ(sched_getaffinity(0, sizeof allowed, &allowed), 0);
  if (CPU_ISSET(63, &allowed)) GTEST_SKIP() << "the machine has 64 CPUs";
  ThreadPool pool;
  if (ThreadPool::WorkersOf(2) == 1) GTEST_SKIP() << "a build without threads";
  EXPECT_EQ(pool.Start(2, uint64_t{1} << 63).code(), StatusCode::kInvalidArgument);
}
#endif

TEST(ThreadPool, StartsAndStopsIdle) {
  for (int i = 0; i < 50; ++i) {
    ThreadPool pool;
    ASSERT_TRUE(pool.Start(4).ok());
  }
}

}  // namespace
}  // namespace micrort::testing
