#pragma once
// How often the values of a tensor fall where, told in one pass: the histogram grows with the range.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace micrort::observe {

// Widths of bins are powers of two and bin edges multiples of the width, so that widening merges whole
// neighbours and loses nothing but resolution; a bin stays within 1/1023 of the range. Zeros are not counted:
// they are exact in every quantization, and after a ReLU would outweigh all else.
class Histogram {
 public:
  static constexpr int64_t kBins = 2048;

  // Counts n finite values that lie in [min, max], a range with 0.
  void Add(const float* x, size_t n, float min, float max);

  bool empty() const { return total_ == 0; }
  uint64_t total() const { return total_; }
  double width() const { return width_; }
  // Bin i holds the values in [edge(i), edge(i + 1)).
  double edge(int64_t i) const { return static_cast<double>(first_ + i) * width_; }
  double mean() const;
  double variance() const;
  double center(int64_t i) const { return edge(i) + width_ / 2; }
  const std::vector<uint64_t>& counts() const { return counts_; }  // kBins of them, none while empty

 private:
  void Cover(double min, double max);
  void Widen();

  double min_ = 0.0, max_ = 0.0;
  double width_ = 0.0;
  int64_t first_ = 0;  // edge of the first bin, in widths
  uint64_t total_ = 0;
  std::vector<uint64_t> counts_;
};

}  // namespace micrort::observe
