#pragma once
// The arguments of one call as numbers, text, types and axes, too.

#include <string>
#include <vector>

#include "converter/frontend/torchscript/tensor_arguments.h"

namespace micrort::frontend::torchscript {

class CallArguments : public TensorArguments {
 public:
  using TensorArguments::TensorArguments;

  int64_t Int(size_t i, int64_t otherwise);
  double Float(size_t i, double otherwise);
  bool Bool(size_t i, bool otherwise);
  std::string String(size_t i, const char* otherwise);
  // A list of integers; one integer is a list, too.
  std::vector<int64_t> Ints(size_t i, std::vector<int64_t> otherwise = {});
  // One for each of `count` dimensions.
  std::vector<int64_t> IntsFor(size_t i, size_t count, int64_t otherwise);
  std::vector<double> Floats(size_t i);
  // The type that an argument names by its number.
  DType Type(size_t i, DType otherwise);
  // As an index from 0.
  int Axis(size_t i, int rank, int64_t otherwise);
  int AxisOf(int64_t axis, int rank);
  std::vector<int32_t> Axes(size_t i, int rank);
  // Whether no run decides any of these integers.
  static bool IsKnown(const Value& list);
};

}  // namespace micrort::frontend::torchscript
