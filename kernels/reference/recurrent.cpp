#include "kernels/reference/recurrent.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernels/reference/unary.h"

namespace micrort::reference {

namespace {

using Numbers = std::vector<double>;

// One sequence.
class Sequence {
 public:
  Sequence(const RecurrentParams& p, const float* r, const RecurrentTensors& tensors, int64_t index)
      : p_(p), r_(r), tensors_(tensors), index_(index) {}

  void Run() {
    const int64_t length = tensors_.lengths == nullptr ? p_.steps : tensors_.lengths[index_];
    h_ = Initial(length == 0 ? nullptr : tensors_.initial_h);
    c_ = Initial(length == 0 ? nullptr : tensors_.initial_c);
    for (int64_t t = 0; t < p_.steps && tensors_.y != nullptr; ++t) Store(Numbers(h_.size()), Y(t));
    for (int64_t step = 0; step < length; ++step) {
      const int64_t t = p_.reverse ? length - 1 - step : step;
      x_ = tensors_.x + (t * p_.batch + index_) * p_.width();
      Step();
      if (tensors_.y != nullptr) Store(h_, Y(t));
    }
    Store(h_, tensors_.h + index_ * p_.hidden);
    if (tensors_.c != nullptr) Store(c_, tensors_.c + index_ * p_.hidden);
  }

 private:
  Numbers Initial(const float* state) const {
    if (state == nullptr) return Numbers(static_cast<size_t>(p_.hidden));
    return Numbers(state + index_ * p_.hidden, state + (index_ + 1) * p_.hidden);
  }
  float* Y(int64_t t) const { return tensors_.y + (t * p_.batch + index_) * p_.hidden; }
  static void Store(const Numbers& from, float* to) {
    std::transform(from.begin(), from.end(), to, [](double v) { return static_cast<float>(v); });
  }

  double Apply(int which, double v) const {
    const RecurrentActivation& a = p_.activations[which];
    return static_cast<double>(a.scale) * Unary(a.op, v * static_cast<double>(a.input_scale)) +
           static_cast<double>(a.offset);
  }
  double Activate(int which, double v) const {
    const double limit = static_cast<double>(p_.clip);
    return Apply(which, std::min(std::max(v, -limit), limit));
  }
  // Multiples of 1/255 of the range, or of 1/127 of the largest magnitude.
  Numbers Rounded(Numbers state) const {
    if (p_.rounding == StateRounding::kNone) return state;
    const double least = std::min(0.0, *std::min_element(state.begin(), state.end()));
    const double most = std::max(0.0, *std::max_element(state.begin(), state.end()));
    const double step =
        p_.rounding == StateRounding::kSymmetric ? std::max(most, -least) / 127 : (most - least) / 255;
    for (double& x : state) x = step == 0 ? x : step * std::nearbyint(x / step);
    return state;
  }
  // Row `unit` of gate `gate` of the recurrent weights times `state`.
  double Product(const Numbers& state, int64_t gate, int64_t unit) const {
    const Numbers left = Rounded(state);
    const float* row = r_ + (gate * p_.hidden + unit) * p_.hidden;
    double sum = 0;
    for (size_t k = 0; k < left.size(); ++k) sum += left[k] * static_cast<double>(row[k]);
    return sum;
  }
  double X(int64_t gate, int64_t unit) const { return static_cast<double>(x_[gate * p_.hidden + unit]); }
  double Input(int64_t gate, int64_t unit) const { return X(gate, unit) + Product(h_, gate, unit); }

  void Step() {
    Numbers h = h_;
    if (p_.kind == RecurrentKind::kGru) return StepGru();
    for (int64_t u = 0; u < p_.hidden; ++u) {
      h[static_cast<size_t>(u)] = p_.kind == RecurrentKind::kRnn ? Activate(0, Input(0, u)) : Lstm(u);
    }
    h_ = h;
  }

  double Lstm(int64_t u) {
    double& c = c_[static_cast<size_t>(u)];
    const auto peephole = [&](int64_t i) {
      return tensors_.peepholes == nullptr ? 0 : static_cast<double>(tensors_.peepholes[i * p_.hidden + u]);
    };
    const double input = Activate(0, Input(0, u) + peephole(0) * c);
    const double forget = p_.input_forget ? 1 - input : Activate(0, Input(2, u) + peephole(2) * c);
    c = forget * c + input * Activate(1, Input(3, u));
    return Activate(0, Input(1, u) + peephole(1) * c) * Apply(2, c);
  }

  void StepGru() {
    const size_t n = h_.size();
    Numbers z(n), r(n), reset(n), h(n);
    for (size_t i = 0; i < n; ++i) {
      z[i] = Activate(0, Input(0, static_cast<int64_t>(i)));
      r[i] = Activate(0, Input(1, static_cast<int64_t>(i)));
      reset[i] = r[i] * h_[i];
    }
    for (size_t i = 0; i < n; ++i) {
      const auto u = static_cast<int64_t>(i);
      const double bias = tensors_.bias == nullptr ? 0 : static_cast<double>(tensors_.bias[i]);
      const double product =
          p_.linear_before_reset ? r[i] * (Product(h_, 2, u) + bias) : Product(reset, 2, u);
      h[i] = (1 - z[i]) * Activate(1, X(2, u) + product) + z[i] * h_[i];
    }
    h_ = h;
  }

  const RecurrentParams& p_;
  const float* const r_;
  const RecurrentTensors& tensors_;
  const int64_t index_;
  const float* x_ = nullptr;  // of the step
  Numbers h_, c_;
};

}  // namespace

void Recurrent(const RecurrentParams& p, const float* r, const RecurrentTensors& tensors) {
  for (int64_t i = 0; i < p.batch; ++i) Sequence(p, r, tensors, i).Run();
}

}  // namespace micrort::reference
