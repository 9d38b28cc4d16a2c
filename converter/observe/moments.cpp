#include "converter/observe/moments.h"

#include <algorithm>
#include <vector>

#include "converter/observe/window_rows.h"
#include "converter/threads/each_range.h"

namespace micrort::observe {
namespace {

constexpr size_t kRows = 2048;     // of all samples together
constexpr size_t kRowsAtOnce = 8;  // whose products are added in one pass over the sums

size_t CeilDiv(size_t a, size_t b) { return (a + b - 1) / b; }

InputMoments Empty(const FilterWindow& window) {
  InputMoments m;
  m.sets = static_cast<size_t>(window.sets);
  m.depth = static_cast<size_t>(window.depth());
  m.blocks = CeilDiv(m.depth, InputMoments::kLargestBlock);
  m.block = CeilDiv(m.depth, m.blocks);
  m.sums.resize(m.sets * m.depth);
  m.products.resize(m.sets * m.blocks * m.block * m.block);
  return m;
}

// sums[i][j] += products of two times four rows, `stride` elements apart.
void AddProducts(const float* rows, size_t stride, size_t n, size_t block, float* sums) {
  static_assert(kRowsAtOnce == 8);
  const float *r0 = rows, *r1 = r0 + stride, *r2 = r1 + stride, *r3 = r2 + stride;
  const float *r4 = r3 + stride, *r5 = r4 + stride, *r6 = r5 + stride, *r7 = r6 + stride;
  for (size_t i = 0; i < n; ++i) {
    const float a = r0[i], b = r1[i], c = r2[i], d = r3[i];
    const float e = r4[i], f = r5[i], g = r6[i], h = r7[i];
    float* to = sums + i * block;
    for (size_t j = i; j < n; ++j) {
      const float sum = to[j] + (a * r0[j] + b * r1[j] + (c * r2[j] + d * r3[j]));
      to[j] = sum + (e * r4[j] + f * r5[j] + (g * r6[j] + h * r7[j]));
    }
  }
}

// Which rows of an input are added up: spread over the image, but not in step with its columns.
class ChosenRows {
 public:
  ChosenRows(size_t all, size_t most) : all_(all), count_(std::min(all, most)) {}

  size_t size() const { return count_; }
  int64_t operator[](size_t i) const {
    const size_t begin = i * all_ / count_, end = (i + 1) * all_ / count_;
    return static_cast<int64_t>(begin + i * 2654435761u % (end - begin));
  }

 private:
  size_t all_, count_;
};

// One set's block.
void AddBlock(const WindowRows& reader, const ChosenRows& chosen, size_t set, size_t block, InputMoments* m) {
  const size_t begin = block * m->block, n = std::min(m->block, m->depth - begin);
  std::vector<float> rows(kRowsAtOnce * n);
  double* sums = &m->sums[set * m->depth + begin];
  for (size_t first = 0; first < chosen.size(); first += kRowsAtOnce) {
    const size_t count = std::min(kRowsAtOnce, chosen.size() - first);
    std::fill(rows.begin() + static_cast<std::ptrdiff_t>(count * n), rows.end(), 0.0f);
    for (size_t r = 0; r < count; ++r) {
      float* row = &rows[r * n];
      reader.Read(chosen[first + r], static_cast<int64_t>(set), static_cast<int64_t>(begin),
                  static_cast<int64_t>(n), row);
      for (size_t k = 0; k < n; ++k) sums[k] += static_cast<double>(row[k]);
    }
    AddProducts(rows.data(), n, n, m->block, m->products_of(set, block));
  }
}

// Neighbouring sets that read one channel each, all at once: a vector's lanes.
class DepthwiseSets {
 public:
  static constexpr size_t kLanes = 16;

  DepthwiseSets(const WindowRows& reader, const ChosenRows& chosen, size_t first_set, InputMoments* m)
      : reader_(reader),
        chosen_(chosen),
        first_set_(first_set),
        lanes_(std::min(kLanes, m->sets - first_set)),
        m_(*m),
        rows_(kQuad * m->depth),
        products_(m->depth * (m->depth + 1) / 2),
        sums_(m->depth) {}

  void Add() {
    ForEachSum([](float* ours, float* m) { *ours = *m; }, [](double* ours, double* m) { *ours = *m; });
    for (size_t first = 0; first < chosen_.size(); first += kQuad) {
      Read(first);
      AddProducts();
    }
    ForEachSum([](float* ours, float* m) { *m = *ours; }, [](double* ours, double* m) { *m = *ours; });
  }

 private:
  static constexpr size_t kQuad = 4;
  template <typename T>
  struct Lanes {
    T of[kLanes] = {};
  };

  void Read(size_t first) {
    for (size_t r = 0; r < kQuad; ++r) {
      for (size_t tap = 0; tap < m_.depth; ++tap) {
        Lanes<float>& to = rows_[r * m_.depth + tap];
        to = {};
        if (first + r >= chosen_.size()) continue;
        reader_.ReadTap(chosen_[first + r], static_cast<int64_t>(tap), static_cast<int64_t>(first_set_),
                        static_cast<int64_t>(lanes_), to.of);
        for (size_t s = 0; s < kLanes; ++s) sums_[tap].of[s] += static_cast<double>(to.of[s]);
      }
    }
  }

  void AddProducts() {
    Lanes<float>* to = products_.data();
    const size_t depth = m_.depth;
    for (size_t i = 0; i < depth; ++i) {
      for (size_t j = i; j < depth; ++j, ++to) {
        const float *a0 = rows_[i].of, *a1 = rows_[depth + i].of, *a2 = rows_[2 * depth + i].of,
                    *a3 = rows_[3 * depth + i].of;
        const float *b0 = rows_[j].of, *b1 = rows_[depth + j].of, *b2 = rows_[2 * depth + j].of,
                    *b3 = rows_[3 * depth + j].of;
        for (size_t s = 0; s < kLanes; ++s)
          to->of[s] += a0[s] * b0[s] + a1[s] * b1[s] + (a2[s] * b2[s] + a3[s] * b3[s]);
      }
    }
  }

  template <typename Product, typename Sum>
  void ForEachSum(Product product, Sum sum) {
    for (size_t s = 0; s < lanes_; ++s) {
      Lanes<float>* ours = products_.data();
      float* theirs = m_.products_of(first_set_ + s, 0);
      for (size_t i = 0; i < m_.depth; ++i) {
        sum(&sums_[i].of[s], &m_.sums[(first_set_ + s) * m_.depth + i]);
        for (size_t j = i; j < m_.depth; ++j, ++ours) product(&ours->of[s], &theirs[i * m_.block + j]);
      }
    }
  }

  const WindowRows& reader_;
  const ChosenRows& chosen_;
  const size_t first_set_, lanes_;
  InputMoments& m_;
  std::vector<Lanes<float>> rows_;      // [kQuad][taps]
  std::vector<Lanes<float>> products_;  // of taps i <= j
  std::vector<Lanes<double>> sums_;
};

bool Fits(const FilterWindow& window, const TensorView& x, const Shape& y) {
  if (x.as<float>() == nullptr || x.shape.rank == 0 || x.elements() == 0) return false;
  if (window.is_product) return x.shape[x.shape.rank - 1] == window.channels;
  return x.shape.rank == 4 && y.rank == 4 && x.shape[3] == window.sets * window.channels;
}

}  // namespace

MomentObserver::MomentObserver(const FilterWindows& windows, size_t samples)
    : windows_(windows), rows_a_sample_(CeilDiv(kRows, std::max<size_t>(samples, 1))) {}

void MomentObserver::BeforeOp(const OpInfo& op) {
  if (op.inputs.size() < 2 || op.outputs.size() < 1) return;
  const auto window = windows_.find(op.inputs[1].name);
  if (window == windows_.end() || !Fits(window->second, op.inputs[0], op.outputs[0].shape)) return;
  InputMoments& moments = moments_[window->first];
  if (moments.depth == 0) moments = Empty(window->second);
  AddRows(window->second, op.inputs[0], op.outputs[0].shape, &moments);
}

void MomentObserver::AddRows(const FilterWindow& window, const TensorView& x, const Shape& y,
                             InputMoments* m) {
  const WindowRows reader(window, x, y);
  const ChosenRows chosen(static_cast<size_t>(reader.size()), rows_a_sample_);
  const auto work = static_cast<int64_t>(chosen.size() * m->block * m->block);
  if (window.channels == 1 && m->sets > 1 && m->blocks == 1) {
    constexpr size_t kLanes = DepthwiseSets::kLanes;
    threads::ForEachRange(CeilDiv(m->sets, kLanes), work * kLanes, [&](size_t first, size_t last) {
      for (size_t i = first; i < last; ++i) DepthwiseSets(reader, chosen, i * kLanes, m).Add();
    });
  } else {
    threads::ForEachRange(m->sets * m->blocks, work, [&](size_t first, size_t last) {
      for (size_t i = first; i < last; ++i) AddBlock(reader, chosen, i / m->blocks, i % m->blocks, m);
    });
  }
  m->rows += static_cast<double>(chosen.size());
}

}  // namespace micrort::observe
