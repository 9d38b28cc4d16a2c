#include "converter/aot/print_steps.h"

#include <set>

#include "converter/aot/call_fields.h"
#include "converter/aot/step_printer.h"

namespace micrort::aot {
namespace {

class StepsPrinter {
 public:
  explicit StepsPrinter(AotProgram* program) : program_(*program) {}

  Status Run(StepsText* text) {
    for (const Step& step : program_.program().steps) {
      if (!step.removed) MICRORT_RETURN_IF_ERROR(Add(step, text));
    }
    for (const std::string& include : includes_) text->includes += "#include \"" + include + "\"\n";
    return Status();
  }

 private:
  Status Add(const Step& step, StepsText* text) {
    StepPrinter printer(&program_, step);
    if (Status s = printer.Print(); !s.ok()) return program_.node(step.node).Explain(s);
    includes_.insert(printer.includes().begin(), printer.includes().end());
    const std::string name = "Step" + std::to_string(count_++);
    const char* result = printer.may_fail() ? "bool" : "void";
    text->functions +=
        "// " + Title(step) + "\n" + result + " " + name + "(const Memory& m) {\n" + printer.body() + "}\n\n";
    if (!printer.may_fail()) {
      text->calls += "  " + name + "(m);\n";
      return Status();
    }
    text->calls += "  if (!" + name + "(m)) return Fail(\"" + PlainText(step.name) + " (" + step.type +
                   "): " + printer.failure() + "\");\n";
    return Status();
  }

  std::string Title(const Step& step) const {
    std::string title;
    for (int32_t n = step.node; n < step.node_end; ++n) {
      const Node& node = program_.node(n);
      title += (n == step.node ? "" : ", ") + PlainText(Text(node.source->name())) + " (" +
               node.registration->name;
      if (*node.prepared.algorithm != '\0') title += std::string(", ") + node.prepared.algorithm;
      title += ")";
    }
    return title;
  }

  AotProgram& program_;
  std::set<std::string> includes_;
  int count_ = 0;
};

}  // namespace

Status PrintSteps(AotProgram* program, StepsText* text) { return StepsPrinter(program).Run(text); }

std::string PlainText(const std::string& text) {
  std::string plain;
  for (const char c : text.substr(0, 200)) plain += c >= ' ' && c <= '~' && c != '"' && c != '\\' ? c : '_';
  return plain;
}

}  // namespace micrort::aot
