#pragma once
// Attention of a few queries over a vector type F of eight lanes (kernels/base/simd/vec8.h). Products are
// rounded before they are added, so that all instruction sets give the same bits.

#include "kernels/attention/attend_few.h"
#include "kernels/elementwise/math_f32_impl.h"

namespace micrort {

// A row of keys or values: eight numbers from `at` on, or n, with zeros behind. What is computed with them is
// multiplied by a factor (Scaled).
template <typename F>
struct RowOfFloats {
  using Element = float;
  const float* x;

  static RowOfFloats At(const float* row, int64_t) { return {row}; }
  static float Scaled(float y, const float*, int64_t) { return y; }
  F Load(int64_t at) const { return F::Load(x + at); }
  F LoadPartial(int64_t at, size_t n) const { return F::LoadPartial(x + at, n); }
};

template <typename F>
struct RowOfHalves {
  using Element = uint16_t;
  const uint16_t* x;

  static RowOfHalves At(const uint16_t* row, int64_t) { return {row}; }
  static float Scaled(float y, const uint16_t*, int64_t) { return y; }
  F Load(int64_t at) const { return F::LoadHalf(x + at); }
  F LoadPartial(int64_t at, size_t n) const {
    uint16_t eight[8] = {};
    __builtin_memcpy(eight, x + at, n * sizeof *x);
    return F::LoadHalf(eight);
  }
};

// The scale is behind the row.
inline float ScaleBehind(const int8_t* row, int64_t width) {
  float scale;
  __builtin_memcpy(&scale, row + width, sizeof scale);
  return scale;
}

template <typename F>
struct RowOfInt8 {
  using Element = int8_t;
  const int8_t* x;

  static RowOfInt8 At(const int8_t* row, int64_t) { return {row}; }
  static float Scaled(float y, const int8_t* row, int64_t width) { return y * ScaleBehind(row, width); }
  F Load(int64_t at) const { return ToFloat(F::Int::Load(x + at)); }
  F LoadPartial(int64_t at, size_t n) const { return ToFloat(F::Int::LoadPartial(x + at, n)); }
};

// The same as the floats that ReadCacheRows (cache_rows.h) makes of it.
template <typename F>
struct ScaledRowOfInt8 {
  using Element = int8_t;
  RowOfInt8<F> row;
  F scale;

  static ScaledRowOfInt8 At(const int8_t* row, int64_t width) {
    return {RowOfInt8<F>::At(row, width), F::Broadcast(ScaleBehind(row, width))};
  }
  F Load(int64_t at) const { return row.Load(at) * scale; }
  F LoadPartial(int64_t at, size_t n) const { return row.LoadPartial(at, n) * scale; }
};

// The first n of eight, others 0.
template <typename F, typename Row>
inline F LoadFirst(const Row& row, int64_t at, int64_t n) {
  return n >= 8 ? row.Load(at) : row.LoadPartial(at, static_cast<size_t>(n));
}

// One query. RowOf says what keys and values are.
template <typename F>
class AttendFewRow {
 public:
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
  template <template <typename> class RowOf>
  void See(const AttentionParams& p, const typename RowOf<F>::Element* k, const typename RowOf<F>::Element* v,
           int64_t first, int64_t count) {
    if (count > seen_ - first) count = seen_ - first;
    if (count <= 0) return;
    float scores[kAttendFewBlock];
    for (int64_t s = count / 8 * 8; s < kAttendFewBlock; ++s) scores[s] = kNothing;
    for (int64_t s = 0; s < count; s += kKeysAtOnce) {
      const int64_t left = count - s;
      Dots<RowOf>(k + s * p.k.row, p.k.row, p.depth, left < kKeysAtOnce ? left : kKeysAtOnce, scores + s);
    }
    const float before = max_;
    FinishScores(p.scale, mask_ == nullptr ? nullptr : mask_ + first, count, scores);
    if (max_ == kNothing) return;
    AddBlock<RowOf>(scores, before, count, v, p.v.row, p.value_depth);
  }

  // A row that has seen nothing is NaN, as a softmax of it.
  void End(int64_t width) const {
    for (int64_t e = 0; e < width; ++e) y_[e] /= sum_;
  }

 private:
  static constexpr int64_t kKeysAtOnce = 4;  // whose sums are independent
  static constexpr float kNothing = -__builtin_inff();

  static F LoadFloats(const float* x, int64_t n) { return LoadFirst<F>(RowOfFloats<F>::At(x, n), 0, n); }
  static void StoreFirst(const F& v, float* y, int64_t n) {
    n >= 8 ? v.Store(y) : v.StorePartial(y, static_cast<size_t>(n));
  }

  // Dot products of the query with `count` keys, kKeysAtOnce at most.
  template <template <typename> class RowOf>
  void Dots(const typename RowOf<F>::Element* k, int64_t stride, int64_t depth, int64_t count,
            float* scores) const {
    if (count == kKeysAtOnce) return DotsOf<RowOf, kKeysAtOnce>(k, stride, depth, scores);
    for (int64_t s = 0; s < count; ++s) DotsOf<RowOf, 1>(k + s * stride, stride, depth, scores + s);
  }
  template <template <typename> class RowOf, int64_t kCount>
  void DotsOf(const typename RowOf<F>::Element* k, int64_t stride, int64_t depth, float* scores) const {
    F sums[kCount];
    RowOf<F> rows[kCount];
    for (int64_t s = 0; s < kCount; ++s) {
      sums[s] = F::Zero();
      rows[s] = RowOf<F>::At(k + s * stride, depth);
    }
    for (int64_t d = 0; d < depth; d += 8) {
      const F x = LoadFloats(q_ + d, depth - d);
      for (int64_t s = 0; s < kCount; ++s) sums[s] = sums[s] + x * LoadFirst<F>(rows[s], d, depth - d);
    }
    for (int64_t s = 0; s < kCount; ++s)
      scores[s] = RowOf<F>::Scaled(ReduceAdd(sums[s]), k + s * stride, depth);
  }

  // Scaled and masked; what max_ is with them.
  void FinishScores(float scale, const float* mask, int64_t count, float* scores) {
    F largest = F::Broadcast(max_);
    int64_t s = 0;
    for (; s + 8 <= count; s += 8) {
      F score = F::Load(scores + s) * F::Broadcast(scale);
      if (mask != nullptr) score = score + F::Load(mask + s);
      score.Store(scores + s);
      largest = Max(score, largest);
    }
    max_ = ReduceMax(largest);
    for (; s < count; ++s) {
      scores[s] = scores[s] * scale + (mask == nullptr ? 0.0f : mask[s]);
      if (scores[s] > max_) max_ = scores[s];
    }
  }

  // Exponentials of the scores, and the values that they weigh; what was there before counts less by as much
  // as the maximum has grown.
  template <template <typename> class RowOf>
  void AddBlock(float* scores, float before, int64_t count, const typename RowOf<F>::Element* v,
                int64_t stride, int64_t width) {
    F sums = F::Zero();
    for (int64_t s = 0; s < count; s += 8) {
      const F e = Exp(F::Load(scores + s) - F::Broadcast(max_));
      e.Store(scores + s);
      sums = sums + e;
    }
    float factor[8];
    Exp(F::Broadcast(before - max_)).Store(factor);
    sum_ = sum_ * factor[0] + ReduceAdd(sums);
    for (int64_t s = 0; s < count; ++s) scores[s] = RowOf<F>::Scaled(scores[s], v + s * stride, width);
    int64_t e = 0;
    for (; e + kWide * 8 <= width; e += kWide * 8)
      AddWeighted<RowOf>(scores, v, stride, width, e, count, factor[0]);
    for (; e < width; e += 8) {
      F sum = LoadFloats(y_ + e, width - e) * F::Broadcast(factor[0]);
      for (int64_t s = 0; s < count; ++s) {
        const RowOf<F> row = RowOf<F>::At(v + s * stride, width);
        sum = sum + F::Broadcast(scores[s]) * LoadFirst<F>(row, e, width - e);
      }
      StoreFirst(sum, y_ + e, width - e);
    }
  }

  static constexpr int kWide = 4;  // vectors of a row of values that are summed up side by side

  // y = factor * y + the weighted sum of rows, of kWide vectors from `at` on.
  template <template <typename> class RowOf>
  void AddWeighted(const float* weights, const typename RowOf<F>::Element* v, int64_t stride, int64_t width,
                   int64_t at, int64_t count, float factor) {
    F sums[kWide];
    float* const y = y_ + at;
    for (int i = 0; i < kWide; ++i) sums[i] = F::Load(y + 8 * i) * F::Broadcast(factor);
    for (int64_t s = 0; s < count; ++s) {
      const F weight = F::Broadcast(weights[s]);
      const RowOf<F> row = RowOf<F>::At(v + s * stride, width);
      for (int i = 0; i < kWide; ++i) sums[i] = sums[i] + weight * row.Load(at + 8 * i);
    }
    for (int i = 0; i < kWide; ++i) sums[i].Store(y + 8 * i);
  }

  const float *q_ = nullptr, *mask_ = nullptr;
  int64_t seen_ = 0;
  float* y_ = nullptr;
  float max_ = kNothing, sum_ = 0;
};

// The queries of the heads that share one head of keys.
template <typename F>
struct AttendFewQueries {
  AttendFewRow<F> all[kAttendFewRows];
  int64_t count;

  AttendFewQueries(const AttentionParams& p, const AttentionTensors& t, int64_t batch, int64_t key_head) {
    const int64_t sharing = p.heads / p.key_heads;
    count = sharing * p.queries;
    for (int64_t r = 0; r < count; ++r) {
      const int64_t head = key_head * sharing + r / p.queries, query = r % p.queries;
      const float* mask = t.mask;
      if (mask != nullptr) mask += batch * p.mask.batch + head * p.mask.head + query * p.mask.row;
      all[r].Begin(t.q + batch * p.q.batch + head * p.q.head + query * p.q.row, mask,
                   p.keys - p.queries + query + 1, p.value_depth,
                   t.y + batch * p.y.batch + head * p.y.head + query * p.y.row);
    }
  }
  template <template <typename> class RowOf>
  void See(const AttentionParams& p, const typename RowOf<F>::Element* k, const typename RowOf<F>::Element* v,
           int64_t first, int64_t keys) {
    for (int64_t r = 0; r < count; ++r) all[r].template See<RowOf>(p, k, v, first, keys);
  }
  void End(const AttentionParams& p) const {
    for (int64_t r = 0; r < count; ++r) all[r].End(p.value_depth);
  }
};

// Rows as floats, one after another.
template <typename F, template <typename> class RowOf>
inline void ReadBlock(const typename RowOf<F>::Element* rows, int64_t stride, int64_t count, int64_t width,
                      float* y) {
  for (int64_t s = 0; s < count; ++s, y += width) {
    const RowOf<F> row = RowOf<F>::At(rows + s * stride, width);
    int64_t at = 0;
    for (; at + 8 <= width; at += 8) row.Load(at).Store(y + at);
    const auto left = static_cast<size_t>(width - at);
    if (left != 0) row.LoadPartial(at, left).StorePartial(y + at, left);
  }
}

// All queries of the heads that share one head of keys. Where rows are no floats and more queries read them
// than kAlone, a block of them becomes floats first, once for all; `block` is null where they are floats.
template <typename F, template <typename> class RowOf, template <typename> class AsFloats, int64_t kAlone>
inline void AttendHead(const AttentionParams& p, const AttentionTensors& t, int64_t batch, int64_t key_head,
                       float* block) {
  using Element = typename RowOf<F>::Element;
  AttendFewQueries<F> queries(p, t, batch, key_head);
  AttentionParams of_block = p;
  of_block.k.row = p.depth;
  of_block.v.row = p.value_depth;
  float* const values = block == nullptr ? nullptr : block + kAttendFewBlock * p.depth;
  const auto* k = static_cast<const Element*>(t.k) + batch * p.k.batch + key_head * p.k.head;
  const auto* v = static_cast<const Element*>(t.v) + batch * p.v.batch + key_head * p.v.head;
  for (int64_t first = 0; first < p.keys; first += kAttendFewBlock) {
    const int64_t left = p.keys - first, count = left < kAttendFewBlock ? left : kAttendFewBlock;
    if (block == nullptr || queries.count <= kAlone) {
      queries.template See<RowOf>(p, k, v, first, count);
    } else {
      ReadBlock<F, AsFloats>(k, p.k.row, count, p.depth, block);
      ReadBlock<F, AsFloats>(v, p.v.row, count, p.value_depth, values);
      queries.template See<RowOfFloats>(of_block, block, values, first, count);
    }
    k += count * p.k.row;
    v += count * p.v.row;
  }
  queries.End(p);
}

// Defines the functions of one variant over the F32x8 that the file has included. halves_alone: how many
// queries convert halves each for itself, because that takes no longer than to read floats.
#define MICRORT_DEFINE_ATTEND_FEW(name, halves_alone)                                            \
  void AttendFew_##name(const AttentionParams& p, const AttentionTensors& t, int64_t batch,      \
                        int64_t key_head) {                                                      \
    AttendHead<F32x8, RowOfFloats, RowOfFloats, kAttendFewRows>(p, t, batch, key_head, nullptr); \
  }                                                                                              \
  void AttendFewHalf_##name(const AttentionParams& p, const AttentionTensors& t, int64_t batch,  \
                            int64_t key_head, float* block) {                                    \
    AttendHead<F32x8, RowOfHalves, RowOfHalves, halves_alone>(p, t, batch, key_head, block);     \
  }                                                                                              \
  void AttendFewInt8_##name(const AttentionParams& p, const AttentionTensors& t, int64_t batch,  \
                            int64_t key_head, float* block) {                                    \
    AttendHead<F32x8, RowOfInt8, ScaledRowOfInt8, 1>(p, t, batch, key_head, block);              \
  }

}  // namespace micrort
