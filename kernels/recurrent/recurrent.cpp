#include "kernels/recurrent/recurrent.h"

#include <cmath>
#include <cstring>
#include <limits>

#include "kernels/base/checked_math.h"
#include "kernels/base/kernel_registry.h"
#include "kernels/base/task_sizes.h"
#include "kernels/gemm/gemm_f32.h"
#include "kernels/gemm/pack_b.h"
#include "kernels/layer_s8/dynamic_input_s8.h"
#include "kernels/recurrent/gate_math.h"

namespace micrort {

namespace {

constexpr size_t kMaxRows = 32;  // sequences of a task: mr of any micro-kernel fits
constexpr float kInfinity = std::numeric_limits<float>::infinity();

// Floats of scratch for the gates of one sequence, and for the second product of Gru.
size_t GateFloats(const RecurrentParams& p) { return static_cast<size_t>(p.width()); }
size_t ProductFloats(const RecurrentParams& p) {
  return p.kind == RecurrentKind::kGru ? static_cast<size_t>(p.hidden) : 0;
}
// And for the state, rounded.
size_t RoundedFloats(const RecurrentParams& p) {
  return p.rounding == StateRounding::kNone ? 0 : static_cast<size_t>(p.hidden);
}
size_t TaskBytes(const RecurrentParams& p, size_t rows) {
  return AlignUp(rows * (GateFloats(p) + ProductFloats(p) + RoundedFloats(p)) * sizeof(float), kAlignment);
}

void RoundRow(const float* x, size_t n, StateRounding rounding, float* y) {
  MinMax range = {0.0f, 0.0f};
  for (size_t i = 0; i < n; ++i) {
    range.min = x[i] < range.min ? x[i] : range.min;
    range.max = x[i] > range.max ? x[i] : range.max;
  }
  const QuantizationParams q = ChooseQuantization(range, rounding == StateRounding::kSymmetric);
  const float lowest = static_cast<float>(INT8_MIN - q.zero_point);
  const float highest = static_cast<float>(INT8_MAX - q.zero_point);
  for (size_t i = 0; i < n; ++i) {
    const float steps = std::nearbyint(x[i] / q.scale);
    y[i] = q.scale * (steps < lowest ? lowest : steps > highest ? highest : steps);
  }
}

// Sequences [first, first + rows) from their first to their last step; `parallel` takes the products of a
// step.
class Task {
 public:
  Task(const RecurrentParams& p, const RecurrentPlan& plan, const RecurrentTensors& tensors, size_t first,
       size_t rows, float* scratch, const Parallel& parallel)
      : p_(p),
        tensors_(tensors),
        parallel_(parallel),
        kernel_(VariantOf(GemmF32Kernels(), plan.kernel)),
        math_(p, plan),
        first_(first),
        rows_(rows),
        hidden_(static_cast<size_t>(p.hidden)),
        width_(static_cast<size_t>(p.width())),
        gates_(scratch),
        products_(scratch + rows * GateFloats(p)),
        rounded_(products_ + rows * ProductFloats(p)) {}

  void Run() {
    Start(tensors_.initial_h, tensors_.h);
    if (p_.kind == RecurrentKind::kLstm) Start(tensors_.initial_c, tensors_.c);
    int64_t steps = 0;
    for (size_t i = 0; i < rows_; ++i) steps = Length(i) > steps ? Length(i) : steps;
    for (int64_t step = 0; step < steps; ++step) Step(step);
    if (tensors_.y != nullptr) ClearEnds();
  }

 private:
  int64_t Length(size_t row) const {
    return tensors_.lengths == nullptr ? p_.steps : tensors_.lengths[first_ + row];
  }
  float* H(size_t row) const { return tensors_.h + (first_ + row) * hidden_; }
  float* C(size_t row) const { return tensors_.c + (first_ + row) * hidden_; }
  float* Gates(size_t row) const { return gates_ + row * width_; }
  float* Product(size_t row) const { return products_ + row * hidden_; }
  float* Y(int64_t time, size_t row) const {
    return tensors_.y + (static_cast<size_t>(time * p_.batch) + first_ + row) * hidden_;
  }

  void Start(const float* initial, float* state) const {
    float* to = state + first_ * hidden_;
    if (initial == nullptr) {
      std::memset(to, 0, rows_ * hidden_ * sizeof(float));
    } else {
      std::memmove(to, initial + first_ * hidden_, rows_ * hidden_ * sizeof(float));
    }
    for (size_t row = 0; row < rows_; ++row) {
      if (Length(row) == 0) std::memset(to + row * hidden_, 0, hidden_ * sizeof(float));
    }
  }

  void ClearEnds() const {
    for (size_t row = 0; row < rows_; ++row) {
      for (int64_t t = Length(row); t < p_.steps; ++t) std::memset(Y(t, row), 0, hidden_ * sizeof(float));
    }
  }

  // Sequences that are over keep their state; what is computed for their gates is not used.
  void Step(int64_t step) {
    ForEachActive(step, [&](size_t row, int64_t time) {
      const size_t from = (static_cast<size_t>(time * p_.batch) + first_ + row) * width_;
      std::memcpy(Gates(row), tensors_.x + from, width_ * sizeof(float));
    });
    const float* h = tensors_.h + first_ * hidden_;
    Multiply(0, h, gates_, width_, true);
    if (p_.kind == RecurrentKind::kGru) MultiplyNewState(step, h);
    ForEachActive(step, [&](size_t row, int64_t time) {
      Update(row);
      if (tensors_.y != nullptr) std::memcpy(Y(time, row), H(row), hidden_ * sizeof(float));
    });
  }

  template <typename F>
  void ForEachActive(int64_t step, F f) const {
    for (size_t row = 0; row < rows_; ++row) {
      const int64_t length = Length(row);
      if (step < length) f(row, p_.reverse ? length - 1 - step : step);
    }
  }

  void MultiplyNewState(int64_t step, const float* h) {
    ForEachActive(step, [&](size_t row, int64_t) { math_.GruGates(Gates(row), H(row), Product(row)); });
    if (p_.linear_before_reset) {
      Multiply(1, h, products_, hidden_, false);
    } else {
      Multiply(1, products_, gates_ + 2 * hidden_, width_, true);
    }
  }

  void Update(size_t row) const {
    switch (p_.kind) {
      case RecurrentKind::kRnn:
        return math_.Rnn(Gates(row), H(row));
      case RecurrentKind::kGru:
        return math_.GruState(Gates(row), Product(row), H(row));
      case RecurrentKind::kLstm:
        return math_.Lstm(Gates(row), tensors_.peepholes, H(row), C(row));
    }
  }

  // out = left * matrix + (out or bias), `left` with `hidden` numbers a row.
  void Multiply(int matrix, const float* left, float* out, size_t out_stride, bool accumulate) const {
    for (size_t i = 0; i < rows_ && p_.rounding != StateRounding::kNone; ++i)
      RoundRow(left + i * hidden_, hidden_, p_.rounding, rounded_ + i * hidden_);
    if (p_.rounding != StateRounding::kNone) left = rounded_;
    const float* pointers[kMaxRows];
    for (size_t i = 0; i < kernel_.mr; ++i) pointers[i] = left + (i < rows_ ? i : 0) * hidden_;
    const auto columns = static_cast<size_t>(p_.matrix_columns(matrix));
    const size_t panels = CeilDiv(columns, kernel_.nr);
    const size_t parts = PartsOf(panels), each = CeilDiv(panels, parts);
    ParallelFor(parallel_, parts, [&](size_t part, int) {
      GemmF32Tile tile = {};
      tile.m = rows_;
      tile.taps = 1;
      tile.channels = hidden_;
      tile.a = pointers;
      tile.c_stride = tile.start_stride = out_stride;
      tile.lo = -kInfinity;
      tile.hi = kInfinity;
      for (size_t panel = part * each; panel < panels && panel < (part + 1) * each; ++panel) {
        const size_t column = panel * kernel_.nr;
        tile.n = columns - column < kernel_.nr ? columns - column : kernel_.nr;
        tile.b = tensors_.packed[matrix] + column * hidden_;
        tile.c = out + column;
        tile.start = accumulate ? tile.c : nullptr;
        tile.bias = accumulate || tensors_.bias == nullptr ? nullptr : tensors_.bias + column;
        kernel_.run(tile);
      }
    });
  }

  // Into which a product is cut.
  size_t PartsOf(size_t panels) const {
    const size_t work = rows_ * panels * kernel_.nr * hidden_ / kTaskStepProducts;
    const auto workers = static_cast<size_t>(parallel_.workers());
    const size_t most = work < panels ? work : panels, parts = most < workers ? most : workers;
    return parts > 1 ? parts : 1;
  }

  const RecurrentParams& p_;
  const RecurrentTensors& tensors_;
  const Parallel& parallel_;
  const GemmF32Kernel& kernel_;
  const GateMath math_;
  const size_t first_, rows_;
  const size_t hidden_, width_;
  float* const gates_;     // [rows][width]
  float* const products_;  // [rows][hidden] of Gru
  float* const rounded_;   // [rows][hidden], where the state is rounded
};

}  // namespace

RecurrentPlan PlanRecurrent(const RecurrentParams& p, CpuFeatures features) {
  return {GemmF32Kernels()[SelectGemmF32(features, static_cast<size_t>(p.hidden))].id,
          UnaryF32Kernels()[SelectVariant(UnaryF32Kernels(), features)].id};
}

const char* RecurrentAlgorithm(const RecurrentPlan& plan) {
  static constexpr VariantName kAllNames[] = {
#define MICRORT_GEMM_F32(name, set, ...) MICRORT_VARIANT(set, {"recurrent_f32/" #name, isa::set})
#include "kernels/gemm/gemm_f32.inc"
#undef MICRORT_GEMM_F32
  };
  static constexpr auto kNames = MICRORT_NEEDED(VariantName, kAllNames);
  return kNames[&VariantOf(GemmF32Kernels(), plan.kernel) - GemmF32Kernels().begin()].name;
}

uint64_t RecurrentPackedBytes(const RecurrentParams& p, const RecurrentPlan& plan, int i) {
  const GemmF32Kernel& kernel = VariantOf(GemmF32Kernels(), plan.kernel);
  return PackedBF32Elements(static_cast<uint64_t>(p.hidden), static_cast<uint64_t>(p.matrix_columns(i)),
                            kernel.nr) *
         sizeof(float);
}

void PackRecurrent(const RecurrentParams& p, const RecurrentPlan& plan, const RecurrentWeights& weights,
                   int i, float* packed) {
  const GemmF32Kernel& kernel = VariantOf(GemmF32Kernels(), plan.kernel);
  const int64_t first = i == 0 ? 0 : p.matrix_columns(0);
  MatrixB b = {};
  b.data = static_cast<const uint8_t*>(weights.data) +
           static_cast<size_t>(first * p.hidden) * SizeOf(weights.type);
  b.type = weights.type;
  b.column_stride = p.hidden;
  b.depth_stride = 1;
  b.scales = weights.type == DType::kInt8 ? weights.scales + first * weights.scale_stride : nullptr;
  b.scale_stride = weights.scale_stride;
  PackBF32(b, static_cast<size_t>(p.hidden), static_cast<size_t>(p.matrix_columns(i)), kernel.nr, packed);
}

uint64_t RecurrentScratchBytes(const RecurrentParams& p, const RecurrentPlan& plan, int workers) {
  return TaskBytes(p, VariantOf(GemmF32Kernels(), plan.kernel).mr) * static_cast<uint64_t>(workers);
}

void RunRecurrent(const RecurrentParams& p, const RecurrentPlan& plan, const RecurrentTensors& tensors,
                  void* scratch, const Parallel& parallel) {
  const size_t block = VariantOf(GemmF32Kernels(), plan.kernel).mr;
  const auto batch = static_cast<size_t>(p.batch);
  const size_t tasks = CeilDiv(batch, block);
  const auto run = [&](size_t index, int worker, const Parallel& inside) {
    const size_t first = index * block;
    const size_t rows = batch - first < block ? batch - first : block;
    auto* memory = static_cast<uint8_t*>(scratch) + static_cast<size_t>(worker) * TaskBytes(p, block);
    Task(p, plan, tensors, first, rows, reinterpret_cast<float*>(memory), inside).Run();
  };
  if (tasks == 1) return run(0, 0, parallel);
  const Sequential alone;
  ParallelFor(parallel, tasks, [&](size_t index, int worker) { run(index, worker, alone); });
}

size_t FindBadLength(const RecurrentParams& p, const int32_t* lengths) {
  const auto batch = static_cast<size_t>(p.batch);
  for (size_t i = 0; i < batch; ++i) {
    if (lengths[i] < 0 || lengths[i] > p.steps) return i;
  }
  return batch;
}

void RunRecurrentCall(const RecurrentCall& call, const RecurrentWeights& weights, RecurrentTensors tensors,
                      void* scratch, const Parallel& parallel) {
  auto* memory = static_cast<uint8_t*>(scratch);
  for (int i = 0; i < call.params.matrices() && !call.constant_weights; ++i) {
    auto* const packed = reinterpret_cast<float*>(memory);
    PackRecurrent(call.params, call.plan, weights, i, packed);
    tensors.packed[i] = packed;
    memory += call.packed_bytes[i];
  }
  RunRecurrent(call.params, call.plan, tensors, memory, parallel);
}

}  // namespace micrort
