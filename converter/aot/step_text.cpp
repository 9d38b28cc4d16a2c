#include "converter/aot/step_text.h"

#include "converter/aot/print_steps.h"

namespace micrort::aot {

void StepText::Take(const StepText& other) {
  body_ += other.body_;
  fails_ = fails_ || other.fails_;
  includes_.insert(includes_.end(), other.includes_.begin(), other.includes_.end());
}

std::string StepText::Features() const { return Literal(program_.target().features); }

std::string StepText::Parallel() const {
  return graph_.node(step_.node).sequential ? "micrort::CallingThread()" : "m.parallel";
}

std::string StepText::Scratch() const {
  return step_.scratch_bytes == 0 ? "nullptr" : "m.arena + " + std::to_string(graph_.ScratchOffsetOf(step_));
}

std::string StepText::Failing(const std::string& what) {
  fails_ = true;
  return "return \"" + PlainText(step_.name) + " (" + step_.type + "): " + PlainText(what) + "\";";
}

void StepText::FailUnless(const std::string& condition, const std::string& what) {
  Line("if (!(" + condition + "))");
  Line("  " + Failing(what));
}

std::string StepText::DataIn(const AotGraph& graph, int32_t view, const std::string& memory) {
  if (const int arg = graph.ArgIndex(view); arg >= 0)
    return "static_cast<uint8_t*>(" + memory + ".args[" + std::to_string(arg) + "])";
  const bool is_entry = &graph.graph() == &program_.graph();
  if (const StateValue* state = is_entry ? program_.FindState(view) : nullptr; state != nullptr)
    return memory + ".arena + " + std::to_string(state->offset);
  if (const ptrdiff_t offset = is_entry ? program_.ComputedAgain(view) : -1; offset >= 0)
    return memory + ".arena + " + std::to_string(offset);
  if (graph.IsInArena(view)) return memory + ".arena + " + std::to_string(graph.OffsetOf(view));
  const Tensor& tensor = graph.tensor(view);
  return ConstantBytes(&program_, tensor.data, tensor.bytes());
}

std::string StepText::In(size_t operand) { return Data(step_.inputs[operand]); }

void StepText::PrintGather(const GatherCall& call, const std::string& shape) {
  const bool is_table = call.table.dtype != DType::kUnknown;
  Include(is_table ? "kernels/copy/gather_table.h" : "kernels/copy/gather.h");
  Constant("GatherCall", "kCall", call);
  Line("micrort::GatherCall call = kCall;");
  if (!shape.empty()) Line("call.shape = " + shape + ";");
  if (is_table) {
    if (call.table.dtype != DType::kInt8)
      Line("static_assert(micrort::kHasNarrowTables, \"kernels of int8 layers alone read tables of int8\");");
    PrintScales("call.table", InTensor(0));
  }
  const std::string out = is_table ? "reinterpret_cast<float*>(" + Out() + ")" : Out();
  FailUnless("micrort::RunGather" + std::string(is_table ? "Table" : "") + "(call, " + In(0) + ", " + In(1) +
                 ", " + out + ", " + Parallel() + ") == call.shape.count",
             "an index is outside of the data");
}

void StepText::PrintScales(const std::string& of, const Tensor& tensor) {
  const size_t count = tensor.quantization.count;
  const Int4Grid& grid = tensor.grid;
  if (tensor.dtype == DType::kInt4) {
    Line("static_assert(micrort::kHasInt4Layers, \"kernels of int8 layers alone have no int4 weights\");");
    Line(of + ".grid = micrort::Int4Grid::Of(" + ConstantArray("float", grid.scales, count) + ", " +
         ConstantArray("uint16_t", grid.half_scales, count) + ", " +
         ConstantArray("int32_t", grid.zero_points, count) + ", " +
         ConstantArray("uint8_t", grid.int4_zero_points, (count + 1) / 2) + ");");
    return;
  }
  Line(of + ".scales = " + ConstantArray("float", tensor.quantization.scales, count) + ";");
  Line(of + ".zero_points = " + ConstantArray("int32_t", tensor.quantization.zero_points, count) + ";");
}

}  // namespace micrort::aot
