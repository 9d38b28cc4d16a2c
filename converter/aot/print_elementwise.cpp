// Element-wise functions that stand alone.

#include "converter/aot/step_text.h"
#include "kernels/elementwise/unary_library.h"

namespace micrort::aot {

// Elements whose conversion to what is computed in is a part.
void StepText::LinkConversions(const ElementFormat& format) {
  const bool has_kernel = format.quantized || format.dtype == DType::kFloat16 || IsComputeType(format.dtype);
  if (!has_kernel) Link("kernels/elementwise/convert_elements.h", "StoreElements");
}

// Declares `name`.
void StepText::PrintTask(const UnaryTask& task, const std::string& name) {
  const std::string constant = "kTask_" + name, kind = constant + ".params.op.kind";
  Include("kernels/elementwise/unary.h");
  if (task.is_s16) {
    Constant("UnaryTask", constant, task);
    Line("micrort::UnaryTask " + name + " = " + constant + ";");
    return Line(name + ".s16 = micrort::SelectUnaryS16(" + constant + ".s16_op, " + Features() + ").run;");
  }
  LinkConversions(task.params.x);
  LinkConversions(task.params.y);
  if (task.type == ComputeType::kF32 && IsTrigonometric(task.params.op.kind))
    Link("kernels/elementwise/unary_f32.h", "UnaryF32Library");
  if (task.params.op.kind == UnaryKind::kIsNaN || task.params.op.kind == UnaryKind::kIsInf)
    Link("kernels/elementwise/unary_64_bit.h", "ClassifyFloats");
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
  if (task.is_s16) return Line(name + ".s16 = micrort::SelectBinaryS16(" + Features() + ").run;");
  if (task.params.rounding == Rounding::kTflite)
    return Line(name + ".fixed = micrort::SelectBinaryFixed(" + Features() + ").run;");
  if (task.is_s8) return Line(name + ".s8 = micrort::SelectBinaryS8(" + Features() + ").run;");
  Link("kernels/elementwise/binary_chunk.h", "RunConvertedChunk");
  for (const ElementFormat* format : {&task.params.a, &task.params.b, &task.params.y})
    LinkConversions(*format);
  if (task.type != ComputeType::kF32)
    return Line(name + ".in_64_bits = micrort::SelectBinaryIn64Bits(" + kind + ", " + constant + ".type);");
  Line(name + ".f32 = micrort::SelectBinaryF32(" + kind + ", " + Features() + ").run;");
  if (task.params.activation.kind == UnaryKind::kIdentity) return;
  Line(name + ".activation = micrort::SelectUnaryF32(" + constant + ".params.activation.kind, " + Features() +
       ").run;");
}

}  // namespace micrort::aot
