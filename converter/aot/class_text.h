#pragma once
// What the emitted files say of the class.

#include <string>
#include <vector>

#include "converter/aot/emit_cpp.h"
#include "converter/aot/print_steps.h"

namespace micrort::aot {

// An argument or a result.
struct Port {
  std::string name;        // the tensor's
  std::string identifier;  // of its accessors by name; empty: it has none
  std::string type;        // of an element, in C++
  const Tensor* tensor = nullptr;
};

struct ClassText {
  std::vector<std::string> namespaces;
  std::string name;       // of the class
  std::string file_stem;  // of all files: "mat_mul_comp"
  std::string symbol;     // of the constants: "foo_bar_MatMulComp_constants"
  std::vector<Port> args, results, vars;
  const CppRequest* request = nullptr;
  const AotProgram* program = nullptr;
  StepsText steps;

  const CppOptions& options() const { return request->options; }
  const std::string& qualified_name() const { return options().class_name; }
  std::string guard() const { return symbol + "_H_"; }
};

// kUnsupported for a type that C++ has no name for.
Status DescribeClass(const CppRequest& request, const AotProgram& program, ClassText* text);

std::string HeaderText(const ClassText& text);
// Adds results that are constants to those of the program.
std::string SourceText(AotProgram* program, const ClassText& text);
std::string ConstantsAssembly(const ClassText& text);
std::string ConstantsArray(const ClassText& text);
std::string TestText(const ClassText& text);
std::string BenchmarkText(const ClassText& text);
std::string CMakeText(const ClassText& text);

// `text` with each @KEY@ replaced.
std::string Fill(std::string text, const std::vector<std::pair<std::string, std::string>>& values);

}  // namespace micrort::aot
