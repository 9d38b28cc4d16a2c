#include "converter/frontend/tflite/ops/fixed_fourier.h"

#include <cmath>

#include "converter/frontend/tflite/ops/integer_math.h"

namespace micrort::frontend::tflite {

namespace {

constexpr double kPi = 3.14159265358979323846264338327;

// Real and imaginary parts, int64, of one shape.
struct Complex {
  ir::ValueId re, im;
};

// Arithmetic on numbers of so many bits of fraction.
class FixedComplex {
 public:
  FixedComplex(ir::Builder& b, int fraction) : b_(b), m_(b), fraction_(fraction) {}

  Complex Conjugate(const Complex& z) { return {z.re, b_.Neg(z.im)}; }
  Complex Sum(const Complex& a, const Complex& b) { return {m_.Add(a.re, b.re), m_.Add(a.im, b.im)}; }
  Complex Difference(const Complex& a, const Complex& b) { return {m_.Sub(a.re, b.re), m_.Sub(a.im, b.im)}; }
  Complex Times(const Complex& a, const Complex& b) {
    return {m_.RoundedRight(m_.Sub(m_.Mul(a.re, b.re), m_.Mul(a.im, b.im)), fraction_),
            m_.RoundedRight(m_.Add(m_.Mul(a.re, b.im), m_.Mul(a.im, b.re)), fraction_)};
  }
  // By a factor in units of the largest number, which is one less than a power of two.
  Complex Divided(const Complex& z, int64_t by) {
    const ir::ValueId factor = m_.Num(Largest() / by);
    return {m_.RoundedRight(m_.Mul(z.re, factor), fraction_),
            m_.RoundedRight(m_.Mul(z.im, factor), fraction_)};
  }
  int64_t Largest() const { return (int64_t{1} << fraction_) - 1; }

  // Points of the unit circle, of these shapes.
  Complex Circle(const std::vector<double>& phases, const std::vector<int64_t>& shape) {
    std::vector<int64_t> re, im;
    const auto scaled = [&](double v) {
      return static_cast<int64_t>(std::floor(0.5 + static_cast<double>(Largest()) * v));
    };
    for (const double phase : phases) {
      re.push_back(scaled(std::cos(phase)));
      im.push_back(scaled(std::sin(phase)));
    }
    return {b_.Constant(shape, re), b_.Constant(shape, im)};
  }

 private:
  ir::Builder& b_;
  IntegerMath<int64_t> m_;
  const int fraction_;
};

class FixedFourier {
 public:
  FixedFourier(OpContext& c, int64_t length, int bits, bool inverse)
      : c_(c), m_(c.build), f_(c.build, bits - 1), half_(length / 2), inverse_(inverse) {}

  // Expects x [n, length].
  ir::ValueId Forward(ir::ValueId x) {
    const Complex z = Transform(Parts(c_.build.Reshape(x, {ir::CopyDim(0), Int(half_), 2})));
    const Complex first = f_.Divided({Slice(z.re, 0, 1), Slice(z.im, 0, 1)}, 2);
    // Frequency k and half - k together, k from 1 to half / 2.
    const std::vector<int64_t> near = Range(1, half_ / 2), far = Mirrored(near);
    const Complex p = f_.Divided(At(z, near), 2), q = f_.Divided(f_.Conjugate(At(z, far)), 2);
    const Complex sum = f_.Sum(p, q), turned = f_.Times(f_.Difference(p, q), SuperTwiddles());
    const auto halved = [&](ir::ValueId v) { return m_.Right(v, m_.Num(1)); };
    const Complex low = {halved(m_.Add(sum.re, turned.re)), halved(m_.Add(sum.im, turned.im))};
    const Complex high = {halved(m_.Sub(sum.re, turned.re)), halved(m_.Sub(turned.im, sum.im))};
    const Complex mirrored = Reversed(high);
    // The middle is in both; the later one stays.
    const Complex below = Cut(low, half_ / 2 - 1);
    const ir::ValueId zero = m_.Sub(first.re, first.re);
    const ir::ValueId re =
        Join({m_.Add(first.re, first.im), below.re, mirrored.re, m_.Sub(first.re, first.im)});
    const ir::ValueId im = Join({zero, below.im, mirrored.im, zero});
    return c_.build.Concat({c_.build.InsertDim(re, 2), c_.build.InsertDim(im, 2)}, 2);
  }

  // Expects x [n, half + 1, 2].
  ir::ValueId Inverse(ir::ValueId x) {
    const Complex f = Parts(x);
    const ir::ValueId a = Slice(f.re, 0, 1), b = Slice(f.re, half_, half_ + 1);
    const Complex first = f_.Divided({m_.Add(a, b), m_.Sub(a, b)}, 2);
    const std::vector<int64_t> near = Range(1, half_ / 2), far = Mirrored(near);
    const Complex p = f_.Divided(At(f, near), 2), q = f_.Divided(f_.Conjugate(At(f, far)), 2);
    const Complex even = f_.Sum(p, q), odd = f_.Times(f_.Difference(p, q), SuperTwiddles());
    const Complex below = Cut(f_.Sum(even, odd), half_ / 2 - 1);
    const Complex mirrored = Reversed(f_.Conjugate(f_.Difference(even, odd)));
    const Complex z =
        Transform({Join({first.re, below.re, mirrored.re}), Join({first.im, below.im, mirrored.im})});
    const ir::ValueId pairs = c_.build.Concat({c_.build.InsertDim(z.re, 2), c_.build.InsertDim(z.im, 2)}, 2);
    return c_.build.Reshape(pairs, {ir::CopyDim(0), Int(2 * half_)});
  }

 private:
  static int32_t Int(int64_t v) { return static_cast<int32_t>(v); }
  static std::vector<int64_t> Range(int64_t first, int64_t count) {
    std::vector<int64_t> all;
    for (int64_t i = 0; i < count; ++i) all.push_back(first + i);
    return all;
  }
  std::vector<int64_t> Mirrored(std::vector<int64_t> indices) const {
    for (int64_t& i : indices) i = half_ - i;
    return indices;
  }

  ir::ValueId Slice(ir::ValueId x, int64_t start, int64_t end) { return c_.build.Slice(x, 1, start, end); }
  ir::ValueId Join(const std::vector<ir::ValueId>& parts) { return c_.build.Concat(parts, 1); }
  Complex Parts(ir::ValueId pairs) {
    return {c_.build.DropDim(c_.build.Slice(pairs, 2, 0, 1), 2),
            c_.build.DropDim(c_.build.Slice(pairs, 2, 1, 2), 2)};
  }
  Complex At(const Complex& z, const std::vector<int64_t>& indices) {
    const ir::ValueId at = c_.build.Integers(indices);
    return {c_.build.Gather(z.re, at, 1), c_.build.Gather(z.im, at, 1)};
  }
  Complex Cut(const Complex& z, int64_t count) { return {Slice(z.re, 0, count), Slice(z.im, 0, count)}; }
  Complex Reversed(const Complex& z) {
    std::vector<int64_t> indices;
    for (int64_t i = half_ / 2; i-- > 0;) indices.push_back(i);
    return At(z, indices);
  }
  Complex SuperTwiddles() {
    std::vector<double> phases;
    for (int64_t i = 0; i < half_ / 2; ++i) {
      const double phase = -kPi * (static_cast<double>(i + 1) / static_cast<double>(half_) + 0.5);
      phases.push_back(inverse_ ? -phase : phase);
    }
    return f_.Circle(phases, {1, half_ / 2});
  }
  double Phase(int64_t i) const {
    const double phase = -2 * kPi * static_cast<double>(i) / static_cast<double>(half_);
    return inverse_ ? -phase : phase;
  }

  // Radices of the stages, the outermost first.
  std::vector<int64_t> Radices() const {
    std::vector<int64_t> radices;
    for (int64_t left = half_; left > 1; left /= radices.back()) radices.push_back(left % 4 == 0 ? 4 : 2);
    return radices;
  }
  // Where the innermost stage finds its elements: recursively, every radix-th one.
  void AddOrder(const std::vector<int64_t>& radices, size_t stage, int64_t first, int64_t stride,
                std::vector<int64_t>* order) const {
    if (stage == radices.size()) {
      order->push_back(first);
      return;
    }
    for (int64_t q = 0; q < radices[stage]; ++q)
      AddOrder(radices, stage + 1, first + q * stride, stride * radices[stage], order);
  }

  Complex Transform(Complex z) {
    const std::vector<int64_t> radices = Radices();
    std::vector<int64_t> order;
    AddOrder(radices, 0, 0, 1, &order);
    z = At(z, order);
    int64_t size = 1;  // of the parts that a stage joins
    for (size_t i = radices.size(); i-- > 0; size *= radices[i]) z = Stage(z, radices[i], size);
    return z;
  }

  // Joins `radix` parts of `size` elements each, everywhere.
  Complex Stage(const Complex& z, int64_t radix, int64_t size) {
    const int64_t blocks = half_ / (radix * size);
    const Complex d = f_.Divided(z, radix);
    std::vector<Complex> legs;
    for (int64_t q = 0; q < radix; ++q) {
      const auto leg = [&](ir::ValueId x) {
        const ir::ValueId split = c_.build.Reshape(x, {ir::CopyDim(0), Int(blocks), Int(radix), Int(size)});
        return c_.build.Slice(split, 2, q, q + 1);
      };
      const Complex part = {leg(d.re), leg(d.im)};
      std::vector<double> phases;
      for (int64_t u = 0; u < size; ++u) phases.push_back(Phase(q * u * blocks));
      legs.push_back(q == 0 ? part : f_.Times(part, f_.Circle(phases, {1, 1, 1, size})));
    }
    return Joined(radix == 2 ? Radix2(legs) : Radix4(legs));
  }
  std::vector<Complex> Radix2(const std::vector<Complex>& x) {
    return {f_.Sum(x[0], x[1]), f_.Difference(x[0], x[1])};
  }
  std::vector<Complex> Radix4(const std::vector<Complex>& x) {
    const Complex even = f_.Sum(x[0], x[2]), odd = f_.Sum(x[1], x[3]);
    const Complex a = f_.Difference(x[0], x[2]), b = f_.Difference(x[1], x[3]);
    const Complex minus_i = {m_.Add(a.re, b.im), m_.Sub(a.im, b.re)};
    const Complex plus_i = {m_.Sub(a.re, b.im), m_.Add(a.im, b.re)};
    if (inverse_) return {f_.Sum(even, odd), plus_i, f_.Difference(even, odd), minus_i};
    return {f_.Sum(even, odd), minus_i, f_.Difference(even, odd), plus_i};
  }
  Complex Joined(const std::vector<Complex>& legs) {
    std::vector<ir::ValueId> re, im;
    for (const Complex& leg : legs) {
      re.push_back(leg.re);
      im.push_back(leg.im);
    }
    const auto flat = [&](const std::vector<ir::ValueId>& parts) {
      return c_.build.Reshape(c_.build.Concat(parts, 2), {ir::CopyDim(0), Int(half_)});
    };
    return {flat(re), flat(im)};
  }

  OpContext& c_;
  IntegerMath<int64_t> m_;
  FixedComplex f_;
  const int64_t half_;  // length of the complex transform
  const bool inverse_;
};

}  // namespace

ir::ValueId FixedRealTransform(OpContext& c, ir::ValueId x, int64_t length, int bits) {
  return FixedFourier(c, length, bits, false).Forward(x);
}

ir::ValueId FixedInverseRealTransform(OpContext& c, ir::ValueId x, int64_t length, int bits) {
  return FixedFourier(c, length, bits, true).Inverse(x);
}

}  // namespace micrort::frontend::tflite
