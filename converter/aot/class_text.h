#pragma once
// What the emitted files say of the class.

#include <map>
#include <string>
#include <vector>

#include "converter/aot/aot_model.h"
#include "converter/aot/emit_cpp.h"
#include "converter/aot/print_steps.h"

namespace micrort::aot {

// An argument or a result.
struct Port {
  std::string name;                    // the tensor's
  std::string identifier;              // of its accessors by name; empty: it has none
  std::string type;                    // of an element, in C++
  std::vector<const Tensor*> tensors;  // one a batch
  const OpenShape* open = nullptr;     // the shape, where data decide it; then the tensor has the largest

  const Tensor& largest() const { return *tensors.back(); }
  // Whether it has the same shape with every batch.
  bool is_fixed() const;
};

struct ClassText {
  std::vector<std::string> namespaces;
  std::string name;       // of the class
  std::string file_stem;  // of all files: "mat_mul_comp"
  std::string symbol;     // of the constants: "foo_bar_MatMulComp_constants"; of no other class
  std::vector<Port> args, results, vars;
  const CppRequest* request = nullptr;
  const AotModel* model = nullptr;
  std::vector<StepsText> steps;  // one a batch

  const AotTarget& target() const { return model->largest().target(); }
  const CppOptions& options() const { return request->options; }
  const std::string& qualified_name() const { return options().class_name; }
  std::string guard() const { return symbol + "_H_"; }
  // Whether element-wise functions run as one somewhere.
  bool has_loops() const;
  // As StepsText has it, of all batches.
  std::map<std::string, std::string> custom() const;
};

// kUnsupported for a type that C++ has no name for, and for a rank or a state that the batch decides.
Status DescribeClass(const CppRequest& request, const AotModel& model, ClassText* text);

std::string HeaderText(const ClassText& text);
// The namespace of what is a program's own.
std::string SpaceOf(const AotProgram& program);
// "ns::inner", and `name` in it.
std::string Joined(const std::vector<std::string>& names, const std::string& name = "");
// Adds results that are constants to those of the model.
std::string SourceText(AotModel* model, const ClassText& text);
std::string ConstantsAssembly(const ClassText& text);
std::string ConstantsArray(const ClassText& text);
std::string TestText(const ClassText& text);
std::string BenchmarkText(const ClassText& text);
std::string CMakeText(const ClassText& text);

// `text` with each @KEY@ replaced.
std::string Fill(std::string text, const std::vector<std::pair<std::string, std::string>>& values);

}  // namespace micrort::aot
