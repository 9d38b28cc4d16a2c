// LSTM and RNN of Caffe, whose sequences begin anew where the second bottom is 0, against plain loops.

#include <gtest/gtest.h>

#include <cmath>

#include "tests/converter/caffe_net.h"

namespace micrort {
namespace {

using testing::BlobText;
using testing::CaffeValues;
using testing::ExpectAllNear;
using testing::Floats;
using testing::ImportNet;
using testing::InputText;
using testing::LayerText;
using testing::RunNet;

constexpr int kSteps = 4, kBatch = 2, kInputs = 3, kHidden = 2;
const Floats kContinues = {0, 0, 1, 1, 1, 0, 1, 1};

float Sigmoid(float v) { return 1 / (1 + std::exp(-v)); }

// row r of w [rows,columns] times x.
float Dot(const Floats& w, int r, const float* x, int columns) {
  float sum = 0;
  for (int i = 0; i < columns; ++i) sum += w[static_cast<size_t>(r * columns + i)] * x[i];
  return sum;
}

std::string SequenceInputs() {
  return InputText("x", {kSteps, kBatch, kInputs}) + InputText("cont", {kSteps, kBatch});
}

TEST(CaffeRecurrent, LSTM) {
  const Floats x = CaffeValues(kSteps * kBatch * kInputs), w = CaffeValues(4 * kHidden * kInputs, 2),
               b = CaffeValues(4 * kHidden, 3), r = CaffeValues(4 * kHidden * kHidden, 4);
  Floats expected;
  float h[kBatch][kHidden] = {}, cell[kBatch][kHidden] = {};
  for (int t = 0; t < kSteps; ++t) {
    for (int n = 0; n < kBatch; ++n) {
      float before[kHidden], sums[4 * kHidden];
      const float go_on = kContinues[static_cast<size_t>(t * kBatch + n)];
      for (int i = 0; i < kHidden; ++i) before[i] = go_on * h[n][i];
      for (int g = 0; g < 4 * kHidden; ++g) {
        sums[g] = b[static_cast<size_t>(g)] +
                  Dot(w, g, &x[static_cast<size_t>((t * kBatch + n) * kInputs)], kInputs) +
                  Dot(r, g, before, kHidden);
      }
      for (int i = 0; i < kHidden; ++i) {
        const float in = Sigmoid(sums[i]), forget = go_on * Sigmoid(sums[kHidden + i]),
                    out = Sigmoid(sums[2 * kHidden + i]), fresh = std::tanh(sums[3 * kHidden + i]);
        cell[n][i] = forget * cell[n][i] + in * fresh;
        h[n][i] = out * std::tanh(cell[n][i]);
        expected.push_back(h[n][i]);
      }
    }
  }
  const std::string text =
      SequenceInputs() + LayerText("LSTM", {"x", "cont"},
                                   "recurrent_param { num_output: 2 }" + BlobText({4 * kHidden, kInputs}, w) +
                                       BlobText({4 * kHidden}, b) + BlobText({4 * kHidden, kHidden}, r));
  ExpectAllNear(expected, RunNet(text, {{"x", x}, {"cont", kContinues}})["y"]);
}

TEST(CaffeRecurrent, RNN) {
  const Floats x = CaffeValues(kSteps * kBatch * kInputs), w = CaffeValues(kHidden * kInputs, 2),
               b = CaffeValues(kHidden, 3), r = CaffeValues(kHidden * kHidden, 4),
               o = CaffeValues(kHidden * kHidden, 5), ob = CaffeValues(kHidden, 6),
               start = CaffeValues(kBatch * kHidden, 7);
  Floats expected;
  Floats h = start;
  for (int t = 0; t < kSteps; ++t) {
    for (int n = 0; n < kBatch; ++n) {
      float before[kHidden], now[kHidden];
      for (int i = 0; i < kHidden; ++i) {
        before[i] = kContinues[static_cast<size_t>(t * kBatch + n)] * h[static_cast<size_t>(n * kHidden + i)];
      }
      for (int i = 0; i < kHidden; ++i) {
        now[i] = std::tanh(b[static_cast<size_t>(i)] + Dot(r, i, before, kHidden) +
                           Dot(w, i, &x[static_cast<size_t>((t * kBatch + n) * kInputs)], kInputs));
        h[static_cast<size_t>(n * kHidden + i)] = now[i];
      }
      for (int i = 0; i < kHidden; ++i) {
        expected.push_back(std::tanh(ob[static_cast<size_t>(i)] + Dot(o, i, now, kHidden)));
      }
    }
  }
  const std::string text = SequenceInputs() + InputText("h", {1, kBatch, kHidden}) +
                           LayerText("RNN", {"x", "cont", "h"},
                                     "top: \"last\" recurrent_param { num_output: 2 expose_hidden: true }" +
                                         BlobText({kHidden, kInputs}, w) + BlobText({kHidden}, b) +
                                         BlobText({kHidden, kHidden}, r) + BlobText({kHidden, kHidden}, o) +
                                         BlobText({kHidden}, ob));
  auto outputs = RunNet(text, {{"x", x}, {"cont", kContinues}, {"h", start}});
  ExpectAllNear(expected, outputs["y"]);
  ExpectAllNear(h, outputs["last"]);
}

TEST(CaffeRecurrent, WhatIsRefused) {
  const auto code = [](const std::string& inputs, const std::vector<std::string>& bottoms) {
    return ImportNet(inputs + LayerText("LSTM", bottoms, "recurrent_param { num_output: 2 }")).status.code();
  };
  EXPECT_EQ(code(SequenceInputs() + InputText("s", {kBatch, 3}), {"x", "cont", "s"}),
            StatusCode::kUnsupported);
  EXPECT_EQ(code(SequenceInputs(), {"x", "cont"}), StatusCode::kInvalidArgument);  // without weights
  EXPECT_EQ(code(SequenceInputs(), {"x", "x"}), StatusCode::kInvalidModel);
  EXPECT_EQ(code(InputText("x", {2000, 1, 1}) + InputText("cont", {2000, 1}), {"x", "cont"}),
            StatusCode::kUnsupported);
}

}  // namespace
}  // namespace micrort
