#include "kernels/recurrent/gate_math.h"

#include <cstring>
#include <limits>

namespace micrort {

namespace {

// A NaN stays NaN.
void Clamp(float limit, float* x, size_t n) {
  for (size_t i = 0; i < n; ++i) x[i] = x[i] < -limit ? -limit : x[i] > limit ? limit : x[i];
}

void ScaleAndShift(float scale, float offset, float* x, size_t n) {
  if (scale == 1 && offset == 0) return;
  for (size_t i = 0; i < n; ++i) x[i] = x[i] * scale + offset;
}

// sum[i] += a[i] * b[i]
void AddProduct(const float* a, const float* b, float* sum, size_t n) {
  for (size_t i = 0; i < n; ++i) sum[i] = sum[i] + a[i] * b[i];
}

}  // namespace

GateMath::GateMath(const RecurrentParams& p, const RecurrentPlan& plan) : p_(p) {
  for (int i = 0; i < p.activation_count(); ++i) {
    functions_[i] = UnaryF32Of(p.activations[i].op.kind, plan.unary).run;
  }
}

void GateMath::Activate(int which, float* x, size_t n) const {
  if (p_.clip < std::numeric_limits<float>::infinity()) Clamp(p_.clip, x, n);
  Apply(which, x, n);
}

void GateMath::Apply(int which, float* x, size_t n) const {
  const RecurrentActivation& a = p_.activations[which];
  ScaleAndShift(a.input_scale, 0, x, n);
  functions_[which](a.op, x, x, n);
  ScaleAndShift(a.scale, a.offset, x, n);
}

void GateMath::Rnn(float* gates, float* h) const {
  Activate(0, gates, hidden());
  std::memcpy(h, gates, hidden() * sizeof(float));
}

void GateMath::GruGates(float* gates, const float* h, float* product) const {
  const size_t n = hidden();
  Activate(0, gates, 2 * n);
  if (p_.linear_before_reset) return;
  const float* r = gates + n;
  for (size_t i = 0; i < n; ++i) product[i] = r[i] * h[i];
}

void GateMath::GruState(float* gates, const float* product, float* h) const {
  const size_t n = hidden();
  const float* z = gates;
  const float* r = gates + n;
  float* next = gates + 2 * n;
  if (p_.linear_before_reset) AddProduct(r, product, next, n);
  Activate(1, next, n);
  for (size_t i = 0; i < n; ++i) h[i] = (1 - z[i]) * next[i] + z[i] * h[i];
}

void GateMath::LstmInputAndForget(float* gates, const float* peepholes, const float* c) const {
  const size_t n = hidden();
  float* input = gates;
  float* forget = gates + 2 * n;
  if (peepholes != nullptr) {
    AddProduct(peepholes, c, input, n);
    AddProduct(peepholes + 2 * n, c, forget, n);
  }
  Activate(0, input, n);
  if (!p_.input_forget) return Activate(0, forget, n);
  for (size_t i = 0; i < n; ++i) forget[i] = 1 - input[i];
}

void GateMath::Lstm(float* gates, const float* peepholes, float* h, float* c) const {
  const size_t n = hidden();
  LstmInputAndForget(gates, peepholes, c);
  const float* input = gates;
  float* output = gates + n;
  const float* forget = gates + 2 * n;
  float* next = gates + 3 * n;
  Activate(1, next, n);
  for (size_t i = 0; i < n; ++i) c[i] = forget[i] * c[i] + input[i] * next[i];
  if (peepholes != nullptr) AddProduct(peepholes + n, c, output, n);
  Activate(0, output, n);
  std::memcpy(next, c, n * sizeof(float));
  Apply(2, next, n);
  for (size_t i = 0; i < n; ++i) h[i] = output[i] * next[i];
}

}  // namespace micrort
