// Memory that the system does not give: every allocation of loading, creating and resizing fails once, and
// running makes none.

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>

#include "micrort/allocator.h"
#include "micrort/micrort.h"
#include "micrort/micrort_c.h"
#include "tests/runtime/allocation_hook.h"
#include "tests/runtime/control_flow_models.h"

namespace micrort::testing {
namespace {

// Every kind of memory that an interpreter takes: states, known tensors, packed weights, scratch.
ModelFile Everything() {
  ModelBuilder b;
  const int x = b.Input("x", DType::kFloat32, {-1, 4});
  const int w = b.Constant<float>("w", {1, 4}, {1, 2, 3, 4});
  const int shape = b.Tensor("shape", DType::kInt64, {2});
  const int expanded = b.Tensor("expanded", DType::kFloat32, {-1, 4});
  const int scaled = b.Tensor("scaled", DType::kFloat32, {1, 4});
  const int plus = b.Tensor("plus", DType::kFloat32, {-1, 4});
  const int sum = b.Tensor("sum", DType::kFloat32, {-1, 4});
  const int y = b.Tensor("y", DType::kFloat32, {-1, 4});
  const int w2 = b.Constant<float>("w2", {1, 4}, {4, 3, 2, 1});
  b.Node(schema::ShapeOptionsT(), {x}, {shape});
  b.Node(schema::MatMulOptionsT(), {w, w2}, {scaled});
  b.Node(schema::ExpandOptionsT(), {scaled, shape}, {expanded});
  b.Node(schema::UnaryOptionsT(), {x}, {plus});
  b.Node(schema::BinaryOptionsT(), {expanded, plus}, {sum});
  b.Node(schema::SoftmaxOptionsT(), {sum}, {y});
  b.Output(y);
  return b.Finish();
}

// Calls `attempt` with the n-th allocation failing, for n = 0, 1, ... until it succeeds.
template <typename Attempt>
void FailEach(Attempt&& attempt) {
  for (size_t n = 0; n < 1000; ++n) {
    StatusCode code = StatusCode::kOk;
    bool failed = false;
    {
      const AllocationHook hook(n);
      code = attempt();
      failed = AllocationHook::count() > n;
    }
    if (!failed) {
      EXPECT_EQ(code, StatusCode::kOk);
      EXPECT_GT(n, 0u) << "nothing was allocated at all";
      return;
    }
    EXPECT_EQ(code, StatusCode::kOutOfMemory) << "allocation " << n;
  }
  FAIL() << "never succeeded";
}

TEST(Allocation, EachFailsOnceInCreate) {
  const ModelFile file = Everything();
  const OpResolver resolver = FakeOps();
  for (const int threads : {1, 3}) {
    InterpreterOptions options;
    options.resolver = &resolver;
    options.threads = threads;
    FailEach([&] {
      auto model = Model::FromBuffer(file.data(), file.size());
      if (!model.ok()) return model.status().code();
      auto interpreter = Interpreter::Create(*model, options);
      return interpreter.ok() ? interpreter->Run().code() : interpreter.status().code();
    });
  }
}

TEST(Allocation, EachFailsOnceInCreateWithGraphsInsideOperators) {
  const ModelFile file = LoopOverRows().Finish();
  const InterpreterOptions options = RealOps();
  FailEach([&] {
    auto model = Model::FromBuffer(file.data(), file.size());
    if (!model.ok()) return model.status().code();
    auto interpreter = Interpreter::Create(*model, options);
    return interpreter.ok() ? interpreter->Run().code() : interpreter.status().code();
  });
}

// The caller's allocator, which refuses once.
class RefusingMemory {
 public:
  explicit RefusingMemory(size_t refused) : refused_(refused) {
    Allocator own;
    own.allocate = [](void* context, size_t bytes, size_t alignment) -> void* {
      auto& memory = *static_cast<RefusingMemory*>(context);
      if (memory.count_++ == memory.refused_) return nullptr;
      return ::operator new (bytes, std::align_val_t{alignment}, std::nothrow);
    };
    own.deallocate = [](void*, void* data, size_t alignment) {
      ::operator delete (data, std::align_val_t{alignment});
    };
    own.context = this;
    SetAllocator(own);
  }
  ~RefusingMemory() { SetAllocator(Allocator()); }
  bool has_refused() const { return count_ > refused_; }

 private:
  const size_t refused_;
  size_t count_ = 0;
};

TEST(Allocation, EachIsRefusedOnceInTheCInterface) {
  const ModelFile file = LoopOverRows().Finish();
  constexpr char kTuned[] = "micrort-tuned 1\ncpu neon threads 7 layers 0\nend\n";
  micrort_options options;
  micrort_options_init(&options);
  options.before_step = [](void*, const micrort_step*) {};
  options.tuned = kTuned;
  options.tuned_bytes = std::strlen(kTuned);
  int status = MICRORT_OUT_OF_MEMORY;
  for (size_t n = 0; status != MICRORT_OK; ++n) {
    const RefusingMemory memory(n);
    micrort_model* model = nullptr;
    micrort_interpreter* interpreter = nullptr;
    status = micrort_model_from_buffer(file.data(), file.size(), &model, nullptr, 0);
    if (status == MICRORT_OK) status = micrort_interpreter_create(model, &options, &interpreter, nullptr, 0);
    EXPECT_EQ(interpreter != nullptr, status == MICRORT_OK);
    EXPECT_EQ(status, memory.has_refused() ? MICRORT_OUT_OF_MEMORY : MICRORT_OK) << n;
    micrort_interpreter_destroy(interpreter);
    micrort_model_destroy(model);
  }
}

TEST(Allocation, EachFailsOnceInResizeAndTheOldShapesStay) {
  const ModelFile file = Everything();
  const OpResolver resolver = FakeOps();
  InterpreterOptions options;
  options.resolver = &resolver;
  auto model = Model::FromBuffer(file.data(), file.size());
  ASSERT_TRUE(model.ok());
  auto interpreter = Interpreter::Create(*model, options);
  ASSERT_TRUE(interpreter.ok());
  const Shape large = Shape::Of(100, 4);
  FailEach([&] {
    const StatusCode code = interpreter->Resize({&large, 1}).code();
    const int64_t expected = code == StatusCode::kOk ? 100 : 1;
    EXPECT_EQ(interpreter->input(0).shape[0], expected);
    EXPECT_TRUE(interpreter->Run().ok());
    return code;
  });
}

// Memory that a program hands out in place of the heap, watched.
class OwnMemory {
 public:
  OwnMemory() {
    Allocator allocator;
    allocator.allocate = [](void* self, size_t bytes, size_t alignment) {
      return static_cast<OwnMemory*>(self)->Take(bytes, alignment);
    };
    allocator.deallocate = [](void* self, void* data, size_t alignment) {
      static_cast<OwnMemory*>(self)->Give(static_cast<uint8_t*>(data), alignment);
    };
    allocator.context = this;
    SetAllocator(allocator);
  }
  ~OwnMemory() { SetAllocator(Allocator()); }

  size_t pieces() const { return pieces_; }
  size_t left() const { return left_; }

 private:
  void* Take(size_t bytes, size_t alignment) {
    const size_t begin = (used_ + alignment - 1) / alignment * alignment;
    if (begin + bytes > sizeof(memory_)) return nullptr;
    used_ = begin + bytes;
    ++pieces_;
    ++left_;
    return memory_ + begin;
  }
  void Give(uint8_t* data, size_t alignment) {
    EXPECT_TRUE(data >= memory_ && data < memory_ + sizeof(memory_));
    EXPECT_EQ(reinterpret_cast<uintptr_t>(data) % alignment, 0u);
    --left_;
  }

  alignas(64) uint8_t memory_[256 * 1024];
  size_t used_ = 0, pieces_ = 0, left_ = 0;
};

TEST(Allocation, ComesFromTheCallersAllocatorAlone) {
  const ModelFile file = Everything();
  const OpResolver resolver = FakeOps();
  InterpreterOptions options;
  options.resolver = &resolver;
  const auto memory = std::make_unique<OwnMemory>();
  {
    const AllocationHook heap;
    auto model = Model::FromBuffer(file.data(), file.size());
    ASSERT_TRUE(model.ok());
    auto interpreter = Interpreter::Create(*model, options);
    ASSERT_TRUE(interpreter.ok()) << interpreter.status().message();
    EXPECT_TRUE(interpreter->Run().ok());
    const Shape large = Shape::Of(10, 4);
    EXPECT_TRUE(interpreter->Resize({&large, 1}).ok());
    EXPECT_EQ(AllocationHook::count(), 0u);
  }
  EXPECT_GT(memory->pieces(), 5u);
  EXPECT_EQ(memory->left(), 0u);
}

TEST(Allocation, FailsWhereTheCallersAllocatorGivesNoMore) {
  const ModelFile file = Everything();
  Allocator empty;
  empty.allocate = [](void*, size_t, size_t) -> void* { return nullptr; };
  empty.deallocate = [](void*, void*, size_t) { std::abort(); };
  SetAllocator(empty);
  const StatusCode code = Model::FromBuffer(file.data(), file.size()).status().code();
  SetAllocator(Allocator());
  EXPECT_EQ(code, StatusCode::kOutOfMemory);
}

TEST(Allocation, NeedNotBeGivenBack) {
  const ModelFile file = Everything();
  const OpResolver resolver = FakeOps();
  InterpreterOptions options;
  options.resolver = &resolver;
  alignas(64) static uint8_t memory[256 * 1024];
  size_t used = 0;
  Allocator bump;
  bump.allocate = [](void* context, size_t bytes, size_t alignment) -> void* {
    size_t& top = *static_cast<size_t*>(context);
    const size_t begin = (top + alignment - 1) / alignment * alignment;
    if (begin + bytes > sizeof memory) return nullptr;
    top = begin + bytes;
    return memory + begin;
  };
  bump.context = &used;
  SetAllocator(bump);
  {
    auto model = Model::FromBuffer(file.data(), file.size());
    ASSERT_TRUE(model.ok());
    auto interpreter = Interpreter::Create(*model, options);
    ASSERT_TRUE(interpreter.ok()) << interpreter.status().message();
    EXPECT_TRUE(interpreter->Run().ok());
  }
  SetAllocator(Allocator());
  EXPECT_GT(used, 0u);
}

TEST(Allocation, RunMakesNone) {
  const ModelFile file = Everything();
  const OpResolver resolver = FakeOps();
  auto model = Model::FromBuffer(file.data(), file.size());
  ASSERT_TRUE(model.ok());
  struct Observer final : OpObserver {
    void AfterOp(const OpInfo&) override { ++calls; }
    int calls = 0;
  } observer;
  for (const int threads : {1, 2, 4}) {
    InterpreterOptions options;
    options.resolver = &resolver;
    options.threads = threads;
    options.observer = &observer;
    auto interpreter = Interpreter::Create(*model, options);
    ASSERT_TRUE(interpreter.ok());
    const AllocationHook hook;
    for (int run = 0; run < 10; ++run) EXPECT_TRUE(interpreter->Run().ok());
    EXPECT_EQ(AllocationHook::count(), 0u);
  }
  EXPECT_GT(observer.calls, 0);
}

TEST(Allocation, ArenaIsOneBlock) {
  const ModelFile file = Everything();
  const OpResolver resolver = FakeOps();
  auto model = Model::FromBuffer(file.data(), file.size());
  ASSERT_TRUE(model.ok());
  InterpreterOptions options;
  options.resolver = &resolver;
  size_t with_own_arena = 0;
  {
    ASSERT_TRUE(Interpreter::Create(*model, options).ok());  // packs the weights
    const AllocationHook hook;
    ASSERT_TRUE(Interpreter::Create(*model, options).ok());
    with_own_arena = AllocationHook::count();
  }
  alignas(64) static uint8_t arena[4096];
  options.arena = arena;
  options.arena_bytes = sizeof arena;
  const AllocationHook hook;
  ASSERT_TRUE(Interpreter::Create(*model, options).ok());
  EXPECT_EQ(AllocationHook::count() + 1, with_own_arena);
}

}  // namespace
}  // namespace micrort::testing
