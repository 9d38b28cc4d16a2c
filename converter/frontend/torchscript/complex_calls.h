#pragma once
// Calls of operators with complex arguments. What is linear is done to real and imaginary parts by itself;
// the rest is composed of operators on parts.

#include <string>
#include <vector>

#include "converter/frontend/torchscript/operator_calls.h"

namespace micrort::frontend::torchscript {

class ComplexCalls {
 public:
  ComplexCalls(ImportState& state, OperatorCalls& calls) : state_(state), calls_(calls) {}

  // Whether arguments or the result are complex.
  static bool Concerns(const std::vector<Value>& arguments, const Keywords& keywords);
  // op: "mul", "add_"
  Result<Value> Call(const std::string& op, const std::vector<Value>& arguments, const Keywords& keywords);

 private:
  Result<Value> CallOutOfPlace(const std::string& op, const std::vector<Value>& arguments,
                               const Keywords& keywords);
  Result<Value> OnParts(const std::string& op, unsigned values, const std::vector<Value>& arguments,
                        const Keywords& keywords);
  Result<Value> OnProducts(const std::string& op, size_t list, const std::vector<Value>& arguments);
  Result<DType> ReadPartType(const Value& complex);
  Result<Value> ToComplex(const Value& value, DType own, DType wanted);
  Result<Value> Convert(const std::vector<Value>& arguments, const Keywords& keywords);
  Result<Value> Fill(const std::string& op, std::vector<Value> arguments, Keywords keywords);
  Result<Value> Part(const Value& value, bool imaginary);
  Result<std::vector<Value>> Parts(unsigned values, bool imaginary, const std::vector<Value>& arguments);
  Result<Value> Join(const Value& real, const Value& imaginary, const Value* self);
  Result<Value> CallReal(const std::string& op, std::vector<Value> arguments, Keywords keywords);

  ImportState& state_;
  OperatorCalls& calls_;
};

}  // namespace micrort::frontend::torchscript
