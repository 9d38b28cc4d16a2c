#pragma once
// One TFLite file for each operator that TensorFlow Lite or TensorFlow Lite Micro computes on int16 tensors.

#include <functional>
#include <string>
#include <vector>

#include "tests/converter/tflite_refusals.h"

namespace micrort::testing::tflite_int16 {

using TfliteDims = std::vector<int32_t>;

constexpr float kInputScale = 0.01f;  // the scale of inputs

struct Int16Op {
  std::string name;  // of the operator, with a word behind it where it has several forms
  std::function<OneOp()> model;
};

// Functions of numbers: of one and of two, with TFLite's scales for tables.
std::vector<Int16Op> Int16Functions();
// Layers with weights, pools, reductions and products.
std::vector<Int16Op> Int16Layers();
// Operators that only move, choose or compare numbers of one scale.
std::vector<Int16Op> Int16Moves();
// Between integers of several types.
std::vector<Int16Op> Int16Conversions();

// An operator of one scale: x of this shape, then constants of int32.
OneOp MoveOp(const std::string& op, const TfliteDims& x, const std::vector<TfliteDims>& constants,
             const TfliteDims& y);

// A constant of ones as the next input.
template <typename T>
void AddOnes(OneOp* one, const TfliteDims& shape, fb::TensorType type, const Quantized& q) {
  size_t elements = 1;
  for (const int32_t dim : shape) elements *= static_cast<size_t>(dim);
  const std::string name = "w" + std::to_string(one->op().inputs.size());
  one->op().inputs.push_back(one->builder().Constant<T>(name, shape, type, std::vector<T>(elements, 1), q));
}
}  // namespace micrort::testing::tflite_int16
