#pragma once
// A network in flash and the memory that it runs in. The packs for Arduino and Zephyr copy this file beside
// their examples.
//
// Make model.h and model_ops.h on a PC, for the core of the board:
//   mnnconvert model.tflite -o model.h --emit array --target cortex-m4 --packed-only
//   mnnconvert model.tflite -o model.fb --target cortex-m4 --packed-only
//   mnnconvert --emit resolver model.fb -o model_ops.h
// The first command prints the bytes of RAM that the network needs, in the line "memory": kMemoryBytes.

#include <math.h>
#include <micrort/memory_block.h>
#include <micrort/micrort.h>

#if !__has_include("model.h") || !__has_include("model_ops.h")
#error "model.h and model_ops.h are missing: the comment in network.h has the commands that make them"
#endif
#include "model.h"
#include "model_ops.h"

constexpr size_t kMemoryBytes = 64 * 1024;

alignas(64) static uint8_t network_memory[kMemoryBytes];

// Calls use(interpreter). Returns its status, or the reason why there is no interpreter.
template <typename Use>
micrort::Status WithNetwork(Use use) {
  micrort::MemoryBlock block(network_memory, sizeof network_memory);
  auto loaded = micrort::ModelIn(block, model, sizeof model);
  if (!loaded.ok()) return loaded.status();
  const auto resolver = ModelOps();
  micrort::InterpreterOptions options;
  options.resolver = &resolver;
  auto interpreter = micrort::Interpreter::Create(*loaded, options);
  if (!interpreter.ok()) return interpreter.status();
  return use(*interpreter);
}

// The int8 that stands for a number, as real = scale * (q - zero_point).
inline int8_t Quantized(float real, const micrort::QuantizationView& quantization) {
  const float q = roundf(real / quantization.scale()) + static_cast<float>(quantization.zero_point());
  return static_cast<int8_t>(q < -128.0f ? -128.0f : q > 127.0f ? 127.0f : q);
}

// Writes number(i) into element i of an input of floats or int8.
template <typename Number>
void Fill(const micrort::TensorView& input, Number number) {
  for (size_t i = 0; i < input.elements(); ++i) {
    if (int8_t* const bytes = input.as<int8_t>()) {
      bytes[i] = Quantized(number(i), input.quantization);
    } else {
      input.as<float>()[i] = number(i);
    }
  }
}

// The position of the largest element of an output of floats or int8.
inline size_t LargestOf(const micrort::TensorView& output) {
  const auto value = [&](size_t i) {
    const int8_t* const bytes = output.as<int8_t>();
    return bytes != nullptr ? static_cast<float>(bytes[i]) : output.as<float>()[i];
  };
  size_t largest = 0;
  for (size_t i = 1; i < output.elements(); ++i) {
    if (value(i) > value(largest)) largest = i;
  }
  return largest;
}
