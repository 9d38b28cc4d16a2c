#include "converter/aot/print_steps.h"

#include "converter/aot/call_fields.h"
#include "converter/aot/step_printer.h"

namespace micrort::aot {
namespace {

std::string Title(const AotGraph& graph, const Step& step) {
  std::string title;
  for (int32_t n = step.node; n < step.node_end; ++n) {
    const Node& node = graph.node(n);
    title +=
        (n == step.node ? "" : ", ") + PlainText(Text(node.source->name())) + " (" + node.registration->name;
    if (*node.prepared.algorithm != '\0') title += std::string(", ") + node.prepared.algorithm;
    title += ")";
  }
  return title;
}

}  // namespace

Status StepsPrinter::Print(StepsText* text) {
  bool may_fail = false;
  MICRORT_RETURN_IF_ERROR(PrintGraph(program_.entry(), "m", "error", &text->calls, &may_fail));
  text->functions = std::move(functions_);
  text->loops = std::move(loops_);
  text->loop_declarations = std::move(loop_declarations_);
  text->includes = std::move(includes_);
  text->custom = std::move(custom_);
  return Status();
}

Status StepsPrinter::AddCustom(const std::string& symbol, const std::string& op) {
  const std::string& first = custom_.emplace(symbol, op).first->second;
  if (first == op) return Status();
  return MICRORT_ERROR(kUnsupported, "%.100s and %.100s would both be the function %.100s: rename one",
                       first.c_str(), op.c_str(), symbol.c_str());
}

Status StepsPrinter::PrintBody(const AotGraph& body, std::string* calls, bool* may_fail) {
  return PrintGraph(body, "body", "error", calls, may_fail);
}

Status StepsPrinter::PrintGraph(const AotGraph& graph, const std::string& memory, const std::string& result,
                                std::string* calls, bool* may_fail) {
  for (const Step& step : graph.program().steps) {
    if (step.removed) continue;
    const std::string loop = "Loop" + std::to_string(loop_count_);
    StepPrinter printer(&program_, graph, step, loop, this);
    if (Status s = printer.Print(); !s.ok()) return graph.node(step.node).Explain(s);
    includes_.insert(printer.includes().begin(), printer.includes().end());
    if (!printer.loop().empty()) {
      ++loop_count_;
      loops_ += "// " + Title(graph, step) + "\n" + printer.loop();
      loop_declarations_ += "void " + loop + "(const void*, const micrort::FusedPiece& piece);\n";
    }
    const std::string call = "Step" + std::to_string(count_++),
                      fails = printer.may_fail() ? "  return nullptr;\n" : "";
    // Not inlined, or the tensors of all would be on the stack at once.
    functions_ += "// " + Title(graph, step) + "\n[[gnu::noinline]] " +
                  (printer.may_fail() ? "const char* " : "void ") + call + "(const Memory& m) {\n" +
                  printer.body() + fails + "}\n\n";
    *calls += printer.may_fail()
                  ? "  if (const char* const error = " + call + "(" + memory + ")) return " + result + ";\n"
                  : "  " + call + "(" + memory + ");\n";
    *may_fail = *may_fail || printer.may_fail();
  }
  return Status();
}

Status PrintSteps(AotProgram* program, StepsText* text) { return StepsPrinter(program).Print(text); }

std::string PlainText(const std::string& text) {
  std::string plain;
  for (const char c : text.substr(0, 200)) plain += c >= ' ' && c <= '~' && c != '"' && c != '\\' ? c : '_';
  return plain;
}

}  // namespace micrort::aot
