// elementwise: elements a second of every row of the element-wise, softmax and reduction families that this
// CPU runs, on one thread and data in the first-level cache.

#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "kernels/elementwise/binary_f32.h"
#include "kernels/elementwise/convert_f32.h"
#include "kernels/elementwise/softmax_f32.h"
#include "kernels/elementwise/unary_f32.h"
#include "kernels/reduce/fold_f32.h"
#include "kernels/reduce/min_max_f32.h"

namespace micrort::bench {
namespace {

constexpr size_t kElements = 2048;

template <typename Kernel>
bool CanRun(const Kernel& kernel) {
  return (kernel.features & DetectCpuFeatures()) == kernel.features;
}

std::vector<float> Input() {
  std::vector<float> x(kElements);
  for (size_t i = 0; i < kElements; ++i) x[i] = static_cast<float>(i % 97) * 0.1f - 4.0f;
  return x;
}

// `run(x, y)` handles kElements elements of x, and may write as many elements of 4 bytes to y.
template <typename Run>
void Register(const std::string& name, const char* kernel, Run run) {
  benchmark::RegisterBenchmark((std::string(kernel) + "/" + name).c_str(), [run](benchmark::State& state) {
    const std::vector<float> x = Input();
    std::vector<float> y(kElements);
    for (auto _ : state) {
      run(x.data(), y.data());
      benchmark::DoNotOptimize(y.data());
      benchmark::ClobberMemory();
    }
    state.SetItemsProcessed(static_cast<int64_t>(state.iterations() * kElements));
  });
}

void RegisterUnary() {
  const struct {
    const char* name;
    UnaryOp op;
  } functions[] = {
      {"clip", {UnaryKind::kClip, 0, 6}},
      {"exp", {UnaryKind::kExp, 0, 0}},
      {"log", {UnaryKind::kLog, 0, 0}},
      {"tanh", {UnaryKind::kTanh, 0, 0}},
      {"sigmoid", {UnaryKind::kSigmoid, 0, 0}},
      {"silu", {UnaryKind::kSilu, 0, 0}},
      {"hard_swish", {UnaryKind::kHardSwish, 0, 0}},
      {"erf", {UnaryKind::kErf, 0, 0}},
      {"gelu", {UnaryKind::kGelu, 0, 0}},
      {"mish", {UnaryKind::kMish, 0, 0}},
  };
  for (const UnaryF32Kernel& kernel : UnaryF32Kernels()) {
    if (!CanRun(kernel)) continue;
    for (const auto& f : functions) {
      Register(f.name, kernel.name, [=](const float* x, float* y) { kernel.run(f.op, x, y, kElements); });
    }
  }
}

void RegisterBinary() {
  const struct {
    const char* name;
    BinaryKind kind;
  } functions[] = {{"add", BinaryKind::kAdd}, {"mul", BinaryKind::kMul}, {"less", BinaryKind::kLess}};
  for (const BinaryF32Kernel& kernel : BinaryF32Kernels()) {
    if (!CanRun(kernel)) continue;
    for (const auto& f : functions) {
      Register(f.name, kernel.name,
               [=](const float* x, float* y) { kernel.run(f.kind, x, 1, x, 1, y, kElements); });
    }
  }
}

void RegisterConversions() {
  for (const ConvertF32Kernel& kernel : ConvertF32Kernels()) {
    if (!CanRun(kernel)) continue;
    Register("quantize_s8", kernel.name, [=](const float* x, float* y) {
      kernel.quantize_s8(x, reinterpret_cast<int8_t*>(y), kElements, {0.05f, 3});
    });
    Register("dequantize_s8", kernel.name, [=](const float* x, float* y) {
      kernel.dequantize_s8(reinterpret_cast<const int8_t*>(x), y, kElements, {0.05f, 3});
    });
    Register("to_half", kernel.name,
             [=](const float* x, float* y) { kernel.to_half(x, reinterpret_cast<uint16_t*>(y), kElements); });
  }
}

void RegisterSoftmax() {
  for (const SoftmaxF32Kernel& kernel : SoftmaxF32Kernels()) {
    if (!CanRun(kernel)) continue;
    for (const size_t n : {2, 16, 128, 1024}) {
      Register("rows_of_" + std::to_string(n), kernel.name,
               [=](const float* x, float* y) { kernel.rows(x, y, kElements / n, n, false); });
    }
    Register("columns_of_64", kernel.name, [=](const float* x, float* y) {
      kernel.columns(x, y, kElements / 64, 64, kElements / 64, false);
    });
  }
}

void RegisterReductions() {
  for (const FoldF32Kernel& kernel : FoldF32Kernels()) {
    if (!CanRun(kernel)) continue;
    Register("sum_of_run", kernel.name,
             [=](const float* x, float* y) { kernel.run(FoldKind::kSum, 0, x, kElements, y); });
    Register("sum_of_columns", kernel.name, [=](const float* x, float* y) {
      kernel.columns(FoldKind::kSum, nullptr, x, kElements / 64, 64, 64, y);
    });
  }
  for (const MinMaxF32Kernel& kernel : MinMaxF32Kernels()) {
    if (!CanRun(kernel)) continue;
    Register("min_max", kernel.name, [=](const float* x, float* y) { y[0] = kernel.run(x, kElements).max; });
  }
}

}  // namespace
}  // namespace micrort::bench

int main(int argc, char** argv) {
  using namespace micrort::bench;
  RegisterUnary();
  RegisterBinary();
  RegisterConversions();
  RegisterSoftmax();
  RegisterReductions();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
}
