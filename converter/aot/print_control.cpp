// Graphs that operators run: If and Loop.

#include "converter/aot/print_steps.h"
#include "converter/aot/step_printer.h"

namespace micrort::aot {
namespace {

// Positions of Loop's inputs, its operator's and its body's alike.
constexpr size_t kTripCount = 0, kLoopCondition = 1, kFirstCarried = 2;

std::string Writable(const std::string& pointer) { return "const_cast<uint8_t*>(" + pointer + ")"; }

std::string Lent(size_t i) { return "lent[" + std::to_string(i) + "]"; }

std::string Move(const std::string& to, const std::string& from, size_t bytes) {
  return "std::memmove(" + to + ", " + from + ", " + std::to_string(bytes) + ");";
}

}  // namespace

// Calls the steps of the body with `lent` as its arguments; what it does not write to the place that was lent
// is moved there.
Status StepPrinter::PrintBody(const AotGraph& body) {
  std::string calls;
  bool may_fail = false;
  MICRORT_RETURN_IF_ERROR(steps_.PrintBody(body, &calls, &may_fail));
  fails_ = fails_ || may_fail;
  Line("const Memory body = {m.arena, m.constants, lent, m.parallel, m.sizes};");
  Line("(void)body;");
  body_ += calls;
  const Span<const int32_t> outputs = body.graph().outputs();
  for (size_t i = 0; i < outputs.size(); ++i) {
    const size_t place = body.graph().inputs().size() + i;
    if (body.ArgIndex(outputs[i]) == static_cast<int>(place)) continue;
    Line(Move(Lent(place), DataIn(body, outputs[i], "body"), body.tensor(outputs[i]).bytes()));
  }
  return Status();
}

// One that cannot run is an error only if it is taken.
Status StepPrinter::PrintBranch(size_t branch) {
  const Body& body = *graph_.node(step_.node).Bodies()[branch];
  if (body.failure() != nullptr) {
    Line(Failing(std::string(branch == 0 ? "then" : "else") + " branch: " + body.failure()->message()));
    return Status();
  }
  std::string lent;
  for (size_t i = 1; i < step_.inputs.size(); ++i) lent += (lent.empty() ? "" : ", ") + Writable(In(i));
  for (const int32_t output : step_.outputs) lent += (lent.empty() ? "" : ", ") + Writable(Data(output));
  Line("void* const lent[] = {" + lent + "};");
  return PrintBody(BodyOf(graph_, step_, branch));
}

Status StepPrinter::PrintIf() {
  const Tensor& condition = InTensor(0);
  if (condition.is_readable()) return PrintBranch(IsTrue(condition) ? 0 : 1);
  Line("if (*(" + In(0) + ") != 0) {");
  MICRORT_RETURN_IF_ERROR(PrintBranch(0));
  Line("} else {");
  MICRORT_RETURN_IF_ERROR(PrintBranch(1));
  Line("}");
  return Status();
}

// Carried values are written in turn to the outputs and to spare blocks, as runtime/ops/loop.cpp does.
Status StepPrinter::PrintLoop(const LoopCall& call) {
  if (!Has(kTripCount) && !call.has_condition)
    return MICRORT_ERROR(kUnsupported, "the loop has no trip count and its condition never changes");
  const auto carried = static_cast<size_t>(call.carried);
  const size_t first_output = step_.inputs.size() + (call.has_condition ? 1 : 0);
  Line("const int64_t given = " +
       (Has(kTripCount) ? "*reinterpret_cast<const int64_t*>(" + In(kTripCount) + ")"
                        : std::string("INT64_MAX")) +
       ";");
  Line("const int64_t trips = given < 0 ? 0 : given;");
  Line("bool go_on = " + (Has(kLoopCondition) ? "*(" + In(kLoopCondition) + ") != 0" : std::string("true")) +
       ";");
  Line("int64_t i = 0;");
  Line("uint8_t condition = 1, next = 1;");
  std::string lent = "&i, &condition", spares, outputs;
  for (size_t k = kFirstCarried; k < step_.inputs.size(); ++k) lent += ", " + Writable(In(k));
  if (call.has_condition) lent += ", &next";
  size_t spare = graph_.ScratchOffsetOf(step_) + call.spares;
  for (size_t k = 0; k < step_.outputs.size(); ++k) {
    lent += ", " + Data(step_.outputs[k]);
    if (k >= carried) continue;
    spares += (k == 0 ? "m.arena + " : ", m.arena + ") + std::to_string(spare);
    outputs += (k == 0 ? "" : ", ") + Data(step_.outputs[k]);
    spare += AlignUp(graph_.tensor(step_.outputs[k]).bytes(), kAlignment);
  }
  Line("void* lent[] = {" + lent + "};");
  if (carried != 0)
    Line("void* const places[2][" + std::to_string(carried) + "] = {{" + spares + "}, {" + outputs + "}};");
  Line("(void)next;");
  Line("for (; i < trips && go_on; ++i) {");
  if (carried != 0) Line("void* const* const to = places[(trips - 1 - i) % 2 == 0];");
  for (size_t k = 0; k < step_.outputs.size(); ++k) {
    const Tensor& output = graph_.tensor(step_.outputs[k]);
    const size_t row = static_cast<size_t>(output.shape.product(1, output.shape.rank)) * SizeOf(output.dtype);
    Line(Lent(first_output + k) + " = " +
         (k < carried ? "to[" + std::to_string(k) + "];"
                      : Data(step_.outputs[k]) + " + i * " + std::to_string(row) + ";"));
  }
  const AotGraph body = BodyOf(graph_, step_, 0);
  MICRORT_RETURN_IF_ERROR(PrintBody(body));
  if (call.has_condition) Line("go_on = next != 0;");
  for (size_t k = 0; k < carried; ++k) Line(Lent(kFirstCarried + k) + " = to[" + std::to_string(k) + "];");
  Line("}");
  for (size_t k = 0; k < carried; ++k) {
    const std::string last = Lent(kFirstCarried + k), output = Data(step_.outputs[k]);
    Line("if (" + last + " != " + output + ") " +
         Move(output, last, graph_.tensor(step_.outputs[k]).bytes()));
  }
  return Status();
}

}  // namespace micrort::aot
