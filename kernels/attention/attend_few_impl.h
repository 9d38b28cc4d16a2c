#pragma once
// Attention of a few queries over a vector type F of eight lanes (kernels/base/simd/vec8.h). Products are
// rounded before they are added, so that all instruction sets give the same bits.

#include "kernels/attention/attend_few.h"
#include "kernels/elementwise/math_f32_impl.h"

namespace micrort {

// How rows of keys and values lie: elements, and a factor for what is computed with all of them.
template <typename F>
struct RowsOfFloats {
  using Element = float;
  static F Load(const float* x) { return F::Load(x); }
  static F LoadPartial(const float* x, int64_t n) { return F::LoadPartial(x, static_cast<size_t>(n)); }
  static float Scaled(float y, const float*, int64_t) { return y; }
};

template <typename F>
struct RowsOfHalves {
  using Element = uint16_t;
  static F Load(const uint16_t* x) { return F::LoadHalf(x); }
  static F LoadPartial(const uint16_t* x, int64_t n) {
    uint16_t eight[8] = {};
    __builtin_memcpy(eight, x, static_cast<size_t>(n) * sizeof *x);
    return F::LoadHalf(eight);
  }
  static float Scaled(float y, const uint16_t*, int64_t) { return y; }
};

template <typename F>
struct RowsOfInt8 {
  using Element = int8_t;
  static F Load(const int8_t* x) { return ToFloat(F::Int::Load(x)); }
  static F LoadPartial(const int8_t* x, int64_t n) {
    return ToFloat(F::Int::LoadPartial(x, static_cast<size_t>(n)));
  }
  // The scale is behind the row.
  static float Scaled(float y, const int8_t* row, int64_t width) {
    float scale;
    __builtin_memcpy(&scale, row + width, sizeof scale);
    return y * scale;
  }
};

template <typename F, template <typename> class RowsOf>
class AttendFewRow {
 public:
  using Rows = RowsOf<F>;
  using Element = typename Rows::Element;

  void Begin(const float* q, const float* mask, int64_t seen, int64_t width, float* y) {
    q_ = q;
    mask_ = mask;
    seen_ = seen;
    y_ = y;
    max_ = kNothing;
    sum_ = 0;
    for (int64_t e = 0; e < width; ++e) y[e] = 0;
  }

  // Keys [first, first + count), at most a block.
  void See(const AttentionParams& p, const Element* k, const Element* v, int64_t first, int64_t count) {
    if (count > seen_ - first) count = seen_ - first;
    if (count <= 0) return;
    float scores[kAttendFewBlock];
    for (int64_t s = count / 8 * 8; s < kAttendFewBlock; ++s) scores[s] = kNothing;
    for (int64_t s = 0; s < count; s += kKeysAtOnce) {
      const int64_t left = count - s;
      Dots(k + s * p.k.row, p.k.row, p.depth, left < kKeysAtOnce ? left : kKeysAtOnce, scores + s);
    }
    const float before = max_;
    for (int64_t s = 0; s < count; ++s) {
      scores[s] = scores[s] * p.scale + (mask_ == nullptr ? 0.0f : mask_[first + s]);
      if (scores[s] > max_) max_ = scores[s];
    }
    if (max_ == kNothing) return;
    AddBlock(scores, before, count, v, p.v.row, p.value_depth);
  }

  // A row that has seen nothing is NaN, as a softmax of it.
  void End(int64_t width) const {
    for (int64_t e = 0; e < width; ++e) y_[e] /= sum_;
  }

 private:
  static constexpr int64_t kKeysAtOnce = 4;  // whose sums are independent
  static constexpr float kNothing = -__builtin_inff();

  // The first n of eight floats, others 0.
  template <typename From>
  static F LoadFirst(const typename From::Element* x, int64_t n) {
    return n >= 8 ? From::Load(x) : From::LoadPartial(x, n);
  }
  static void StoreFirst(const F& v, float* y, int64_t n) {
    n >= 8 ? v.Store(y) : v.StorePartial(y, static_cast<size_t>(n));
  }

  // Dot products of the query with `count` keys, kKeysAtOnce at most.
  void Dots(const Element* k, int64_t stride, int64_t depth, int64_t count, float* scores) const {
    if (count == kKeysAtOnce) return DotsOf<kKeysAtOnce>(k, stride, depth, scores);
    for (int64_t s = 0; s < count; ++s) DotsOf<1>(k + s * stride, stride, depth, scores + s);
  }
  template <int64_t kCount>
  void DotsOf(const Element* k, int64_t stride, int64_t depth, float* scores) const {
    F sums[kCount];
    for (F& sum : sums) sum = F::Zero();
    for (int64_t d = 0; d < depth; d += 8) {
      const F x = LoadFirst<RowsOfFloats<F>>(q_ + d, depth - d);
      for (int64_t s = 0; s < kCount; ++s)
        sums[s] = sums[s] + x * LoadFirst<Rows>(k + s * stride + d, depth - d);
    }
    for (int64_t s = 0; s < kCount; ++s) scores[s] = Rows::Scaled(ReduceAdd(sums[s]), k + s * stride, depth);
  }

  // Exponentials of the scores, and the values that they weigh; what was there before counts less by as much
  // as the maximum has grown.
  void AddBlock(float* scores, float before, int64_t count, const Element* v, int64_t stride, int64_t width) {
    F sums = F::Zero();
    for (int64_t s = 0; s < count; s += 8) {
      const F e = Exp(F::Load(scores + s) - F::Broadcast(max_));
      e.Store(scores + s);
      sums = sums + e;
    }
    float factor[8];
    Exp(F::Broadcast(before - max_)).Store(factor);
    sum_ = sum_ * factor[0] + ReduceAdd(sums);
    for (int64_t s = 0; s < count; ++s) scores[s] = Rows::Scaled(scores[s], v + s * stride, width);
    int64_t e = 0;
    for (; e + kWide * 8 <= width; e += kWide * 8)
      AddWeighted<kWide>(scores, v + e, stride, count, factor[0], y_ + e);
    for (; e < width; e += 8) {
      F sum = LoadFirst<RowsOfFloats<F>>(y_ + e, width - e) * F::Broadcast(factor[0]);
      for (int64_t s = 0; s < count; ++s)
        sum = sum + F::Broadcast(scores[s]) * LoadFirst<Rows>(v + s * stride + e, width - e);
      StoreFirst(sum, y_ + e, width - e);
    }
  }

  static constexpr int kWide = 4;  // vectors of a row of values that are summed up side by side

  // y = factor * y + the weighted sum of rows, of kVectors vectors.
  template <int kVectors>
  static void AddWeighted(const float* weights, const Element* v, int64_t stride, int64_t count, float factor,
                          float* y) {
    F sums[kVectors];
    for (int i = 0; i < kVectors; ++i) sums[i] = F::Load(y + 8 * i) * F::Broadcast(factor);
    for (int64_t s = 0; s < count; ++s) {
      const F weight = F::Broadcast(weights[s]);
      for (int i = 0; i < kVectors; ++i) sums[i] = sums[i] + weight * Rows::Load(v + s * stride + 8 * i);
    }
    for (int i = 0; i < kVectors; ++i) sums[i].Store(y + 8 * i);
  }

  const float *q_ = nullptr, *mask_ = nullptr;
  int64_t seen_ = 0;
  float* y_ = nullptr;
  float max_ = kNothing, sum_ = 0;
};

// All queries of the heads that share one head of keys.
template <typename F, template <typename> class RowsOf>
inline void AttendHead(const AttentionParams& p, const AttentionTensors& t, int64_t batch, int64_t key_head) {
  const int64_t sharing = p.heads / p.key_heads, rows = sharing * p.queries;
  using Row = AttendFewRow<F, RowsOf>;
  Row all[kAttendFewRows];
  for (int64_t r = 0; r < rows; ++r) {
    const int64_t head = key_head * sharing + r / p.queries, query = r % p.queries;
    const float* mask = t.mask;
    if (mask != nullptr) mask += batch * p.mask.batch + head * p.mask.head + query * p.mask.row;
    all[r].Begin(t.q + batch * p.q.batch + head * p.q.head + query * p.q.row, mask,
                 p.keys - p.queries + query + 1, p.value_depth,
                 t.y + batch * p.y.batch + head * p.y.head + query * p.y.row);
  }
  const auto* k = static_cast<const typename Row::Element*>(t.k) + batch * p.k.batch + key_head * p.k.head;
  const auto* v = static_cast<const typename Row::Element*>(t.v) + batch * p.v.batch + key_head * p.v.head;
  for (int64_t first = 0; first < p.keys; first += kAttendFewBlock) {
    const int64_t left = p.keys - first, count = left < kAttendFewBlock ? left : kAttendFewBlock;
    for (int64_t r = 0; r < rows; ++r) all[r].See(p, k + first * p.k.row, v + first * p.v.row, first, count);
  }
  for (int64_t r = 0; r < rows; ++r) all[r].End(p.value_depth);
}

// Defines the functions of one row over the F32x8 that the file has included.
#define MICRORT_DEFINE_ATTEND_FEW(name)                                                         \
  void AttendFew_##name(const AttentionParams& p, const AttentionTensors& t, int64_t batch,     \
                        int64_t key_head) {                                                     \
    AttendHead<F32x8, RowsOfFloats>(p, t, batch, key_head);                                     \
  }                                                                                             \
  void AttendFewHalf_##name(const AttentionParams& p, const AttentionTensors& t, int64_t batch, \
                            int64_t key_head) {                                                 \
    AttendHead<F32x8, RowsOfHalves>(p, t, batch, key_head);                                     \
  }                                                                                             \
  void AttendFewInt8_##name(const AttentionParams& p, const AttentionTensors& t, int64_t batch, \
                            int64_t key_head) {                                                 \
    AttendHead<F32x8, RowsOfInt8>(p, t, batch, key_head);                                       \
  }

}  // namespace micrort
