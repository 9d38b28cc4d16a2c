// Element-wise functions, alone and one after another.

#include "converter/aot/step_printer.h"

namespace micrort::aot {

// Declares `name`.
void StepPrinter::PrintTask(const UnaryTask& task, const std::string& name) {
  const std::string constant = "kTask_" + name, kind = constant + ".params.op.kind";
  Include("kernels/elementwise/unary.h");
  Constant("UnaryTask", constant, task);
  Line("micrort::UnaryTask " + name + " = " + constant + ";");
  if (task.f32 != nullptr || (task.type == ComputeType::kF32 && task.in_64_bits == nullptr))
    Line(name + ".f32 = micrort::SelectUnaryF32(" + kind + ", " + Features() + ").run;");
  if (task.in_64_bits != nullptr)
    Line(name + ".in_64_bits = micrort::SelectUnaryIn64Bits(" + kind + ", " + constant + ".type);");
}

// As PlanBinary binds them, but each kernel by its name: the others are not linked.
void StepPrinter::PrintTask(const BinaryTask& task, const std::string& name) {
  const std::string constant = "kTask_" + name;
  Include("kernels/elementwise/binary.h");
  Constant("BinaryTask", constant, task);
  Line("micrort::BinaryTask " + name + " = " + constant + ";");
  const std::string kind = constant + ".params.kind";
  if (task.params.rounding == Rounding::kTflite)
    return Line(name + ".fixed = micrort::SelectBinaryFixed(" + Features() + ").run;");
  if (task.type != ComputeType::kF32)
    return Line(name + ".in_64_bits = micrort::SelectBinaryIn64Bits(" + kind + ", " + constant + ".type);");
  Line(name + ".f32 = micrort::SelectBinaryF32(" + kind + ", " + Features() + ").run;");
  if (task.params.activation.kind == UnaryKind::kIdentity) return;
  Line(name + ".activation = micrort::SelectUnaryF32(" + constant + ".params.activation.kind, " + Features() +
       ").run;");
}

Status StepPrinter::PrintElementwise() {
  Include("kernels/elementwise/chain.h");
  const ElementwiseChain& chain = graph_.program().chains[static_cast<size_t>(step_.parameters)];
  std::string stages;
  for (size_t i = 0; i < chain.calls.size(); ++i) {
    const std::string task = "task" + std::to_string(i);
    const KernelCall& call = graph_.node(step_.node + static_cast<int32_t>(i)).prepared.call;
    const bool is_unary = std::holds_alternative<const UnaryTask*>(call);
    if (is_unary) {
      PrintTask(*std::get<const UnaryTask*>(call), task);
    } else {
      PrintTask(*std::get<const BinaryTask*>(call), task);
    }
    const auto operand = [&](size_t k) {
      const int32_t view = chain.inputs[i * kChainOperands + k];
      return view < 0 ? Out() : Data(view);
    };
    stages += std::string(i == 0 ? "" : ", ") +
              "{{micrort::" + (is_unary ? "RunUnaryRange" : "RunBinaryRange") + ", &" + task + "}, " +
              operand(0) + ", " + operand(1) + "}";
  }
  Line("const micrort::ElementwiseStage stages[] = {" + stages + "};");
  Line("micrort::RunElementwiseChain(stages, " + Out() + ", " +
       std::to_string(graph_.tensor(step_.outputs[0]).elements()) + ", " + Parallel() + ");");
  return Status();
}

}  // namespace micrort::aot
