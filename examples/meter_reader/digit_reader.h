#pragma once
// The network of this example, ready to read digits.

#include <micrort/micrort.h>

#include <cstdint>
#include <string>

namespace examples {

class DigitReader {
 public:
  // Size of a crop that holds one digit.
  static constexpr int kWidth = 24, kHeight = 32;

  // kInvalidArgument if the file holds a network with other inputs or outputs.
  static micrort::Result<DigitReader> Load(const std::string& model_path);

  // The digit, 0 to 9, in a crop of kHeight rows of kWidth grey pixels.
  micrort::Result<int> Read(const uint8_t* crop);

  size_t file_bytes() const { return model_.file_bytes(); }
  size_t arena_bytes() const { return interpreter_.arena_bytes(); }

 private:
  DigitReader(micrort::Model model, micrort::Interpreter interpreter)
      : model_(std::move(model)), interpreter_(std::move(interpreter)) {}

  // In this order, because the model must outlive its interpreter.
  micrort::Model model_;
  micrort::Interpreter interpreter_;
};

}  // namespace examples
