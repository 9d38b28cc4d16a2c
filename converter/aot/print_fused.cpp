// Element-wise functions that run as one.

#include "converter/aot/fused_fields.h"
#include "converter/aot/loop_text.h"
#include "converter/aot/step_printer.h"
#include "kernels/elementwise/unary_library.h"
#include "runtime/program/program.h"

namespace micrort::aot {

Status StepPrinter::PrintElementwise() {
  const FusedElementwise& fused = graph_.program().fused[static_cast<size_t>(step_.parameters)];
  FusedLayout layout = fused.program.layout;
  loop_ = LoopText(fused.graph(), loop_name_, program_.target().features, &layout);
  Include("kernels/elementwise/binary_f32.h");
  Include("kernels/elementwise/unary_f32.h");
  Include("kernels/fused/fused_layout.h");
  for (const FusedNode& node : fused.graph().nodes) {
    if (node.is_binary || !IsTrigonometric(node.unary.kind)) continue;
    Link("kernels/elementwise/unary_f32.h", "UnaryF32Library");
    break;
  }
  Constant("FusedLayout", "kLayout", layout);
  std::string in, out;
  for (size_t i = 0; i < step_.inputs.size(); ++i) in += (i == 0 ? "" : ", ") + In(i);
  for (size_t o = 0; o < step_.outputs.size(); ++o) out += (o == 0 ? "" : ", ") + Out(o);
  Line("const void* const in[] = {" + in + "};");
  Line("void* const out[] = {" + out + "};");
  Line("micrort::RunFused(kLayout, loops::" + loop_name_ + ", nullptr, in, out, " + Parallel() + ");");
  return Status();
}

}  // namespace micrort::aot
