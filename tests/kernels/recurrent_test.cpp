#include "kernels/recurrent/recurrent.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "kernels/gemm/gemm_f32.h"
#include "kernels/reference/recurrent.h"
#include "tests/kernels/guarded_buffer.h"
#include "tests/kernels/reversed_parallel.h"
#include "tests/support/random.h"

namespace micrort {
namespace {

using testing::GuardedBuffer;
using testing::Random;
using testing::ReversedParallel;

RecurrentParams Params(RecurrentKind kind, int64_t steps, int64_t batch, int64_t hidden) {
  RecurrentParams p = {};
  p.kind = kind;
  p.clip = std::numeric_limits<float>::infinity();
  p.activations[0].op.kind = kind == RecurrentKind::kRnn ? UnaryKind::kTanh : UnaryKind::kSigmoid;
  p.activations[1].op.kind = p.activations[2].op.kind = UnaryKind::kTanh;
  p.steps = steps;
  p.batch = batch;
  p.hidden = hidden;
  return p;
}

std::vector<float> Numbers(Random& random, int64_t n) {
  std::vector<float> v(static_cast<size_t>(n));
  random.Fill(v, -1, 1);
  return v;
}

// A layer with every input that its kind has, and what it gives.
struct Layer {
  Layer(const RecurrentParams& params, Random& random) : p(params) {
    x = Numbers(random, p.steps * p.batch * p.width());
    r = Numbers(random, p.width() * p.hidden);
    bias = Numbers(random, p.hidden);
    initial_h = Numbers(random, p.batch * p.hidden);
    initial_c = Numbers(random, p.batch * p.hidden);
    peepholes = Numbers(random, 3 * p.hidden);
    for (int64_t i = 0; i < p.batch; ++i)
      lengths.push_back(static_cast<int32_t>((i * 3 + p.steps) % (p.steps + 1)));
  }

  RecurrentTensors Tensors(float* y, float* h, float* c) const {
    const bool lstm = p.kind == RecurrentKind::kLstm;
    RecurrentTensors t = {};
    t.x = x.data();
    t.bias = p.linear_before_reset ? bias.data() : nullptr;
    t.lengths = lengths.data();
    t.initial_h = initial_h.data();
    t.initial_c = lstm ? initial_c.data() : nullptr;
    t.peepholes = lstm ? peepholes.data() : nullptr;
    t.y = y;
    t.h = h;
    t.c = lstm ? c : nullptr;
    return t;
  }

  const RecurrentParams p;
  std::vector<float> x, r, bias, initial_h, initial_c, peepholes;
  std::vector<int32_t> lengths;
};

void ExpectNear(const GuardedBuffer<float>& actual, const std::vector<float>& expected, const char* what) {
  EXPECT_TRUE(actual.GuardsIntact()) << what;
  for (size_t i = 0; i < expected.size(); ++i) {
    ASSERT_NEAR(actual.data()[i], expected[i], 2e-5f) << what << " at " << i;
  }
}

void ExpectReferenceValues(const Layer& layer, CpuFeatures features, const Parallel& parallel) {
  const RecurrentParams& p = layer.p;
  const auto states = static_cast<size_t>(p.batch * p.hidden), all = states * static_cast<size_t>(p.steps);
  std::vector<float> y(all), h(states), c(states);
  reference::Recurrent(p, layer.r.data(), layer.Tensors(y.data(), h.data(), c.data()));

  GuardedBuffer<float> actual_y(all, 0, 1), actual_h(states, 0, 2), actual_c(states, 0, 3);
  RecurrentTensors t = layer.Tensors(actual_y.data(), actual_h.data(), actual_c.data());
  const RecurrentPlan plan = PlanRecurrent(p, features);
  std::vector<float> packed[2];
  for (int i = 0; i < p.matrices(); ++i) {
    packed[i].resize(RecurrentPackedBytes(p, plan, i) / sizeof(float));
    PackRecurrent(p, plan, {layer.r.data(), DType::kFloat32, nullptr, 0}, i, packed[i].data());
    t.packed[i] = packed[i].data();
  }
  const uint64_t scratch_bytes = RecurrentScratchBytes(p, plan, parallel.workers());
  GuardedBuffer<float> scratch(scratch_bytes / sizeof(float), 0, 4);
  RunRecurrent(p, plan, t, scratch.data(), parallel);
  EXPECT_TRUE(scratch.GuardsIntact());
  ExpectNear(actual_y, y, "y");
  ExpectNear(actual_h, h, "h");
  if (p.kind == RecurrentKind::kLstm) ExpectNear(actual_c, c, "c");
}

TEST(Recurrent, EveryKernelMatchesTheReference) {
  struct Size {
    int64_t steps, batch, hidden;
  };
  const Size sizes[] = {{1, 1, 1}, {4, 1, 7}, {3, 5, 16}, {5, 13, 33}, {0, 2, 4}, {2, 0, 3}};
  for (const GemmF32Kernel& kernel : GemmF32Kernels()) {
    if ((kernel.features & DetectCpuFeatures()) != kernel.features) continue;
    for (const Size& size : sizes) {
      for (const RecurrentKind kind : {RecurrentKind::kRnn, RecurrentKind::kGru, RecurrentKind::kLstm}) {
        for (int variant = 0; variant < 4; ++variant) {
          RecurrentParams p = Params(kind, size.steps, size.batch, size.hidden);
          p.reverse = (variant & 1) != 0;
          p.linear_before_reset = p.input_forget = (variant & 2) != 0;
          SCOPED_TRACE(::testing::Message()
                       << kernel.name << " " << size.steps << "x" << size.batch << "x" << size.hidden
                       << " kind " << static_cast<int>(kind) << " variant " << variant);
          Random random(static_cast<uint32_t>(variant + 1));
          ExpectReferenceValues(Layer(p, random), kernel.features, ReversedParallel(2));
        }
      }
    }
  }
}

// Weights small enough that sums stay as exact as those of small states.
TEST(Recurrent, ThreadsShareTheProductsOfFewSequences) {
  for (const RecurrentKind kind : {RecurrentKind::kRnn, RecurrentKind::kGru, RecurrentKind::kLstm}) {
    for (const bool linear_before_reset : {false, true}) {
      for (const int workers : {2, 5}) {
        SCOPED_TRACE(::testing::Message()
                     << "kind " << static_cast<int>(kind) << ", " << workers << " workers");
        RecurrentParams p = Params(kind, 2, 2, 601);
        p.linear_before_reset = linear_before_reset;
        Random random(9);
        Layer layer(p, random);
        for (float& weight : layer.r) weight *= 0.05f;
        ExpectReferenceValues(layer, DetectCpuFeatures(), ReversedParallel(workers));
      }
    }
  }
}

TEST(Recurrent, RoundedStates) {
  for (const RecurrentKind kind : {RecurrentKind::kRnn, RecurrentKind::kGru, RecurrentKind::kLstm}) {
    for (const StateRounding rounding : {StateRounding::kAsymmetric, StateRounding::kSymmetric}) {
      SCOPED_TRACE(::testing::Message()
                   << "kind " << static_cast<int>(kind) << " rounding " << static_cast<int>(rounding));
      Random random(7);
      RecurrentParams p = Params(kind, 3, 13, 21);
      p.rounding = rounding;
      ExpectReferenceValues(Layer(p, random), DetectCpuFeatures(), ReversedParallel(2));
    }
  }
}

TEST(Recurrent, ClipAndScaledActivations) {
  Random random(5);
  RecurrentParams p = Params(RecurrentKind::kLstm, 3, 2, 9);
  p.clip = 0.3f;
  p.activations[0] = {{UnaryKind::kHardSigmoid, 0.3f, 0.4f}};
  p.activations[1] = {{UnaryKind::kTanh}, 0.7f, 1.3f};
  p.activations[2] = {{UnaryKind::kIdentity}, 1, 0.5f, 0.1f};
  ExpectReferenceValues(Layer(p, random), DetectCpuFeatures(), Sequential());
}

}  // namespace
}  // namespace micrort
