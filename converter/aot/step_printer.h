#pragma once
// One step as the body of a function of `const Memory& m`, which has `arena`, `constants`, `args` and
// `parallel`.

#include <string>
#include <vector>

#include "converter/aot/aot_program.h"
#include "converter/aot/call_fields.h"

namespace micrort::aot {

class StepPrinter {
 public:
  StepPrinter(AotProgram* program, const Step& step) : program_(*program), step_(step) {}

  Status Print();

  const std::string& body() const { return body_; }
  const std::vector<std::string>& includes() const { return includes_; }
  // Whether the function returns false where data are wrong, and how.
  bool may_fail() const { return !failure_.empty(); }
  const std::string& failure() const { return failure_; }

 private:
  struct CallPrinter;

  Status PrintConv();
  Status PrintStripes();
  Status PrintConvTensors(const std::string& name, int32_t node, Span<const int32_t> operands);
  Status PrintMatMul(const MatMulCall& call);
  void PrintConcat(const ConcatCall& call);
  void PrintConvert(const ConvertCall& call);

  // `static constexpr TYPE NAME = ...;`, of a value without pointers.
  template <typename T>
  void Constant(const char* type, const std::string& name, const T& value,
                const std::vector<std::pair<std::string, std::string>>& pointers = {}) {
    Line(std::string("static constexpr micrort::") + type + " " + name + " = [] {");
    Line(std::string("  micrort::") + type + " c = {};");
    Assignments fields("c", &body_);
    Fields(fields, value, T{});
    for (const auto& [field, target] : pointers) fields.Pointer(field.c_str(), target);
    Line("  return c;");
    Line("}();");
  }
  void ConvConstant(const std::string& name, const ConvCall& call);

  void Line(const std::string& text) { body_ += "  " + text + "\n"; }
  void Include(const char* header) { includes_.emplace_back(header); }
  std::string Features() const;
  std::string Algorithm(const ConvCall& call);
  std::string Parallel() const;
  std::string Scratch() const;

  // Pointers as expressions: to the data of a view, of an operand of the step, to constants.
  std::string Data(int32_t view);
  std::string In(size_t operand);
  std::string Out() { return Data(step_.outputs[0]); }
  std::string Constants(const void* data, size_t bytes);
  template <typename T>
  std::string ConstantArray(const char* type, const T* data, size_t count) {
    if (data == nullptr) return "nullptr";
    return std::string("reinterpret_cast<const ") + type + "*>(" + Constants(data, count * sizeof(T)) + ")";
  }
  bool Has(size_t operand) const { return operand < step_.inputs.size() && step_.inputs[operand] >= 0; }
  const Tensor& InTensor(size_t operand) const { return program_.tensor(step_.inputs[operand]); }

  AotProgram& program_;
  const Step& step_;
  std::string body_, failure_;
  std::vector<std::string> includes_;
};

}  // namespace micrort::aot
