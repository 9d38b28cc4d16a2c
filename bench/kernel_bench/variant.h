#pragma once
// Benchmarks of kernel variants: what one does in one run, and how it is reported.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "kernels/base/cpu_features.h"

namespace micrort::bench {

struct Work {
  double operations = 0;  // two a multiply-add; 0: not reported
  double bytes = 0;       // read and written; 0: not reported
};

// Registers "family/kernel/what" with Google Benchmark, the family as its registry is called. It fails on
// CPUs that lack features which it needs. Reports GFLOP/s with its share of the measured peak of float
// multiply-adds with these features, and GB/s. `run` is copied: it owns or shares its data.
void AddVariant(const std::string& name, CpuFeatures needs, Work work, std::function<void()> run);

// Zeroed memory of one benchmark, aligned as the arena is. Copies share it.
class Buffer {
 public:
  explicit Buffer(size_t bytes);

  template <typename T = void>
  T* as() const {
    return static_cast<T*>(data_);
  }

 private:
  std::shared_ptr<void> memory_;
  void* data_;
};

// One function a file: registers the rows of its families.
void AddGemmTiles();
void AddGemmProducts();
void AddDepthwise();
void AddInt16Layers();
void AddWinograd();
void AddElementwise();
void AddReductions();
void AddDataMovement();

}  // namespace micrort::bench
