#pragma once
// What happens to the rows of gates between two products: activations and the update of the state.

#include <cstddef>

#include "kernels/elementwise/unary_f32.h"
#include "kernels/recurrent/recurrent.h"

namespace micrort {

// The activations of a layer, bound to micro-kernels.
class GateMath {
 public:
  GateMath(const RecurrentParams& p, const RecurrentPlan& plan);

  // Rows of one sequence, H numbers each; `gates` as RecurrentTensors::x has them, summed up.
  void Rnn(float* gates, float* h) const;
  // Up to the second product of Gru: activates z and r and, unless linear_before_reset, writes r * h to
  // `product`, the left side of that product.
  void GruGates(float* gates, const float* h, float* product) const;
  // After it. With linear_before_reset `product` is h R_h + b, else it is not read: gates has the sum.
  void GruState(float* gates, const float* product, float* h) const;
  void Lstm(float* gates, const float* peepholes, float* h, float* c) const;

 private:
  // x[i] = activation `which` (f, g, h) of x[i], i < n; of the clamped x[i].
  void Apply(int which, float* x, size_t n) const;
  void Activate(int which, float* x, size_t n) const;
  void LstmInputAndForget(float* gates, const float* peepholes, const float* c) const;
  size_t hidden() const { return static_cast<size_t>(p_.hidden); }

  const RecurrentParams& p_;
  UnaryF32Fn functions_[kMaxRecurrentActivations] = {};
};

}  // namespace micrort
