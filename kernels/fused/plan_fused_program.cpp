// From a graph to instructions and functions. `v`, the value in registers, is what the last instruction gave;
// all else is in memory: inputs, outputs, and buffers for what is read again or by a function.

#include <algorithm>

#include "kernels/fused/fused_program.h"
#include "kernels/fused/product_sums.h"

namespace micrort {
namespace {

constexpr FusedValue kNothing = INT8_MIN;

const FusedF32Kernel& KernelFor(const FusedLayout& layout, CpuFeatures features) {
  return SelectFusedF32(features, layout.by_rows ? layout.plan.run : layout.plan.elements);
}

class FusedPlanner {
 public:
  // What is planned goes to `instructions` and `stages`; null: it is only counted.
  FusedPlanner(const FusedGraph& graph, const FusedLayout& layout, CpuFeatures features,
               PlannedInstruction* instructions, FusedStage* stages)
      : graph_(graph),
        layout_(layout),
        features_(features),
        handler_(KernelFor(layout, features).handler),
        instructions_(instructions),
        stages_(stages) {
    for (size_t k = 0; k < graph.nodes.size(); ++k) {
      const FusedNode& node = graph.nodes[k];
      CountUse(node.a);
      if (node.is_binary) CountUse(node.b);
    }
  }

  // False where there are too many values at once.
  bool Run() {
    for (size_t k = 0; k < graph_.nodes.size(); ++k) {
      AddNode(k);
      Finish(static_cast<FusedValue>(k));
    }
    EndInstructions();
    return buffers_ <= kMaxFusedBuffers;
  }

  size_t instructions() const { return instruction_count_; }
  size_t stages() const { return stage_count_; }
  size_t buffers() const { return buffers_; }

 private:
  struct Value {
    int uses = 0;  // that are left
    bool has_place = false;
    FusedPlace place = 0;
  };

  // Values.
  Value& ValueOf(FusedValue value) {
    return IsFusedInput(value) ? inputs_[IndexOfFused(value)] : nodes_[IndexOfFused(value)];
  }
  void CountUse(FusedValue value) { ++ValueOf(value).uses; }
  const ElementFormat& FormatOf(FusedValue input) const { return graph_.inputs[IndexOfFused(input)]; }
  // An input that becomes floats as it is loaded.
  bool IsConverted(FusedValue value) const { return IsFusedInput(value) && !IsFloat32(FormatOf(value)); }
  bool IsOne(FusedValue value) const {
    return IsFusedInput(value) && layout_.operands[IndexOfFused(value)] == FusedOperand::kOne;
  }
  // Whether its floats are in memory.
  bool IsInMemory(FusedValue value) {
    if (ValueOf(value).has_place) return true;
    if (!IsFusedInput(value) || IsConverted(value)) return false;
    ValueOf(value).place = static_cast<FusedPlace>(IndexOfFused(value));
    return ValueOf(value).has_place = true;
  }

  FusedPlace TakeBuffer() {
    const auto free = static_cast<size_t>(std::find(taken_, taken_ + kMaxFusedBuffers, false) - taken_);
    buffers_ = std::max(buffers_, free + 1);  // one too many where none is free
    if (free < kMaxFusedBuffers) taken_[free] = true;
    return static_cast<FusedPlace>(kFirstFusedBuffer + free % kMaxFusedBuffers);
  }
  // One use less of a value.
  void Release(FusedValue value) {
    Value& v = ValueOf(value);
    if (--v.uses == 0 && v.has_place && v.place >= kFirstFusedBuffer)
      taken_[v.place - kFirstFusedBuffer] = false;
  }

  // Instructions.
  void Add(FusedOp op, FusedPlace place, float a = 0, float b = 0) {
    if (instructions_ != nullptr)
      instructions_[instruction_count_] = {handler_ == nullptr ? nullptr : handler_(op), op, place, a, b};
    ++instruction_count_;
  }
  void Add(const FusedStage& stage) {
    if (stages_ != nullptr) stages_[stage_count_] = stage;
    ++stage_count_;
  }
  void EndInstructions() {
    if (first_ == instruction_count_) return;
    Add(FusedOpOf(FusedMove::kEnd), 0);
    FusedStage stage;
    stage.first = static_cast<uint16_t>(first_);
    stage.count = static_cast<uint16_t>(instruction_count_ - first_);
    Add(stage);
    first_ = instruction_count_;
    v_ = kNothing;
  }

  void Load(FusedValue value) {
    if (v_ == value) return;
    v_ = value;
    if (IsInMemory(value))
      return Add(FusedOpOf(IsOne(value) ? FusedMove::kLoadOne : FusedMove::kLoadF32), ValueOf(value).place);
    const ElementFormat& format = FormatOf(value);
    const auto place = static_cast<FusedPlace>(IndexOfFused(value));
    const float scale = format.quantized ? format.quantization.scale : 1.0f,
                zero_point = format.quantized ? static_cast<float>(format.quantization.zero_point) : 0.0f;
    const FusedMove move = format.dtype == DType::kFloat16 ? FusedMove::kLoadF16
                           : format.dtype == DType::kInt8  ? FusedMove::kLoadS8
                           : format.dtype == DType::kUInt8 ? FusedMove::kLoadU8
                                                           : FusedMove::kLoadS32;
    Add(FusedOpOf(move), place, scale, zero_point);
  }
  // Puts a value into memory, if need be by way of v.
  FusedPlace Place(FusedValue value) {
    if (!IsInMemory(value)) {
      Load(value);
      ValueOf(value).place = TakeBuffer();
      ValueOf(value).has_place = true;
      Add(FusedOpOf(FusedMove::kStoreF32), ValueOf(value).place);
    }
    return ValueOf(value).place;
  }

  // Nodes.
  void AddNode(size_t k) {
    const FusedNode& node = graph_.nodes[k];
    const auto value = static_cast<FusedValue>(k);
    if (node.is_binary) {
      if (FusedOpOf(node.binary, false, false) == kNoFusedOp) return AddFunction(node, value);
      AddBinary(node);
    } else if (node.unary.kind == UnaryKind::kIdentity) {
      Load(node.a);
    } else {
      const FusedOp op = FusedOpOf(node.unary);
      if (op == kNoFusedOp) return AddFunction(node, value);
      Load(node.a);
      Add(op, 0, node.unary.a, node.unary.b);
    }
    Release(node.a);
    if (node.is_binary) Release(node.b);
    v_ = value;
  }

  void AddBinary(const FusedNode& node) {
    const bool reversed = ChooseRegisters(node);
    const FusedValue other = reversed ? node.a : node.b;
    Load(reversed ? node.b : node.a);
    Add(FusedOpOf(node.binary, IsOne(other), reversed), ValueOf(other).place);
  }
  // Whether b is the one in registers. The other one is in memory then.
  bool ChooseRegisters(const FusedNode& node) {
    if (node.a == node.b || (v_ == node.b && !IsInMemory(node.a))) {
      Place(node.b);
      return false;
    }
    if (!IsInMemory(node.b)) {
      Place(node.a);
      return true;
    }
    if (v_ == node.a || !IsInMemory(node.a)) return false;
    return v_ == node.b || (IsOne(node.a) && !IsOne(node.b));
  }

  void AddFunction(const FusedNode& node, FusedValue value) {
    FusedStage stage;
    if (node.is_binary && v_ == node.b) Place(node.b);
    stage.a = Place(node.a);
    stage.a_operand = IsOne(node.a) ? FusedOperand::kOne : FusedOperand::kDense;
    if (node.is_binary) {
      stage.b = Place(node.b);
      stage.b_operand = IsOne(node.b) ? FusedOperand::kOne : FusedOperand::kDense;
      stage.binary = node.binary;
      stage.binary_fn = SelectBinaryF32(node.binary, features_).run;
    } else {
      stage.unary = node.unary;
      stage.unary_fn = SelectUnaryF32(node.unary.kind, features_).run;
    }
    EndInstructions();
    Release(node.a);
    if (node.is_binary) Release(node.b);
    Value& result = ValueOf(value);
    const int output = FloatOutput(value);
    result.place = output >= 0 ? static_cast<FusedPlace>(kFirstFusedOutput + output) : TakeBuffer();
    result.has_place = true;
    stage.to = result.place;
    Add(stage);
  }

  // The float output that a node gives; -1: none.
  int FloatOutput(FusedValue value) const {
    for (size_t o = 0; o < graph_.outputs.size(); ++o) {
      if (graph_.outputs[o].value == value && IsFloat32(graph_.outputs[o].format)) return static_cast<int>(o);
    }
    return -1;
  }

  // Writes a node's value to outputs, and to a buffer where it is wanted later than by the next node alone.
  void Finish(FusedValue value) {
    Value& v = ValueOf(value);
    for (size_t o = 0; o < graph_.outputs.size(); ++o) {
      const FusedOutput& output = graph_.outputs[o];
      if (output.value != value) continue;
      const auto place = static_cast<FusedPlace>(kFirstFusedOutput + o);
      if (v.has_place && v.place == place) continue;
      Load(value);
      Store(output.format, place);
      if (IsFloat32(output.format) && !v.has_place) {
        v.place = place;
        v.has_place = true;
      }
    }
    if (v.has_place || v.uses == 0) return;
    if (v.uses > 1 || !IsReadBy(IndexOfFused(value) + 1, value)) Place(value);
  }

  bool IsReadBy(size_t k, FusedValue value) const {
    const FusedNode& node = graph_.nodes[k];
    return node.a == value || (node.is_binary && node.b == value);
  }

  void Store(const ElementFormat& format, FusedPlace place) {
    const auto zero_point = static_cast<float>(format.quantization.zero_point);
    const FusedMove move = format.dtype == DType::kFloat32   ? FusedMove::kStoreF32
                           : format.dtype == DType::kFloat16 ? FusedMove::kStoreF16
                           : format.dtype == DType::kInt8    ? FusedMove::kStoreS8
                                                             : FusedMove::kStoreU8;
    Add(FusedOpOf(move), place, format.quantization.scale, zero_point);
  }

  const FusedGraph& graph_;
  const FusedLayout& layout_;
  const CpuFeatures features_;
  FusedHandler (*const handler_)(FusedOp op);
  Value inputs_[kMaxFusedInputs], nodes_[kMaxFusedNodes];
  bool taken_[kMaxFusedBuffers] = {};
  size_t buffers_ = 0;
  FusedValue v_ = kNothing;
  PlannedInstruction* const instructions_;
  FusedStage* const stages_;
  size_t instruction_count_ = 0, stage_count_ = 0, first_ = 0;
};

// Moves some sums to the units that multiply.
void BalanceSums(Span<const FusedStage> stages, const FusedF32Kernel& kernel,
                 PlannedInstruction* instructions) {
  for (const FusedStage& stage : stages) {
    FusedUnits units;
    size_t sums = 0;
    for (size_t k = stage.first; k < size_t{stage.first} + stage.count; ++k) {
      units.Add(UnitsOf(instructions[k].op));
      sums += IsFusedSum(instructions[k].op) ? 1 : 0;
    }
    size_t move = SumsByMultipliers(units, sums);
    for (size_t k = stage.first; move > 0; ++k) {
      PlannedInstruction& p = instructions[k];
      if (!IsFusedSum(p.op)) continue;
      p.op = static_cast<FusedOp>(p.op - kFirstFusedBinary + kFirstFusedProductSum);
      p.handler = kernel.handler == nullptr ? nullptr : kernel.handler(p.op);
      --move;
    }
  }
}

// One element for all is a float: instructions convert what they load a vector at a time.
bool HasConvertedOne(const FusedGraph& graph, const FusedLayout& layout) {
  for (size_t i = 0; i < graph.inputs.size(); ++i) {
    if (layout.operands[i] == FusedOperand::kOne && !IsFloat32(graph.inputs[i])) return true;
  }
  return false;
}

}  // namespace

Status PlanFusedProgram(const FusedGraph& graph, Span<const Shape> shapes, const Shape& out,
                        CpuFeatures features, FusedProgram* program, bool* fits) {
  program->layout = PlanFusedLayout(graph, shapes, out, features);
  program->kernel = KernelFor(program->layout, features).id;
  FusedPlanner counted(graph, program->layout, features, nullptr, nullptr);
  *fits = !HasConvertedOne(graph, program->layout) && counted.Run() &&
          counted.instructions() <= kMaxFusedInstructions &&
          SetFusedBuffers(counted.buffers(), features, &program->layout);
  if (!*fits) return Status();
  MICRORT_RETURN_IF_ERROR(program->instructions.Allocate(counted.instructions()));
  MICRORT_RETURN_IF_ERROR(program->stages.Allocate(counted.stages()));
  FusedPlanner(graph, program->layout, features, program->instructions.data(), program->stages.data()).Run();
  const FusedF32Kernel& kernel = KernelFor(program->layout, features);
  if (kernel.has_fma) BalanceSums(program->stages, kernel, program->instructions.data());
  return Status();
}

}  // namespace micrort
