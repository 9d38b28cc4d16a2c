// One model, many interpreters: packed weights exist once, and threads do not disturb each other.

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "kernels/base/platform/mapped_file.h"
#include "micrort/micrort.h"
#include "runtime/model/packed_cache.h"
#include "runtime/threads/thread_pool.h"
#include "tests/runtime/fake_ops.h"
#include "tests/runtime/model_builder.h"

namespace micrort::testing {
namespace {

constexpr int kLayers = 20;
constexpr size_t kWidth = 64;

// y = x * 1 * 1 ..., each with weights of its own.
ModelFile Layers() {
  ModelBuilder b;
  int last = b.Input("x", DType::kFloat32, {kWidth});
  for (int i = 0; i < kLayers; ++i) {
    const int w = b.Constant<float>("w" + std::to_string(i), {kWidth}, std::vector<float>(kWidth, 1.0f));
    const int next = b.Tensor("t" + std::to_string(i), DType::kFloat32, {kWidth});
    b.Node(schema::MatMulOptionsT(), {last, w}, {next});
    last = next;
  }
  b.Output(last);
  return b.Finish();
}

TEST(SharedModel, PacksOnce) {
  const ModelFile file = Layers();
  const OpResolver resolver = FakeOps();
  InterpreterOptions options;
  options.resolver = &resolver;
  auto model = Model::FromBuffer(file.data(), file.size());
  ASSERT_TRUE(model.ok());
  EXPECT_EQ(model->packed_bytes(), 0u);
  const int before = FakePackCount();
  auto first = Interpreter::Create(*model, options);
  auto second = Interpreter::Create(*model, options);
  ASSERT_TRUE(first.ok() && second.ok());
  EXPECT_EQ(FakePackCount() - before, kLayers);
  EXPECT_EQ(model->packed_bytes(), kLayers * kWidth * sizeof(float));
  EXPECT_EQ(model->weight_bytes(), kLayers * kWidth * sizeof(float));
}

TEST(SharedModel, ManyThreads) {
  const ModelFile file = Layers();
  const OpResolver resolver = FakeOps();
  auto model = Model::FromBuffer(file.data(), file.size());
  ASSERT_TRUE(model.ok());
  const int before = FakePackCount();
  std::atomic<int> errors{0};
  const auto work = [&](float value) {
    InterpreterOptions options;
    options.resolver = &resolver;
    for (int round = 0; round < 5; ++round) {
      auto interpreter = Interpreter::Create(*model, options);
      if (!interpreter.ok()) {
        ++errors;
        return;
      }
      for (int run = 0; run < 10; ++run) {
        std::fill_n(interpreter->input(0).as<float>(), kWidth, value);
        errors += !interpreter->Run().ok();
        for (size_t i = 0; i < kWidth; ++i) errors += interpreter->output(0).as<float>()[i] != value;
      }
    }
  };
  std::vector<std::thread> threads;
  for (int t = 0; t < 6; ++t) threads.emplace_back(work, static_cast<float>(t));
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(errors, 0);
  EXPECT_EQ(FakePackCount() - before, kLayers);
}

Status PackFill(const PackContext& context) {
  *static_cast<int*>(context.destination) = context.slot;
  return context.slot == 13 ? MICRORT_ERROR(kInvalidModel, "slot 13") : Status();
}

PackRequest Request(int op, int slot, AlgorithmVariant layout, const void** result) {
  PackRequest request;
  request.key = {0, op, slot, layout, sizeof(int)};
  request.pack = PackFill;
  request.context.slot = slot;
  request.result = result;
  return request;
}

TEST(PackedCache, OneLayoutOneCopy) {
  const MappedFile no_file;
  PackedCache cache(no_file);
  size_t failed = 0;
  const void* a = nullptr;
  const void* b = nullptr;
  PackRequest requests[] = {Request(0, 0, 1, &a), Request(3, 1, 1, &b)};
  ASSERT_TRUE(cache.Acquire(requests, Sequential(), &failed).ok());
  EXPECT_EQ(*static_cast<const int*>(b), 1);
  const void* same = nullptr;
  const void* other = nullptr;
  PackRequest again[] = {Request(0, 0, 2, &other), Request(3, 1, 1, &same)};
  ASSERT_TRUE(cache.Acquire(again, Sequential(), &failed).ok());
  EXPECT_EQ(same, b);
  EXPECT_NE(other, a);
  EXPECT_EQ(cache.bytes(), 3 * kAlignment);
}

// What a node packs may depend on more than its constant: the bytes tell.
Status PackState(const PackContext& context) {
  *static_cast<int*>(context.destination) = context.get<int>();
  return context.get<int>() == 13 ? MICRORT_ERROR(kInvalidModel, "state 13") : Status();
}

// Requests as the steps of an unrolled loop make them.
std::vector<PackRequest> Steps(const std::vector<int>& states, const void* source,
                               std::vector<const void*>* results) {
  results->assign(states.size(), nullptr);
  std::vector<PackRequest> requests;
  for (size_t i = 0; i < states.size(); ++i) {
    requests.push_back(Request(static_cast<int>(i), 0, 1, &(*results)[i]));
    requests.back().pack = PackState;
    requests.back().context.state = &states[i];
    requests.back().source = source;
  }
  return requests;
}

TEST(PackedCache, OneConstantIsPackedOnceForAllWhoPackItAlike) {
  const MappedFile no_file;
  const std::vector<int> states = {5, 5, 7, 5, 7};
  std::vector<const void*> results, again;
  for (const bool is_shared : {true, false}) {
    PackedCache cache(no_file);
    size_t failed = 0, planned = 0;
    std::vector<PackRequest> requests = Steps(states, is_shared ? &states : nullptr, &results);
    ASSERT_TRUE(PlanPackedBytes({requests.data(), requests.size()}, &planned).ok());
    requests = Steps(states, is_shared ? &states : nullptr, &results);
    ASSERT_TRUE(cache.Acquire({requests.data(), requests.size()}, Sequential(), &failed).ok());
    for (size_t i = 0; i < states.size(); ++i) EXPECT_EQ(*static_cast<const int*>(results[i]), states[i]);
    EXPECT_EQ(results[0] == results[1] && results[0] == results[3], is_shared);
    // Those that are packed otherwise have memory of their own.
    EXPECT_EQ(cache.bytes(), (is_shared ? 3 : 5) * kAlignment);
    EXPECT_EQ(planned, cache.bytes());
    // Other interpreters find each of them.
    requests = Steps(states, is_shared ? &states : nullptr, &again);
    ASSERT_TRUE(cache.Acquire({requests.data(), requests.size()}, Sequential(), &failed).ok());
    EXPECT_EQ(again, results);
  }
}

TEST(PackedCache, NamesOneThatFailsAmongThoseThatAreAlike) {
  const MappedFile no_file;
  PackedCache cache(no_file);
  const std::vector<int> states = {5, 5, 13};
  std::vector<const void*> results;
  std::vector<PackRequest> requests = Steps(states, &states, &results);
  size_t failed = 0;
  EXPECT_EQ(cache.Acquire({requests.data(), requests.size()}, Sequential(), &failed).code(),
            StatusCode::kInvalidModel);
  EXPECT_EQ(failed, 2u);
  EXPECT_EQ(cache.bytes(), 0u);
}

TEST(PackedCache, AllWorkersPack) {
  ThreadPool threads;
  ASSERT_TRUE(threads.Start(3).ok());
  const MappedFile no_file;
  PackedCache cache(no_file);
  constexpr int kCount = 200;
  const void* results[kCount] = {};
  std::vector<PackRequest> requests;
  for (int i = 0; i < kCount; ++i) requests.push_back(Request(2 * i, i % 2, 1, &results[i]));
  size_t failed = 0;
  ASSERT_TRUE(cache.Acquire({requests.data(), requests.size()}, threads, &failed).ok());
  for (int i = 0; i < kCount; ++i) EXPECT_EQ(*static_cast<const int*>(results[i]), i % 2);
}

TEST(PackedCache, NamesTheFirstRequestThatFailsWhoeverPacksIt) {
  ThreadPool threads;
  ASSERT_TRUE(threads.Start(3).ok());
  const MappedFile no_file;
  PackedCache cache(no_file);
  const void* results[50] = {};
  std::vector<PackRequest> requests;
  for (int i = 0; i < 50; ++i) requests.push_back(Request(i, i < 20 ? 1 : 13, 1, &results[i]));
  size_t failed = 0;
  EXPECT_EQ(cache.Acquire({requests.data(), requests.size()}, threads, &failed).code(),
            StatusCode::kInvalidModel);
  EXPECT_EQ(failed, 20u);
  EXPECT_EQ(cache.bytes(), 0u);
}

TEST(PackedCache, ErrorsLeaveItAsItWas) {
  const MappedFile no_file;
  PackedCache cache(no_file);
  size_t failed = 0;
  const void* a = nullptr;
  const void* b = nullptr;
  PackRequest requests[] = {Request(0, 0, 1, &a), Request(1, 13, 1, &b)};
  EXPECT_EQ(cache.Acquire(requests, Sequential(), &failed).code(), StatusCode::kInvalidModel);
  EXPECT_EQ(failed, 1u);
  EXPECT_EQ(cache.bytes(), 0u);
}

}  // namespace
}  // namespace micrort::testing
