#include "kernels/int4_gemm/grouped_input.h"

#include <cstring>

#include "kernels/base/checked_math.h"
#include "kernels/base/kernel_registry.h"
#include "kernels/base/task_sizes.h"
#include "kernels/layer_s8/dynamic_input_s8.h"

namespace micrort {
namespace {

// Whether kernels of this build need blocks of rows.
constexpr bool kHasBlocks = MICRORT_KERNELS_i8mm == 1;

// Rows of a block, which a last one of two rows has alone.
constexpr size_t kBlockRows = 4;
constexpr size_t WidthOf(size_t rows_left) { return rows_left == 2 ? 2 : kBlockRows; }

// Rows that there is memory for.
size_t RowsOf(const GroupedRows& rows) {
  const size_t left = rows.rows % kBlockRows;
  return rows.blocks && left != 0 ? rows.rows - left + WidthOf(left) : rows.rows;
}
size_t ElementBytes(const GroupedRows& rows) { return AlignUp(RowsOf(rows) * rows.depth(), kAlignment); }
size_t ScaleBytes(const GroupedRows& rows) {
  return AlignUp(RowsOf(rows) * rows.scales() * sizeof(float), kAlignment);
}

struct Kernels {
  MinMaxF32Fn min_max;
  QuantizeS8Fn quantize;
};

// Quantizes n elements, with zeros behind them, and returns their sum.
int32_t Quantize(const Kernels& kernels, const float* x, size_t n, const QuantizationParams& q, size_t padded,
                 int8_t* y) {
  kernels.quantize(x, y, n, q);
  std::memset(y + n, 0, padded - n);
  int32_t sum = 0;
  for (size_t i = 0; i < n; ++i) sum += y[i];
  return sum;
}

// A row by itself.
class PlainRow {
 public:
  PlainRow(const GroupedRows& rows, size_t row, const GroupedInput& out)
      : group_(rows.group),
        x_(out.x + row * rows.depth()),
        scales_(out.scales + row * rows.groups),
        sums_(out.sums + row * rows.groups) {}

  void Write(const Kernels& kernels, const float* x, size_t n, const QuantizationParams& q, size_t g) const {
    scales_[g] = q.scale;
    sums_[g] = Quantize(kernels, x, n, q, group_, x_ + g * group_);
  }

 private:
  const size_t group_;
  int8_t* const x_;
  float* const scales_;
  int32_t* const sums_;
};

// A row of a block, eight elements at a time. The last one of a block with room for more rows is the fourth,
// too.
class BlockRow {
 public:
  BlockRow(const GroupedRows& rows, size_t row, const GroupedInput& out)
      : group_(rows.group), at_(row % kBlockRows) {
    const size_t first = row - at_, left = rows.rows - first;
    width_ = WidthOf(left);
    is_alone_ = left == 1;
    is_last_ = at_ + 1 == left && at_ + 1 < width_;
    x_ = out.x + first * rows.depth();
    scales_ = out.scales + first * rows.scales();
    sums_ = out.sums + first * rows.scales();
  }

  void Write(const Kernels& kernels, const float* x, size_t n, const QuantizationParams& q, size_t g) const {
    int8_t part[kPart];
    int8_t* to = x_ + g * group_ * width_;
    int32_t sum = 0;
    for (size_t i = 0; i < group_; i += kPart) {
      const size_t size = group_ - i < kPart ? group_ - i : kPart, first = i < n ? i : n, left = n - first;
      sum += Quantize(kernels, x + first, left < size ? left : size, q, size, part);
      for (size_t k = 0; k < size; k += kEight, to += kEight * width_) WriteEight(part + k, to);
    }
    for (size_t i = 0; i < 2; ++i) {
      scales_[(g * width_ + at_) * 2 + i] = q.scale;
      sums_[(g * width_ + at_) * 2 + i] = sum;
    }
  }

 private:
  static constexpr size_t kEight = 8, kPart = 128;

  void WriteEight(const int8_t* from, int8_t* to) const {
    std::memcpy(to + at_ * kEight, from, kEight);
    if (is_last_) std::memcpy(to + (kBlockRows - 1) * kEight, from, kEight);
    if (is_alone_) std::memset(to + kEight, 0, 2 * kEight);
  }

  const size_t group_, at_;
  size_t width_;
  bool is_alone_, is_last_;
  int8_t* x_;
  float* scales_;
  int32_t* sums_;
};

template <typename Row>
void QuantizeRow(const GroupedRows& rows, const Kernels& kernels, const float* x, const Row& row) {
  for (size_t g = 0; g < rows.groups; ++g) {
    const size_t first = g * rows.group, left = rows.columns - first;
    const size_t n = left < rows.group ? left : rows.group;
    row.Write(kernels, x + first, n, ChooseQuantization(kernels.min_max(x + first, n), true), g);
  }
}

}  // namespace

GroupedInput::GroupedInput(const GroupedRows& rows, void* scratch) {
  auto* const bytes = static_cast<uint8_t*>(scratch);
  x = reinterpret_cast<int8_t*>(bytes);
  scales = reinterpret_cast<float*>(bytes + ElementBytes(rows));
  sums = reinterpret_cast<int32_t*>(bytes + ElementBytes(rows) + ScaleBytes(rows));
}

size_t GroupedInputBytes(const GroupedRows& rows) { return ElementBytes(rows) + 2 * ScaleBytes(rows); }

void PlanGroupedInput(CpuFeatures features, ConvPlan* plan) { PlanDynamicInput(features, plan); }

void QuantizeGroups(const GroupedRows& rows, const ConvPlan& plan, const float* x, const GroupedInput& out,
                    const Parallel& parallel) {
  const Kernels kernels = {VariantOf(MinMaxF32Kernels(), plan.min_max).run,
                           VariantOf(ConvertF32Kernels(), plan.convert).quantize_s8};
  const size_t at_once = rows.columns < kTaskRangeElements ? kTaskRangeElements / rows.columns : 1;
  ParallelFor(parallel, CeilDiv(rows.rows, at_once), [&](size_t task, int) {
    const size_t first = task * at_once, end = first + at_once < rows.rows ? first + at_once : rows.rows;
    for (size_t row = first; row < end; ++row) {
      const float* const from = x + row * rows.columns;
      if (kHasBlocks && rows.blocks) {
        QuantizeRow(rows, kernels, from, BlockRow(rows, row, out));
      } else {
        QuantizeRow(rows, kernels, from, PlainRow(rows, row, out));
      }
    }
  });
}

}  // namespace micrort
