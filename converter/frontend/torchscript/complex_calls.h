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
  Status Call(const std::string& op, const std::vector<Value>& arguments, const Keywords& keywords,
              Value* out);

 private:
  Status CallOutOfPlace(const std::string& op, const std::vector<Value>& arguments, const Keywords& keywords,
                        Value* out);
  Status OnParts(const std::string& op, unsigned values, const std::vector<Value>& arguments,
                 const Keywords& keywords, Value* out);
  Status OnProducts(const std::string& op, size_t list, const std::vector<Value>& arguments, Value* out);
  Status ReadPartType(const Value& complex, DType* type);
  Status ToComplex(const Value& value, DType own, DType wanted, Value* out);
  Status Convert(const std::vector<Value>& arguments, const Keywords& keywords, Value* out);
  Status Fill(const std::string& op, std::vector<Value> arguments, Keywords keywords, Value* out);
  Status Part(const Value& value, bool imaginary, Value* out);
  Status Parts(unsigned values, bool imaginary, const std::vector<Value>& arguments, std::vector<Value>* out);
  Status Join(const Value& real, const Value& imaginary, const Value* self, Value* out);
  Status CallReal(const std::string& op, std::vector<Value> arguments, Keywords keywords, Value* out);

  ImportState& state_;
  OperatorCalls& calls_;
};

}  // namespace micrort::frontend::torchscript
