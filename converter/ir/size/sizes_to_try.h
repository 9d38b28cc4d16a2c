#pragma once
// Sizes of open dimensions, one after another, for operators that do not say which ones they run with.

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

namespace micrort::ir::size {

// Equal ones first, then mixed ones of which a few are small; the same in each conversion.
class SizesToTry {
 public:
  explicit SizesToTry(size_t count) : sizes_(count) {}

  const std::vector<int64_t>& Next() {
    static constexpr int64_t kSizes[] = {1, 2, 3, 4, 5, 6, 8, 12, 16, 20, 32, 64, 100, 128, 224, 500};
    constexpr size_t kCount = sizeof kSizes / sizeof kSizes[0], kEqual = 5, kFew = 3, kTriesOfMore = 12;
    // Which are mixed widens slowly: a model that runs with small sizes is asked in no time.
    const size_t among = std::min(kCount, kFew + tries_ / kTriesOfMore);
    for (int64_t& size : sizes_) size = kSizes[tries_ < kEqual ? tries_ : random_() % among];
    ++tries_;
    return sizes_;
  }

 private:
  std::vector<int64_t> sizes_;
  std::minstd_rand random_;
  size_t tries_ = 0;
};

}  // namespace micrort::ir::size
