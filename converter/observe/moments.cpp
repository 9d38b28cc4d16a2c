#include "converter/observe/moments.h"

#include <algorithm>
#include <cstring>

namespace micrort::observe {
namespace {

constexpr size_t kRows = 2048;     // of all samples together
constexpr size_t kRowsAtOnce = 4;  // whose products are added in one pass over the sums

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

// Reads rows of x, one a pixel of the output.
class RowReader {
 public:
  RowReader(const FilterWindow& window, const TensorView& x, const Shape& y) : r_(window), x_(x.as<float>()) {
    if (r_.is_product) {
      channels_ = r_.channels;
      rows_ = x.shape.elements() / channels_;
      return;
    }
    height_ = x.shape[1];
    width_ = x.shape[2];
    channels_ = x.shape[3];
    out_h_ = y[1];
    out_w_ = y[2];
    rows_ = y[0] * out_h_ * out_w_;
  }

  int64_t rows() const { return rows_; }

  void Read(int64_t row, int64_t set, float* out) const {
    if (r_.is_product) {
      std::memcpy(out, x_ + row * channels_, static_cast<size_t>(channels_) * sizeof(float));
      return;
    }
    const int64_t image = row / (out_h_ * out_w_), oy = row / out_w_ % out_h_, ox = row % out_w_;
    const auto bytes = static_cast<size_t>(r_.channels) * sizeof(float);
    for (int64_t tap = 0; tap < r_.taps(); ++tap, out += r_.channels) {
      const int64_t iy = oy * r_.stride_h - r_.pad_top + tap / r_.kernel_w * r_.dilation_h;
      const int64_t ix = ox * r_.stride_w - r_.pad_left + tap % r_.kernel_w * r_.dilation_w;
      const bool inside = iy >= 0 && iy < height_ && ix >= 0 && ix < width_;
      if (inside) {
        std::memcpy(out, x_ + ((image * height_ + iy) * width_ + ix) * channels_ + set * r_.channels, bytes);
      } else {
        std::memset(out, 0, bytes);
      }
    }
  }

 private:
  const FilterWindow& r_;
  const float* x_;
  int64_t height_ = 1, width_ = 1, channels_ = 1, out_h_ = 1, out_w_ = 1, rows_ = 0;
};

// sums[i][j] += products of kRowsAtOnce rows, `depth` elements apart.
void AddProducts(const float* rows, size_t depth, size_t n, size_t block, float* sums) {
  static_assert(kRowsAtOnce == 4);
  const float *r0 = rows, *r1 = r0 + depth, *r2 = r1 + depth, *r3 = r2 + depth;
  for (size_t i = 0; i < n; ++i) {
    const float a = r0[i], b = r1[i], c = r2[i], d = r3[i];
    float* to = sums + i * block;
    for (size_t j = i; j < n; ++j) to[j] += a * r0[j] + b * r1[j] + (c * r2[j] + d * r3[j]);
  }
}

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
  const RowReader reader(window, x, y);
  const auto all = static_cast<size_t>(reader.rows());
  const size_t count = std::min(all, rows_a_sample_);
  rows_.resize(kRowsAtOnce * m->depth);
  for (size_t first = 0; first < count; first += kRowsAtOnce) {
    const size_t n = std::min(kRowsAtOnce, count - first);
    for (size_t set = 0; set < m->sets; ++set) {
      std::fill(rows_.begin(), rows_.end(), 0.0f);
      for (size_t r = 0; r < n; ++r) {
        // Spread over the image, but not in step with its columns.
        const size_t begin = (first + r) * all / count, end = (first + r + 1) * all / count;
        const size_t row = begin + (first + r) * 2654435761u % (end - begin);
        float* to = &rows_[r * m->depth];
        reader.Read(static_cast<int64_t>(row), static_cast<int64_t>(set), to);
        for (size_t k = 0; k < m->depth; ++k) m->sums[set * m->depth + k] += static_cast<double>(to[k]);
      }
      for (size_t b = 0; b < m->blocks; ++b) {
        const size_t begin = b * m->block, length = std::min(m->block, m->depth - begin);
        AddProducts(&rows_[begin], m->depth, length, m->block, m->products_of(set, b));
      }
    }
  }
  m->rows += static_cast<double>(count);
}

}  // namespace micrort::observe
