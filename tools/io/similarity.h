#pragma once
// How close two tensors are, over any number of runs.

#include <cstddef>

namespace micrort::io {

class Similarity {
 public:
  void Add(const float* reference, const float* x, size_t n);

  // Signal to noise ratio in dB: infinity if equal, NaN if something is not finite on one side only.
  double Snr() const;
  // The cosine of the angle between both as vectors; 1 if both are zero.
  double Cosine() const;
  // Not a number on either side, wherever there is an element.
  bool is_all_nan() const { return elements_ > 0 && nan_on_both_ == elements_; }
  double largest_error() const { return largest_error_; }

 private:
  size_t elements_ = 0, nan_on_both_ = 0;
  double reference_energy_ = 0, x_energy_ = 0, error_energy_ = 0, product_ = 0, largest_error_ = 0;
};

}  // namespace micrort::io
