// Element-wise functions that stand alone.

#include "converter/aot/step_text.h"

namespace micrort::aot {

void StepText::PrintTask(const UnaryTask& task, const std::string& name) {
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
void StepText::PrintTask(const BinaryTask& task, const std::string& name) {
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

}  // namespace micrort::aot
