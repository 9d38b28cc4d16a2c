#pragma once
// Attention of a few queries over a vector type F of eight lanes (kernels/base/simd/vec8.h). Products are
// rounded before they are added, so that all instruction sets give the same bits. How many sums they compute
// side by side, and whether registers hold more than eight lanes (Lanes: EightLanes and its like), changes
// none.

#include "kernels/attention/attend_few.h"
#include "kernels/attention/attend_few_rows.h"
#include "kernels/elementwise/math_f32_impl.h"

namespace micrort {

// One query, and what it has seen so far.
template <typename F>
struct AttendFewRow {
  static constexpr float kNothing = -__builtin_inff();

  const float *q, *mask;
  int64_t from, seen;  // the positions [from, seen)
  float* y;
  float max, sum;

  // sink: a score without a value; null: there is none.
  void Begin(int64_t width, const float* sink) {
    max = sink == nullptr ? kNothing : *sink;
    sum = sink == nullptr ? 0.0f : 1.0f;
    for (int64_t e = 0; e < width; ++e) y[e] = 0;
  }
  // A row that has seen nothing is NaN, as a softmax of it.
  void End(int64_t width) const {
    for (int64_t e = 0; e < width; ++e) y[e] /= sum;
  }
};

template <typename F>
inline void CapScores(float factor, float softcap, int64_t n, float* x) {
  const auto capped = [factor, softcap](F score) {
    return F::Broadcast(softcap) * Tanh(F::Broadcast(factor) * score);
  };
  int64_t s = 0;
  for (; s + 8 <= n; s += 8) capped(F::Load(x + s)).Store(x + s);
  const auto left = static_cast<size_t>(n - s);
  if (left != 0) capped(F::LoadPartial(x + s, left)).StorePartial(x + s, left);
}

// A register is a vector of eight lanes. kSums_: how many are summed up side by side, 4 or 8.
template <typename F_, int kSums_>
struct EightLanes {
  using F = F_;
  static constexpr int kSums = kSums_;
  static constexpr int kRows = kSums / 4;  // queries that read keys and values together

  using Values = F;
  // Eight lanes of each of kKeys keys.
  using Keys = F;
  static constexpr int kKeys = 1;

  template <bool kAll>
  static F LoadQuery(const float* q, size_t n) {
    return LoadEight<RowOfFloats<F>, kAll>(q, n);
  }
  template <template <typename> class RowOf, bool kAll>
  static F LoadKeys(const typename RowOf<F>::Element* k, int64_t, size_t n) {
    return LoadEight<RowOf<F>, kAll>(k, n);
  }
  // Sums of four keys.
  static void Reduce(const F* sums, float* y) { ReduceAdd(sums[0], sums[1], sums[2], sums[3], y); }
};

// Keys and values of the positions [first, first + count), at most kAttendFewBlock, and what queries make of
// them. Those before a query's window are neither read as values nor part of its maximum; but for that they
// change no bit, wherever the block begins.
template <typename Lanes, template <typename> class RowOf>
struct AttendFewKeys {
  using F = typename Lanes::F;
  using Element = typename RowOf<F>::Element;
  using Row = AttendFewRow<F>;

  const Element *k, *v;
  int64_t k_stride, v_stride;
  const float *k_scales, *v_scales;  // a factor for each row; null: 1
  const AttentionParams& p;
  int64_t first, count;
  AttendFewAhead<F> next_k, next_v;

  // Two queries at a time where registers allow it, which then read keys and values once.
  void SeenBy(Row* rows, int64_t queries) const {
    constexpr int kRows = Lanes::kRows;
    AttendFewKeys again = *this;  // for all but the first queries, which fetch what comes next
    again.next_k.count = again.next_v.count = 0;
    int64_t r = 0;
    for (; r + kRows <= queries; r += kRows) {
      const AttendFewKeys& keys = r == 0 ? *this : again;
      const Row &one = rows[r], &last = rows[r + kRows - 1];
      if (CountOf(one) == CountOf(last) && HiddenFrom(one) == HiddenFrom(last)) {
        keys.template SeenByRows<kRows>(rows + r);
      } else {
        for (int i = 0; i < kRows; ++i) keys.template SeenByRows<1>(rows + r + i);
      }
    }
    for (; r < queries; ++r) (r == 0 ? *this : again).template SeenByRows<1>(rows + r);
  }

 private:
  using Scores = float[kAttendFewBlock];

  // How many of the keys a query sees.
  int64_t CountOf(const Row& row) const {
    const int64_t left = row.seen - first;
    return left < count ? left : count;
  }

  // How many of them come before its window.
  int64_t HiddenFrom(const Row& row) const { return !kHasRings || row.from <= first ? 0 : row.from - first; }

  // All of them see the same keys.
  template <int kRows>
  void SeenByRows(Row* rows) const {
    const int64_t seen = CountOf(rows[0]), hidden = HiddenFrom(rows[0]);
    if (seen <= hidden) return;
    Scores scores[kRows];
    float before[kRows];
    Dots<kRows>(rows, seen, scores);
    bool all_see = true;
    for (int r = 0; r < kRows; ++r) {
      before[r] = rows[r].max;
      FinishScores(&rows[r], seen, scores[r]);
      if (hidden != 0) Hide(&rows[r], before[r], hidden, seen, scores[r]);
      all_see = all_see && rows[r].max != Row::kNothing;
    }
    if (all_see) return AddBlock<kRows>(rows, before, seen, scores);
    if (kRows == 1) return;
    for (int r = 0; r < kRows; ++r) {
      if (rows[r].max != Row::kNothing) AddBlock<1>(rows + r, before + r, seen, scores + r);
    }
  }

  // Dot products of the queries with keys.
  template <int kRows>
  void Dots(const Row* rows, int64_t seen, Scores* scores) const {
    constexpr int kVectors = Lanes::kSums / kRows;
    int64_t s = 0;
    for (; s + kVectors * Lanes::kKeys <= seen; s += kVectors * Lanes::kKeys) {
      next_k.Fetch(s, kVectors * Lanes::kKeys);
      typename Lanes::Keys sums[kRows][kVectors];
      AddUp<Lanes, kRows, kVectors>(rows, s, sums);
      for (int r = 0; r < kRows; ++r) {
        for (int i = 0; i < kVectors * Lanes::kKeys; i += 4)
          Lanes::Reduce(sums[r] + i / Lanes::kKeys, scores[r] + s + i);
      }
    }
    for (; s < seen; ++s) {
      F sums[kRows][1];
      AddUp<EightLanes<F, 4>, kRows, 1>(rows, s, sums);
      for (int r = 0; r < kRows; ++r) scores[r][s] = ReduceAdd(sums[r][0]);
    }
  }
  template <typename Of, int kRows, int kVectors>
  void AddUp(const Row* rows, int64_t s, typename Of::Keys (&sums)[kRows][kVectors]) const {
    for (int r = 0; r < kRows; ++r) {
      for (int i = 0; i < kVectors; ++i) sums[r][i] = Of::Keys::Zero();
    }
    const Element* const keys = k + s * k_stride;
    int64_t d = 0;
    for (; d + 8 <= p.depth; d += 8) AddProducts<Of, kRows, kVectors, true>(rows, keys, d, sums);
    if (d < p.depth) AddProducts<Of, kRows, kVectors, false>(rows, keys, d, sums);
  }
  // Adds the products of eight numbers of queries and keys, from d on.
  template <typename Of, int kRows, int kVectors, bool kAll>
  void AddProducts(const Row* rows, const Element* keys, int64_t d,
                   typename Of::Keys (&sums)[kRows][kVectors]) const {
    const auto left = static_cast<size_t>(p.depth - d);
    typename Of::Keys x[kRows];
    for (int r = 0; r < kRows; ++r) x[r] = Of::template LoadQuery<kAll>(rows[r].q + d, left);
    for (int i = 0; i < kVectors; ++i) {
      const auto key =
          Of::template LoadKeys<RowOf, kAll>(keys + i * Of::kKeys * k_stride + d, k_stride, left);
      for (int r = 0; r < kRows; ++r) sums[r][i] = sums[r][i] + x[r] * key;
    }
  }

  // Scaled and masked, with -infinity behind them up to a multiple of eight; what `max` is with them.
  void FinishScores(Row* row, int64_t seen, float* scores) const {
    const float* const mask = row->mask == nullptr ? nullptr : row->mask + first;
    if (k_scales != nullptr) Multiply(k_scales, seen, scores);
    float scale = p.scale;
    if (kHasSoftcaps && p.softcap != 0) {
      CapScores<F>(p.scale / p.softcap, p.softcap, seen, scores);
      scale = 1;
    }
    F largest = F::Broadcast(row->max);
    int64_t s = 0;
    for (; s + 8 <= seen; s += 8) {
      F score = F::Load(scores + s) * F::Broadcast(scale);
      if (mask != nullptr) score = score + F::Load(mask + s);
      score.Store(scores + s);
      largest = Max(score, largest);
    }
    row->max = ReduceMax(largest);
    for (; s < seen; ++s) {
      scores[s] = scores[s] * scale + (mask == nullptr ? 0.0f : mask[s]);
      if (scores[s] > row->max) row->max = scores[s];
    }
    for (; s % 8 != 0; ++s) scores[s] = Row::kNothing;
  }

  // Takes the first scores back, out of the maximum, too.
  static void Hide(Row* row, float before, int64_t hidden, int64_t seen, float* scores) {
    for (int64_t s = 0; s < hidden; ++s) scores[s] = Row::kNothing;
    row->max = before;
    for (int64_t s = hidden; s < seen; ++s) {
      if (scores[s] > row->max) row->max = scores[s];
    }
  }

  static void Multiply(const float* factors, int64_t n, float* x) {
    int64_t s = 0;
    for (; s + 8 <= n; s += 8) (F::Load(x + s) * F::Load(factors + s)).Store(x + s);
    for (; s < n; ++s) x[s] *= factors[s];
  }

  // Exponentials of the scores, and the values that they weigh; what was there before counts less by as much
  // as the maximum has grown.
  template <int kRows>
  void AddBlock(Row* rows, const float* before, int64_t seen, Scores* scores) const {
    using Values = typename Lanes::Values;
    constexpr int64_t kLanes = sizeof(Values) / sizeof(float);
    constexpr int kWide = Lanes::kSums / kRows;
    float factors[kRows];
    for (int r = 0; r < kRows; ++r) factors[r] = ToWeights(&rows[r], before[r], seen, scores[r]);
    int64_t e = 0;
    for (; e + kWide * kLanes <= p.value_depth; e += kWide * kLanes)
      AddWeighted<Values, kRows, kWide, true>(rows, factors, scores, seen, e);
    if constexpr (kWide > 4) {
      for (; e + 4 * kLanes <= p.value_depth; e += 4 * kLanes)
        AddWeighted<Values, kRows, 4, true>(rows, factors, scores, seen, e);
    }
    for (; e + 8 <= p.value_depth; e += 8) AddWeighted<F, kRows, 1, true>(rows, factors, scores, seen, e);
    if (e < p.value_depth) AddWeighted<F, kRows, 1, false>(rows, factors, scores, seen, e);
  }

  // Gives the factor of what was there before.
  float ToWeights(Row* row, float before, int64_t seen, float* scores) const {
    F sums = F::Zero();
    for (int64_t s = 0; s < seen; s += 8) {
      const F e = Exp(F::Load(scores + s) - F::Broadcast(row->max));
      e.Store(scores + s);
      sums = sums + e;
    }
    float factor[8];
    Exp(F::Broadcast(before - row->max)).Store(factor);
    row->sum = row->sum * factor[0] + ReduceAdd(sums);
    if (v_scales != nullptr) Multiply(v_scales, seen, scores);
    return factor[0];
  }

  // y = factor * y + the weighted sum of values, of kWide vectors from `at` on.
  template <typename V, int kRows, int kWide, bool kAll>
  void AddWeighted(Row* rows, const float* factors, const Scores* weights, int64_t seen, int64_t at) const {
    constexpr int64_t kLanes = sizeof(V) / sizeof(float);
    const auto left = static_cast<size_t>(p.value_depth - at);
    V sums[kRows][kWide];
    for (int r = 0; r < kRows; ++r) {
      for (int i = 0; i < kWide; ++i) {
        sums[r][i] =
            LoadEight<RowOfFloats<V>, kAll>(rows[r].y + at + kLanes * i, left) * V::Broadcast(factors[r]);
      }
    }
    const int64_t hidden = HiddenFrom(rows[0]);
    const Element* values = v + hidden * v_stride + at;
    for (int64_t s = hidden; s < seen; ++s, values += v_stride) {
      if (at == 0) next_v.Fetch(s, 1);
      V weight[kRows];
      for (int r = 0; r < kRows; ++r) weight[r] = V::Broadcast(weights[r][s]);
      for (int i = 0; i < kWide; ++i) {
        const V value = LoadEight<RowOf<V>, kAll>(values + kLanes * i, left);
        for (int r = 0; r < kRows; ++r) sums[r][i] = sums[r][i] + weight[r] * value;
      }
    }
    for (int r = 0; r < kRows; ++r) {
      for (int i = 0; i < kWide; ++i) {
        float* const y = rows[r].y + at + kLanes * i;
        kAll ? sums[r][i].Store(y) : sums[r][i].StorePartial(y, left);
      }
    }
  }
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
      AttendFewRow<F>& row = all[r];
      row.q = t.q + batch * p.q.batch + head * p.q.head + query * p.q.row;
      row.mask = t.mask;
      if (t.mask != nullptr) row.mask += batch * p.mask.batch + head * p.mask.head + query * p.mask.row;
      row.seen = PositionsOf(p, t) - p.queries + query + 1;
      row.from = !kHasRings || p.window == 0 || row.seen < p.window ? 0 : row.seen - p.window;
      row.y = t.y + batch * p.y.batch + head * p.y.head + query * p.y.row;
      row.Begin(p.value_depth, kHasSoftcaps && t.sinks != nullptr ? t.sinks + head : nullptr);
    }
  }
  void End(const AttentionParams& p) const {
    for (int64_t r = 0; r < count; ++r) all[r].End(p.value_depth);
  }
  static int64_t PositionsOf(const AttentionParams& p, const AttentionTensors& t) {
    return kHasRings && p.ring ? t.positions : p.keys;
  }
};

// A block of keys that lie one after another, and the position of the first of them. Blocks begin at
// multiples of kAttendFewBlock in memory, so that a ring of whole blocks has those of a cache of all
// positions.
template <typename F>
struct AttendFewRun {
  int64_t row, first, count;

  // Has position `at`.
  AttendFewRun(const AttentionParams& p, int64_t positions, int64_t at) {
    const int64_t in_ring = kHasRings ? at % p.keys : at, in_block = in_ring % kAttendFewBlock;
    row = in_ring - in_block;
    first = at - in_block;
    const int64_t left = positions - first, in_memory = p.keys - row;
    count = left < in_memory ? left : in_memory;
    if (count > kAttendFewBlock) count = kAttendFewBlock;
  }
};

// All queries of the heads that share one head of keys. Where rows are no floats and more queries read them
// than kAlone, a block of them becomes floats first, once for all; `block` is null where they are floats.
template <typename Lanes, template <typename> class RowOf, int64_t kAlone>
inline void AttendHead(const AttentionParams& p, const AttentionTensors& t, int64_t batch, int64_t key_head,
                       float* block) {
  using F = typename Lanes::F;
  using Element = typename RowOf<F>::Element;
  AttendFewQueries<F> queries(p, t, batch, key_head);
  float k_scales[kAttendFewBlock], v_scales[kAttendFewBlock];
  const auto* all_k = static_cast<const Element*>(t.k) + batch * p.k.batch + key_head * p.k.head;
  const auto* all_v = static_cast<const Element*>(t.v) + batch * p.v.batch + key_head * p.v.head;
  const int64_t positions = queries.PositionsOf(p, t);
  for (int64_t at = queries.all[0].from; at < positions;) {
    const AttendFewRun<F> run(p, positions, at);
    const int64_t first = run.first, count = run.count;
    const Element *const k = all_k + run.row * p.k.row, *const v = all_v + run.row * p.v.row;
    const AttendFewRun<F> next(p, positions, first + count);
    const int64_t left = first + count < positions ? next.count : 0;
    const AttendFewAhead<F> next_k(all_k, next.row, p.k.row, p.depth, left);
    const AttendFewAhead<F> next_v(all_v, next.row, p.v.row, p.value_depth, left);
    constexpr bool kScaled = RowOf<F>::kScaled;
    if constexpr (kScaled) {
      ReadScales<F>(k, p.k.row, count, p.depth, k_scales);
      ReadScales<F>(v, p.v.row, count, p.value_depth, v_scales);
    }
    const float *const of_keys = kScaled ? k_scales : nullptr, *const of_values =
                                                                   kScaled ? v_scales : nullptr;
    if (block == nullptr || queries.count <= kAlone) {
      const AttendFewKeys<Lanes, RowOf> keys = {k, v,     p.k.row, p.v.row, of_keys, of_values,
                                                p, first, count,   next_k,  next_v};
      keys.SeenBy(queries.all, queries.count);
    } else {
      float* const values = block + kAttendFewBlock * p.depth;
      ReadBlock<F, typename Lanes::Values, RowOf>(k, p.k.row, count, p.depth, block);
      ReadBlock<F, typename Lanes::Values, RowOf>(v, p.v.row, count, p.value_depth, values);
      const AttendFewKeys<Lanes, RowOfFloats> keys = {
          block, values, p.depth, p.value_depth, of_keys, of_values, p, first, count, next_k, next_v};
      keys.SeenBy(queries.all, queries.count);
    }
    at = first + count;
  }
  queries.End(p);
}

// Defines the functions of one variant over Lanes. alone: how many queries convert halves or int8 each for
// itself, because that takes no longer than to write floats for all.
#define MICRORT_DEFINE_ATTEND_FEW(name, alone, ...)                                             \
  void CapScores_##name(float factor, float softcap, int64_t n, float* x) {                     \
    CapScores<typename __VA_ARGS__::F>(factor, softcap, n, x);                                  \
  }                                                                                             \
  void AttendFew_##name(const AttentionParams& p, const AttentionTensors& t, int64_t batch,     \
                        int64_t key_head) {                                                     \
    AttendHead<__VA_ARGS__, RowOfFloats, kAttendFewRows>(p, t, batch, key_head, nullptr);       \
  }                                                                                             \
  void AttendFewHalf_##name(const AttentionParams& p, const AttentionTensors& t, int64_t batch, \
                            int64_t key_head, float* block) {                                   \
    AttendHead<__VA_ARGS__, RowOfHalves, alone>(p, t, batch, key_head, block);                  \
  }                                                                                             \
  void AttendFewInt8_##name(const AttentionParams& p, const AttentionTensors& t, int64_t batch, \
                            int64_t key_head, float* block) {                                   \
    AttendHead<__VA_ARGS__, RowOfInt8, alone>(p, t, batch, key_head, block);                    \
  }

}  // namespace micrort
