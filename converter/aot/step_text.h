#pragma once
// The body of a function of `const Memory& m`, which has `arena`, `constants`, `args` and `parallel`: one
// step.

#include <string>
#include <utility>
#include <vector>

#include "converter/aot/aot_program.h"
#include "converter/aot/call_fields.h"

namespace micrort::aot {

inline std::string TypeText(DType dtype) {
  return "static_cast<micrort::DType>(" + std::to_string(static_cast<int>(dtype)) + ")";
}

// An expression for bytes that the program keeps among its constants.
inline std::string ConstantBytes(AotProgram* program, const void* data, size_t bytes) {
  return "m.constants + " + std::to_string(program->constants().Add(data, bytes));
}

class StepText {
 public:
  StepText(AotProgram* program, const AotGraph& graph, const Step& step)
      : program_(*program), graph_(graph), step_(step) {}

  const std::string& body() const { return body_; }
  const std::vector<std::string>& includes() const { return includes_; }
  // Whether the function returns what is wrong with data, or null.
  bool may_fail() const { return fails_; }

 protected:
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

  void Line(const std::string& text) { body_ += "  " + text + "\n"; }
  // A statement that returns what is wrong.
  std::string Failing(const std::string& what);
  // Returns `what` unless the condition holds.
  void FailUnless(const std::string& condition, const std::string& what);
  void Include(const char* header) { includes_.emplace_back(header); }
  // A part of the kernels that the step needs (kernels/base/part.h).
  void Link(const char* header, const std::string& symbol) {
    Include("kernels/base/part.h");
    Include(header);
    Line("MICRORT_LINK(micrort::" + symbol + ");");
  }
  void LinkConversions(const ElementFormat& format);
  std::string Features() const;
  std::string Parallel() const;
  std::string Scratch() const;

  // Declares `name`, with what is bound to this CPU.
  void PrintTask(const UnaryTask& task, const std::string& name);
  void PrintTask(const BinaryTask& task, const std::string& name);
  // `shape`: an expression, where it is not the call's.
  void PrintGather(const GatherCall& call, const std::string& shape = "");

  // Pointers as expressions: to the data of a view, of an operand of the step, to constants.
  std::string Data(int32_t view) { return DataIn(graph_, view, "m"); }
  std::string DataIn(const AotGraph& graph, int32_t view, const std::string& memory);
  std::string In(size_t operand);
  std::string Out(size_t i = 0) { return Data(step_.outputs[i]); }
  template <typename T>
  std::string ConstantArray(const char* type, const T* data, size_t count) {
    if (data == nullptr) return "nullptr";
    return std::string("reinterpret_cast<const ") + type + "*>(" +
           ConstantBytes(&program_, data, count * sizeof(T)) + ")";
  }
  // Assigns those of a tensor to members of `of`.
  void PrintScales(const std::string& of, const Tensor& tensor);
  // What another printer made of the step.
  void Take(const StepText& other);
  bool Has(size_t operand) const { return operand < step_.inputs.size() && step_.inputs[operand] >= 0; }
  const Tensor& InTensor(size_t operand) const { return graph_.tensor(step_.inputs[operand]); }

  AotProgram& program_;
  const AotGraph& graph_;
  const Step& step_;
  bool fails_ = false;
  std::string body_;

 private:
  std::vector<std::string> includes_;
};

}  // namespace micrort::aot
