#pragma once
// Recurrent layers: Elman networks (Rnn), gated recurrent units (Gru), long short-term memory (Lstm), one
// direction, over steps of a batch of sequences. The product of the layer's inputs with their weights is made
// before, for all steps at once.
//
// The steps depend on each other, the sequences of a batch do not: a task takes some sequences from their
// first step to their last. Threads share a batch of many sequences, and the products of each step of few.

#include <cstddef>
#include <cstdint>

#include "kernels/base/cpu_features.h"
#include "kernels/base/dtype.h"
#include "kernels/base/kernel_ids.h"
#include "kernels/base/parallel.h"
#include "kernels/elementwise/unary_kind.h"

namespace micrort {

// The values of `RecurrentKind` in schema/micrort.fbs.
enum class RecurrentKind : uint8_t { kRnn = 0, kGru = 1, kLstm = 2 };

constexpr int kMaxRecurrentActivations = 3;

// y = scale * op(input_scale * x) + offset
struct RecurrentActivation {
  UnaryOp op;
  float input_scale = 1;
  float scale = 1;
  float offset = 0;
};

// How the state is rounded before it is multiplied: each sequence as the input of a dynamic layer with one
// scale per row (kernels/layer_s8/input_s8.h), asymmetric or with a zero point of 0.
enum class StateRounding : uint8_t { kNone, kAsymmetric, kSymmetric };

struct RecurrentParams {
  RecurrentKind kind;
  StateRounding rounding;
  bool reverse;
  bool linear_before_reset;                                   // of Gru
  bool input_forget;                                          // of Lstm
  float clip;                                                 // of the inputs of activations; infinite: none
  RecurrentActivation activations[kMaxRecurrentActivations];  // f, g, h
  int64_t steps, batch, hidden;

  int64_t gates() const { return kind == RecurrentKind::kRnn ? 1 : kind == RecurrentKind::kGru ? 3 : 4; }
  int64_t width() const { return gates() * hidden; }
  // Gru multiplies h with two matrices, that of the gates z and r and that of the new h.
  int matrices() const { return kind == RecurrentKind::kGru ? 2 : 1; }
  int64_t matrix_columns(int i) const {
    return kind != RecurrentKind::kGru ? width() : i == 0 ? 2 * hidden : hidden;
  }
  int activation_count() const {
    return kind == RecurrentKind::kRnn ? 1 : kind == RecurrentKind::kGru ? 2 : 3;
  }
};

// The recurrent weights of all gates, [width][hidden].
struct RecurrentWeights {
  const void* data;
  DType type;           // float32, float16 or int8
  const float* scales;  // of int8: that of row j at j * scale_stride
  int64_t scale_stride;
};

struct RecurrentTensors {
  const float* x;          // [steps][batch][width]
  const float* packed[2];  // by PackRecurrent, one a matrix
  const float* bias;       // [hidden] of the new h of Gru with linear_before_reset, or null
  const int32_t* lengths;  // [batch], each in [0, steps]; null: all have all steps. 0 leaves zeros
  const float* initial_h;  // [batch][hidden]; null: zero
  const float* initial_c;  // the same of Lstm
  const float* peepholes;  // [3][hidden] of the gates i, o, f, or null
  float* y;                // [steps][batch][hidden], or null
  float* h;                // [batch][hidden]; may be initial_h
  float* c;                // the same of Lstm
};

// What a layer decides before it runs.
struct RecurrentPlan {
  KernelId kernel = KernelId::none;  // of the products, of GEMM
  KernelId unary = KernelId::none;   // of the activations
};
RecurrentPlan PlanRecurrent(const RecurrentParams& p, CpuFeatures features);
// What profiles call it; in static storage.
const char* RecurrentAlgorithm(const RecurrentPlan& plan);

// The packed bytes of matrix i.
uint64_t RecurrentPackedBytes(const RecurrentParams& p, const RecurrentPlan& plan, int i);
void PackRecurrent(const RecurrentParams& p, const RecurrentPlan& plan, const RecurrentWeights& weights,
                   int i, float* packed);

uint64_t RecurrentScratchBytes(const RecurrentParams& p, const RecurrentPlan& plan, int workers);

void RunRecurrent(const RecurrentParams& p, const RecurrentPlan& plan, const RecurrentTensors& tensors,
                  void* scratch, const Parallel& parallel);

// The position of the first length outside [0, steps], or p.batch.
size_t FindBadLength(const RecurrentParams& p, const int32_t* lengths);

// A layer with everything decided. Plain data.
struct RecurrentCall {
  RecurrentParams params;
  RecurrentPlan plan;
  bool last_only;         // there is no y
  bool constant_weights;  // packed ahead
  size_t packed_bytes[2];
};

// `weights` are packed to the start of scratch unless they are constant; then they are not read.
void RunRecurrentCall(const RecurrentCall& call, const RecurrentWeights& weights, RecurrentTensors tensors,
                      void* scratch, const Parallel& parallel);

}  // namespace micrort
