// gemm_peak: how near the matrix products come to what one core can do.
//
// Prints the measured peak of fused multiply-adds, and for each micro-kernel that this CPU runs the speed of
// a product of M = N = K = 384 on one thread. All are measured in turns, so that changes of the clock hit all
// alike; figures are medians.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <string>
#include <vector>

#include "bench/gemm_peak/fma_peak.h"
#include "kernels/base/checked_math.h"
#include "kernels/conv2d/conv2d.h"
#include "kernels/gemm/gemm_f32.h"
#include "kernels/gemm/gemm_s8.h"

namespace micrort::bench {
namespace {

constexpr int64_t kSize = 384;
constexpr int kRounds = 15;
constexpr double kSecondsPerTurn = 0.02;

// Something to measure; run() returns the multiply-adds that it has done.
struct Candidate {
  std::string name;
  std::function<int64_t()> run;
  std::vector<double> rates;  // 10^9 multiply-adds a second, one a round

  double Median() {
    std::sort(rates.begin(), rates.end());
    return rates[rates.size() / 2];
  }
};

// CPU time, so that other programs on the machine count as little as can be.
double Measure(const Candidate& candidate) {
  const std::clock_t start = std::clock();
  int64_t done = 0;
  double seconds = 0;
  do {
    done += candidate.run();
    seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  } while (seconds < kSecondsPerTurn);
  return static_cast<double>(done) / seconds * 1e-9;
}

// A product of square matrices by one algorithm.
class Product {
 public:
  Product(bool is_float, CpuFeatures features) : target_{features, 1} {
    p_ = {};
    p_.batch = kSize;
    p_.in_h = p_.in_w = p_.out_h = p_.out_w = p_.kernel_h = p_.kernel_w = 1;
    p_.in_c = p_.out_c = kSize;
    p_.stride_h = p_.stride_w = p_.dilation_h = p_.dilation_w = p_.groups = 1;
    p_.types.x = p_.types.weights = p_.types.y = is_float ? DType::kFloat32 : DType::kInt8;
    p_.types.x_scale = p_.types.y_scale = p_.types.residual_scale = 1.0f;
    algorithm_ = ChooseConv2D(p_, target_);
    const std::vector<float> weights(static_cast<size_t>(kSize * kSize), 0.0f), scales(kSize, 1.0f);
    packed_ = Aligned(algorithm_->packed_bytes(p_, target_));
    scratch_ = Aligned(algorithm_->scratch_bytes(p_, target_));
    x_ = Aligned(weights.size() * sizeof(float));
    y_ = Aligned(weights.size() * sizeof(float));
    algorithm_->pack(p_, target_, {weights.data(), kSize, 1, scales.data(), 1, nullptr}, packed_);
  }

  const char* name() const { return algorithm_->name(p_, target_); }
  int64_t Run() const {
    algorithm_->run(p_, target_, {x_, packed_, nullptr, nullptr, y_, scratch_}, Sequential());
    return kSize * kSize * kSize;
  }

 private:
  // Zeroed, and never freed: the program ends soon.
  static void* Aligned(uint64_t bytes) {
    const size_t size = AlignUp(static_cast<size_t>(bytes) + 1, kAlignment);
    void* memory = std::aligned_alloc(kAlignment, size);
    std::fill_n(static_cast<char*>(memory), size, '\0');
    return memory;
  }

  Conv2DParams p_;
  ConvTarget target_;
  const Conv2DAlgorithm* algorithm_;
  void *packed_, *scratch_, *x_, *y_;
};

template <typename Kernel>
void AddProducts(bool is_float, Span<const Kernel> kernels, std::vector<Candidate>* candidates) {
  for (const Kernel& kernel : kernels) {
    if ((kernel.features & DetectCpuFeatures()) != kernel.features) continue;
    const Product product(is_float, kernel.features);
    candidates->push_back({product.name(), [product] { return product.Run(); }, {}});
  }
}

}  // namespace
}  // namespace micrort::bench

int main() {
  using namespace micrort;
  using namespace micrort::bench;
  std::vector<Candidate> candidates;
  candidates.push_back({"peak of float multiply-adds", [] { return RunFma(100000); }, {}});
  AddProducts(true, GemmF32Kernels(), &candidates);
  AddProducts(false, GemmS8Kernels(), &candidates);
  if (RunFma(1) == 0) {
    std::fprintf(stderr, "gemm_peak: this CPU has none of the instructions that the peak is measured with\n");
    return 1;
  }
  for (int round = 0; round < kRounds; ++round) {
    for (Candidate& candidate : candidates) candidate.rates.push_back(Measure(candidate));
  }
  const double peak = candidates[0].Median();
  std::printf("M = N = K = %d, one thread, median of %d turns\n", static_cast<int>(kSize), kRounds);
  std::printf("%-32s %10s %8s\n", "", "GFLOP/s", "of peak");
  for (Candidate& candidate : candidates) {
    const double rate = candidate.Median();
    std::printf("%-32s %10.1f %7.0f%%\n", candidate.name.c_str(), 2 * rate, 100 * rate / peak);
  }
  return 0;
}
