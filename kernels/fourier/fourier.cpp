#include "kernels/fourier/fourier.h"

#include <cmath>
#include <utility>

#include "kernels/base/dcheck.h"

namespace micrort {

namespace {

constexpr double kPi = 3.14159265358979323846;

Complex Multiply(Complex a, Complex b) { return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }
Complex Conjugate(Complex a) { return {a.re, -a.im}; }

// exp(-i pi k / n)
Complex Root(int64_t k, int64_t n) {
  const double angle = -kPi * static_cast<double>(k) / static_cast<double>(n);
  return {std::cos(angle), std::sin(angle)};
}

// Elements to the places that have their indices' bits in reverse order.
void ReverseBits(int64_t n, Complex* x) {
  for (int64_t i = 1, j = 0; i < n; ++i) {
    int64_t bit = n >> 1;
    for (; (j & bit) != 0; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) std::swap(x[i], x[j]);
  }
}

// Forward, n a power of two. roots[k] = exp(-2 pi i k / n) for k < n / 2.
void Radix2(int64_t n, const Complex* roots, Complex* x) {
  ReverseBits(n, x);
  for (int64_t half = 1; half < n; half *= 2) {
    const int64_t step = n / (2 * half);
    for (int64_t begin = 0; begin < n; begin += 2 * half) {
      for (int64_t k = 0; k < half; ++k) {
        const Complex a = x[begin + k];
        const Complex b = Multiply(roots[k * step], x[begin + k + half]);
        x[begin + k] = {a.re + b.re, a.im + b.im};
        x[begin + k + half] = {a.re - b.re, a.im - b.im};
      }
    }
  }
}

// Tables: roots of radix 2; then, for Bluestein's algorithm, the chirp and the transform of its conjugate.
int64_t RootCount(const FourierPlan& plan) { return plan.radix2 > 1 ? plan.radix2 / 2 : 1; }

// Forward: x[k] = w[k] * sum over j of (x[j] w[j]) conj(w[k - j]) with w[k] = exp(-i pi k^2 / length).
void Bluestein(const FourierPlan& plan, const Complex* tables, Complex* x) {
  const Complex* chirp = tables + RootCount(plan);
  const Complex* filter = chirp + plan.length;
  const int64_t m = plan.radix2;
  for (int64_t k = 0; k < plan.length; ++k) x[k] = Multiply(x[k], chirp[k]);
  for (int64_t k = plan.length; k < m; ++k) x[k] = {0, 0};
  Radix2(m, tables, x);
  // The way back is a forward transform between conjugates.
  for (int64_t k = 0; k < m; ++k) x[k] = Conjugate(Multiply(x[k], filter[k]));
  Radix2(m, tables, x);
  const double scale = 1 / static_cast<double>(m);
  for (int64_t k = 0; k < plan.length; ++k) {
    const Complex y = Multiply(Conjugate(x[k]), chirp[k]);
    x[k] = {y.re * scale, y.im * scale};
  }
}

}  // namespace

FourierPlan PlanFourier(int64_t length, bool inverse) {
  MICRORT_DCHECK(length > 0);
  int64_t radix2 = 1;
  while (radix2 < length) radix2 *= 2;
  if (radix2 != length) {
    while (radix2 < 2 * length - 1) radix2 *= 2;
  }
  return {length, radix2, inverse};
}

int64_t FourierTableSize(const FourierPlan& plan) {
  return RootCount(plan) + (plan.radix2 == plan.length ? 0 : plan.length + plan.radix2);
}

void MakeFourierTables(const FourierPlan& plan, Complex* tables) {
  const int64_t n = plan.length;
  const int64_t m = plan.radix2;
  for (int64_t k = 0; k < RootCount(plan); ++k) tables[k] = Root(2 * k, m);
  if (m == n) return;
  Complex* chirp = tables + RootCount(plan);
  Complex* filter = chirp + n;
  // k^2 modulo 2n, which is exact, in place of k^2.
  for (int64_t k = 0; k < n; ++k) chirp[k] = Root(k * k % (2 * n), n);
  for (int64_t k = 0; k < m; ++k) filter[k] = {0, 0};
  filter[0] = Conjugate(chirp[0]);
  for (int64_t k = 1; k < n; ++k) filter[k] = filter[m - k] = Conjugate(chirp[k]);
  Radix2(m, tables, filter);
}

void TransformFourier(const FourierPlan& plan, const Complex* tables, Complex* work) {
  const int64_t n = plan.length;
  // The inverse is the conjugate of the forward transform of the conjugate.
  for (int64_t k = 0; plan.inverse && k < n; ++k) work[k] = Conjugate(work[k]);
  plan.radix2 == n ? Radix2(n, tables, work) : Bluestein(plan, tables, work);
  if (!plan.inverse) return;
  const double scale = 1 / static_cast<double>(n);
  for (int64_t k = 0; k < n; ++k) work[k] = {work[k].re * scale, -work[k].im * scale};
}

}  // namespace micrort
