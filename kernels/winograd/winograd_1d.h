#pragma once
// The transforms along one dimension over a vector type F. Points: 0, 1, -1, infinity for F(2, 3), 2, -2 too
// for F(4, 3), and 1/2, -1/2 too for F(6, 3): of all a, -a, b, -b beside 0, 1 and -1, these gave the smallest
// errors. Factors that are powers of two move between transforms and weights freely; they round nothing.

namespace micrort {
namespace {

template <typename F, int M>
struct Winograd1D;

template <typename F>
struct Winograd1D<F, 2> {
  static void Input(const F (&d)[4], F (&v)[4]) {
    v[0] = d[0] - d[2];
    v[1] = d[1] + d[2];
    v[2] = d[2] - d[1];
    v[3] = d[1] - d[3];
  }
  static void Output(const F (&p)[4], F (&y)[2]) {
    y[0] = p[0] + p[1] + p[2];
    y[1] = p[1] - p[2] - p[3];
  }
};

template <typename F>
struct Winograd1D<F, 4> {
  static void Input(const F (&d)[6], F (&v)[6]) {
    const F two = F::Broadcast(2.0f), four = F::Broadcast(4.0f), five = F::Broadcast(5.0f);
    const F even1 = d[4] - four * d[2], odd1 = d[3] - four * d[1];
    const F even2 = d[4] - d[2], odd2 = two * (d[3] - d[1]);
    v[0] = four * d[0] - five * d[2] + d[4];
    v[1] = even1 + odd1;
    v[2] = even1 - odd1;
    v[3] = even2 + odd2;
    v[4] = even2 - odd2;
    v[5] = four * d[1] - five * d[3] + d[5];
  }
  static void Output(const F (&p)[6], F (&y)[4]) {
    const F two = F::Broadcast(2.0f), four = F::Broadcast(4.0f), eight = F::Broadcast(8.0f);
    const F even1 = p[1] + p[2], odd1 = p[1] - p[2], even2 = p[3] + p[4], odd2 = p[3] - p[4];
    y[0] = p[0] + even1 + even2;
    y[1] = odd1 + two * odd2;
    y[2] = even1 + four * even2;
    y[3] = odd1 + eight * odd2 + p[5];
  }
};

template <typename F>
struct Winograd1D<F, 6> {
  static void Input(const F (&d)[8], F (&v)[8]) {
    const F half = F::Broadcast(0.5f), two = F::Broadcast(2.0f), four = F::Broadcast(4.0f);
    const F ends = F::Broadcast(5.25f), one = F::Broadcast(-4.25f), twos = F::Broadcast(-5.0f),
            halves = F::Broadcast(-1.25f), both = F::Broadcast(-2.5f);
    const F even1 = Fma(one, d[4], d[2] + d[6]), odd1 = Fma(one, d[3], d[1] + d[5]);
    const F even2 = Fma(halves, d[4], Fma(F::Broadcast(0.25f), d[2], d[6]));
    const F odd2 = Fma(both, d[3], Fma(half, d[1], two * d[5]));
    const F even3 = Fma(twos, d[4], Fma(four, d[2], d[6]));
    const F odd3 = Fma(both, d[3], Fma(two, d[1], half * d[5]));
    v[0] = Fma(ends, d[4] - d[2], d[0] - d[6]);
    v[1] = even1 + odd1;
    v[2] = even1 - odd1;
    v[3] = even2 + odd2;
    v[4] = even2 - odd2;
    v[5] = even3 + odd3;
    v[6] = even3 - odd3;
    v[7] = Fma(ends, d[3] - d[5], d[7] - d[1]);
  }
  // What belongs to 1/2 and -1/2 is multiplied by 32, so that all factors are whole numbers.
  static void Output(const F (&p)[8], F (&y)[6]) {
    const F even1 = p[1] + p[2], odd1 = p[1] - p[2], even2 = p[3] + p[4], odd2 = p[3] - p[4];
    const F even3 = p[5] + p[6], odd3 = p[5] - p[6];
    const F two = F::Broadcast(2.0f), four = F::Broadcast(4.0f), eight = F::Broadcast(8.0f),
            sixteen = F::Broadcast(16.0f), thirty_two = F::Broadcast(32.0f);
    y[0] = Fma(thirty_two, even3, p[0] + even1 + even2);
    y[1] = Fma(sixteen, odd3, Fma(two, odd2, odd1));
    y[2] = Fma(eight, even3, Fma(four, even2, even1));
    y[3] = Fma(four, odd3, Fma(eight, odd2, odd1));
    y[4] = Fma(two, even3, Fma(sixteen, even2, even1));
    y[5] = Fma(thirty_two, odd2, odd1 + odd3) + p[7];
  }
};

}  // namespace
}  // namespace micrort
