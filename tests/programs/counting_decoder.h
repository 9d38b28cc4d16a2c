#pragma once
// The smallest decoder that needs its cache, and a tokenizer for it.

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/converter/onnx_builder.h"

namespace micrort::test {

constexpr int kNumbers = 40;

// After 1, 2 ... n comes n + 1: twice the mean of all tokens, which the cache and the mask's length tell.
inline testing::OnnxBuilder Counting(const std::string& tokens_a_run) {
  std::vector<float> twice, numbers, halves;
  for (int i = 0; i < kNumbers; ++i) {
    twice.push_back(2.0f * static_cast<float>(i));
    numbers.push_back(static_cast<float>(i));
    halves.push_back(static_cast<float>(i * i) / 2);
  }
  testing::OnnxBuilder builder;
  builder.Input("input_ids", {"1", tokens_a_run}, ::onnx::TensorProto::INT64)
      .Input("attention_mask", {"1", "total"}, ::onnx::TensorProto::INT64)
      .Input("past_key_values.0.key", {"1", "1", "past", "1"})
      .Floats("twice", {kNumbers, 1}, twice)
      .Floats("numbers", {1, 1, kNumbers}, numbers)
      .Floats("halves", {1, 1, kNumbers}, halves)
      .Integers("axis1", {1}, {1})
      .Integers("axis2", {1}, {2})
      .Node("Gather", {"twice", "input_ids"}, {"rows"})
      .Node("Unsqueeze", {"rows", "axis1"}, {"keys"})
      .Node("Concat", {"past_key_values.0.key", "keys"}, {"present.0.key"})
      .Int("axis", 2)
      .Node("ReduceSum", {"present.0.key", "axis2"}, {"sum"})
      .Int("keepdims", 0)
      .Node("Cast", {"attention_mask"}, {"mask"})
      .Int("to", 1)
      .Node("ReduceSum", {"mask", "axis1"}, {"count"})
      .Node("Mul", {"sum", "numbers"}, {"linear"})
      .Node("Mul", {"count", "halves"}, {"square"})
      .Node("Sub", {"linear", "square"}, {"logits"})
      .Output("logits")
      .Output("present.0.key");
  return builder;
}

// Letters from 1 on, and an end.
inline nlohmann::json Letters() {
  nlohmann::json vocabulary = nlohmann::json::object();
  vocabulary["</s>"] = 0;
  for (int i = 0; i < 26; ++i) vocabulary[std::string(1, static_cast<char>('a' + i))] = i + 1;
  return {{"model", {{"type", "BPE"}, {"vocab", vocabulary}, {"merges", nlohmann::json::array()}}},
          {"decoder", {{"type", "Fuse"}}},
          {"added_tokens", {{{"id", 0}, {"content", "</s>"}, {"special", true}}}}};
}

}  // namespace micrort::test
