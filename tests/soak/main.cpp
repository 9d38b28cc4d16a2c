// soak SECONDS: small models run, are made, resized and given up, by one thread and by many, for as long as
// that. Prints what was done, and resident memory and the library's blocks over time; exit code 1 if either
// grows after the first minute (of short soaks: the first third), or if anything fails.

#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <random>
#include <thread>
#include <vector>

#include "micrort/allocator.h"
#include "micrort/micrort.h"
#include "tests/runtime/control_flow_models.h"
#include "tests/runtime/model_builder.h"

namespace micrort::testing {
namespace {

using Clock = std::chrono::steady_clock;

struct Counts {
  std::atomic<uint64_t> runs{0}, interpreters{0}, resizes{0}, models{0};
};

void Require(const Status& status, const char* what) {
  if (status.ok()) return;
  std::fprintf(stderr, "soak: error: %s: %s\n", what, status.message());
  std::exit(1);
}

template <typename T>
T Get(Result<T> result, const char* what) {
  Require(result.status(), what);
  return std::move(*result);
}

// Images of any size through a layer, a maximum and a softmax.
ModelFile Images() {
  ModelBuilder b;
  const int x = b.Input("x", DType::kFloat32, {-1, -1, -1, 3});
  const int w = b.Constant<float>("w", {5, 3, 3, 3}, std::vector<float>(5 * 27, 0.1f));
  const int layer = b.Tensor("layer", DType::kFloat32, {-1, -1, -1, 5});
  const int pooled = b.Tensor("pooled", DType::kFloat32, {-1, -1, -1, 5});
  const int y = b.Tensor("y", DType::kFloat32, {-1, -1, -1, 5});
  schema::Conv2DOptionsT conv;
  conv.pad_top = conv.pad_left = conv.pad_bottom = conv.pad_right = 1;
  schema::Pool2DOptionsT pool;
  pool.kernel_h = pool.kernel_w = 2;
  b.Node(conv, {x, w}, {layer});
  b.Node(pool, {layer}, {pooled});
  schema::SoftmaxOptionsT softmax;
  softmax.axis = 3;
  b.Node(softmax, {pooled}, {y});
  b.Output(y);
  return b.Finish();
}

InterpreterOptions OptionsOf(int threads, const Shape* shape) {
  InterpreterOptions options = RealOps();
  options.threads = threads;
  if (shape != nullptr) options.input_shapes = {shape, 1};
  return options;
}

void Run(Interpreter& interpreter, int count, Counts& counts) {
  for (int i = 0; i < count; ++i) Require(interpreter.Run(), "run");
  counts.runs += static_cast<uint64_t>(count);
}

Shape RandomImage(std::mt19937& random) {
  const auto side = [&] { return static_cast<int64_t>(2 + random() % 11); };
  return Shape::Of(1 + random() % 2, side(), side(), 3);
}

// A model's whole life, with the lives of interpreters of one and of two threads in it.
void Live(const ModelFile& file, bool has_images, std::mt19937& random, Counts& counts) {
  const Model model = Get(Model::FromBuffer(file.data(), file.size()), "load");
  ++counts.models;
  for (const int threads : {1, 2}) {
    Shape shape = RandomImage(random);
    Interpreter interpreter =
        Get(Interpreter::Create(model, OptionsOf(threads, has_images ? &shape : nullptr)), "create");
    ++counts.interpreters;
    Run(interpreter, 5, counts);
    for (int i = 0; has_images && i < 5; ++i) {
      shape = RandomImage(random);
      Require(interpreter.Resize({&shape, 1}), "resize");
      ++counts.resizes;
      Run(interpreter, 2, counts);
    }
  }
}

// More interpreters than threads, of one model; some runs are ended from outside.
void Crowd(const Model& model, unsigned threads, Counts& counts) {
  const auto work = [&](unsigned seed) {
    std::mt19937 random(seed);
    const Shape shape = RandomImage(random);
    std::vector<Interpreter> interpreters;
    for (int i = 0; i < 3; ++i)
      interpreters.push_back(Get(Interpreter::Create(model, OptionsOf(1, &shape)), "create"));
    counts.interpreters += interpreters.size();
    std::thread other([&] { interpreters[0].Cancel(); });
    const StatusCode code = interpreters[0].Run().code();
    other.join();
    if (code != StatusCode::kOk && code != StatusCode::kCancelled) std::exit(1);
    for (int round = 0; round < 50; ++round) {
      for (size_t i = 1; i < interpreters.size(); ++i) Run(interpreters[i], 1, counts);
    }
  };
  std::vector<std::thread> all;
  for (unsigned i = 0; i < threads; ++i) all.emplace_back(work, i);
  for (std::thread& thread : all) thread.join();
}

// Blocks that the library has taken and not given back.
std::atomic<size_t> live_blocks{0};

void* Take(void*, size_t bytes, size_t alignment) {
  void* data = std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
  live_blocks += data != nullptr ? 1 : 0;
  return data;
}

void GiveBack(void*, void* data, size_t) {
  --live_blocks;
  std::free(data);
}

struct Memory {
  size_t resident = 0, blocks = 0;
};

Memory MemoryNow() {
  malloc_trim(0);
  size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages >> pages;
  return {pages * static_cast<size_t>(sysconf(_SC_PAGESIZE)), live_blocks};
}

// The most memory at the start, and later.
class Watch {
 public:
  // The first look is at the start, however long it took to get there.
  void Look(bool at_start) {
    now_ = MemoryNow();
    Memory& most = at_start || first_.resident == 0 ? first_ : later_;
    most = {std::max(most.resident, now_.resident), std::max(most.blocks, now_.blocks)};
  }
  void Print(double seconds) const {
    std::printf("%4.0f s: %zu KiB resident, %zu blocks\n", seconds, now_.resident / 1024, now_.blocks);
  }
  bool Grows() const {
    std::printf("at most %zu KiB resident and %zu blocks at the start, %zu and %zu later\n",
                first_.resident / 1024, first_.blocks, later_.resident / 1024, later_.blocks);
    return later_.blocks > first_.blocks ||
           static_cast<double>(later_.resident) > 1.01 * static_cast<double>(first_.resident);
  }

 private:
  Memory now_, first_, later_;
};

void Print(const Counts& counts) {
  const auto number = [](const std::atomic<uint64_t>& count) {
    return static_cast<unsigned long long>(count);
  };
  std::printf("%llu runs, %llu interpreters, %llu resizes, %llu models\n", number(counts.runs),
              number(counts.interpreters), number(counts.resizes), number(counts.models));
}

int Soak(double seconds) {
  Allocator allocator;
  allocator.allocate = Take;
  allocator.deallocate = GiveBack;
  SetAllocator(allocator);
  const ModelFile images = Images(), loop = LoopOverRows().Finish();
  const Model shared = Get(Model::FromBuffer(images.data(), images.size()), "load");
  const Shape shape = Shape::Of(1, 4, 4, 3);
  Interpreter one = Get(Interpreter::Create(shared, OptionsOf(1, &shape)), "create");
  Counts counts;
  Watch watch;
  std::mt19937 random(1);
  const Clock::time_point begin = Clock::now();
  const double start = std::min(60.0, seconds / 3);
  for (double printed = 0, now = 0; now < seconds;) {
    Run(one, 20000, counts);
    for (int i = 0; i < 20; ++i) Live(i % 4 == 0 ? loop : images, i % 4 != 0, random, counts);
    Crowd(shared, 16, counts);
    now = std::chrono::duration<double>(Clock::now() - begin).count();
    watch.Look(now < start);
    if (now - printed < seconds / 10) continue;
    printed = now;
    watch.Print(now);
  }
  Print(counts);
  if (!watch.Grows()) return 0;
  std::fprintf(stderr, "soak: error: memory grows\n");
  return 1;
}

}  // namespace
}  // namespace micrort::testing

int main(int count, char** arguments) {
  const double seconds = count == 2 ? std::atof(arguments[1]) : 0;
  if (seconds > 0) return micrort::testing::Soak(seconds);
  std::fprintf(stderr, "usage: soak SECONDS\n");
  return 1;
}
