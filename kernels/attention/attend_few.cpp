#include "kernels/attention/attend_few.h"

#include <algorithm>
#include <limits>

#include "kernels/base/simd/vec8_scalar.h"
#include "kernels/elementwise/math_f32_impl.h"

namespace micrort {
namespace {

constexpr int64_t kMostRows = 16;   // queries that share keys
constexpr int64_t kBlock = 64;      // keys, which stay in the first-level cache for all rows
constexpr int64_t kKeysAtOnce = 4;  // whose sums are independent
constexpr float kNothing = -std::numeric_limits<float>::infinity();

// The first n of eight floats, others 0.
F32x8 LoadFirst(const float* x, int64_t n) {
  return n >= 8 ? F32x8::Load(x) : F32x8::LoadPartial(x, static_cast<size_t>(n));
}
void StoreFirst(const F32x8& v, float* y, int64_t n) {
  n >= 8 ? v.Store(y) : v.StorePartial(y, static_cast<size_t>(n));
}

// Dot products of one query with `count` keys, kKeysAtOnce at most.
void Dots(const float* q, const float* k, int64_t stride, int64_t depth, int64_t count, float* scores) {
  F32x8 sums[kKeysAtOnce];
  for (F32x8& sum : sums) sum = F32x8::Zero();
  for (int64_t d = 0; d < depth; d += 8) {
    const F32x8 x = LoadFirst(q + d, depth - d);
    for (int64_t s = 0; s < count; ++s) sums[s] = sums[s] + x * LoadFirst(k + s * stride + d, depth - d);
  }
  for (int64_t s = 0; s < count; ++s) scores[s] = ReduceAdd(sums[s]);
}

// y = factor * y + the weighted sum of rows.
void AddWeighted(const float* weights, const float* v, int64_t stride, int64_t count, int64_t width,
                 float factor, float* y) {
  for (int64_t e = 0; e < width; e += 8) {
    F32x8 sum = LoadFirst(y + e, width - e) * F32x8::Broadcast(factor);
    for (int64_t s = 0; s < count; ++s)
      sum = sum + F32x8::Broadcast(weights[s]) * LoadFirst(v + s * stride + e, width - e);
    StoreFirst(sum, y + e, width - e);
  }
}

// One query, and what it has seen so far.
class Row {
 public:
  void Begin(const float* q, const float* mask, int64_t seen, int64_t width, float* y) {
    q_ = q;
    mask_ = mask;
    seen_ = seen;
    y_ = y;
    max_ = kNothing;
    sum_ = 0;
    std::fill(y, y + width, 0.0f);
  }

  // Keys [first, first + count), at most a block.
  void See(const AttentionParams& p, const float* k, const float* v, int64_t first, int64_t count) {
    count = std::min(count, seen_ - first);
    if (count <= 0) return;
    float scores[kBlock];
    std::fill(scores + count / 8 * 8, scores + kBlock, kNothing);
    for (int64_t s = 0; s < count; s += kKeysAtOnce)
      Dots(q_, k + s * p.k.row, p.k.row, p.depth, std::min(kKeysAtOnce, count - s), scores + s);
    for (int64_t s = 0; s < count; ++s)
      scores[s] = scores[s] * p.scale + (mask_ == nullptr ? 0.0f : mask_[first + s]);
    const float before = max_;
    max_ = std::max(max_, *std::max_element(scores, scores + count));
    if (max_ == kNothing) return;
    F32x8 sums = F32x8::Zero();
    for (int64_t s = 0; s < count; s += 8) {
      const F32x8 e = Exp(F32x8::Load(scores + s) - F32x8::Broadcast(max_));
      e.Store(scores + s);
      sums = sums + e;
    }
    float factor[8];
    Exp(F32x8::Broadcast(before - max_)).Store(factor);
    sum_ = sum_ * factor[0] + ReduceAdd(sums);
    AddWeighted(scores, v, p.v.row, count, p.value_depth, factor[0], y_);
  }

  // A row that has seen nothing is NaN, as a softmax of it.
  void End(int64_t width) const {
    for (int64_t e = 0; e < width; ++e) y_[e] /= sum_;
  }

 private:
  const float *q_ = nullptr, *mask_ = nullptr;
  int64_t seen_ = 0;
  float* y_ = nullptr;
  float max_ = kNothing, sum_ = 0;
};

int64_t OffsetOf(const AttentionStrides& s, int64_t batch, int64_t head) {
  return batch * s.batch + head * s.head;
}

// All queries of the heads that share one head of keys.
void AttendHead(const AttentionParams& p, const AttentionTensors& t, int64_t batch, int64_t key_head) {
  const int64_t sharing = p.heads / p.key_heads, rows = sharing * p.queries;
  Row all[kMostRows];
  for (int64_t r = 0; r < rows; ++r) {
    const int64_t head = key_head * sharing + r / p.queries, query = r % p.queries;
    const float* mask = t.mask;
    if (mask != nullptr) mask += OffsetOf(p.mask, batch, head) + query * p.mask.row;
    all[r].Begin(t.q + OffsetOf(p.q, batch, head) + query * p.q.row, mask, p.keys - p.queries + query + 1,
                 p.value_depth, t.y + OffsetOf(p.y, batch, head) + query * p.y.row);
  }
  const float *k = t.k + OffsetOf(p.k, batch, key_head), *v = t.v + OffsetOf(p.v, batch, key_head);
  for (int64_t first = 0; first < p.keys; first += kBlock) {
    const int64_t count = std::min(kBlock, p.keys - first);
    for (int64_t r = 0; r < rows; ++r) all[r].See(p, k + first * p.k.row, v + first * p.v.row, first, count);
  }
  for (int64_t r = 0; r < rows; ++r) all[r].End(p.value_depth);
}

}  // namespace

bool SuitsAttendFew(const AttentionParams& p) {
  return p.causal && p.heads / p.key_heads <= kMostRows / std::max<int64_t>(1, p.queries);
}

void AttendFew(const AttentionParams& p, const AttentionTensors& tensors, const Parallel& parallel) {
  ParallelFor(parallel, static_cast<size_t>(p.batch * p.key_heads), [&](size_t head, int) {
    const auto h = static_cast<int64_t>(head);
    AttendHead(p, tensors, h / p.key_heads, h % p.key_heads);
  });
}

}  // namespace micrort
