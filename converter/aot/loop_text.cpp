#include "converter/aot/loop_text.h"

#include <set>
#include <vector>

#include "converter/aot/assignments.h"
#include "converter/aot/class_text.h"
#include "kernels/elementwise/binary_f32.h"
#include "kernels/elementwise/unary_f32.h"
#include "kernels/fused/fused_f32.h"
#include "kernels/fused/product_sums.h"
#include "schema/micrort_generated.h"

namespace micrort::aot {
namespace {

std::string Number(size_t n) { return std::to_string(n); }

std::string Point(const char* type, const std::string& from) {
  return std::string("static_cast<") + type + "*>(" + from + ")";
}

const char* TypeOf(DType dtype) {
  switch (dtype) {
    case DType::kFloat16:
      return "uint16_t";
    case DType::kInt8:
      return "int8_t";
    case DType::kUInt8:
      return "uint8_t";
    case DType::kInt32:
      return "int32_t";
    default:
      return "float";
  }
}

std::string UnaryName(UnaryKind kind) {
  return std::string("micrort::UnaryKind::k") +
         schema::EnumNameUnaryKind(static_cast<schema::UnaryKind>(kind));
}
std::string BinaryName(BinaryKind kind) {
  return std::string("micrort::BinaryKind::k") +
         schema::EnumNameBinaryKind(static_cast<schema::BinaryKind>(kind));
}

// Functions that take many instructions, of which a loop has one at most: a CPU that reorders instructions
// then works on several vectors at a time.
bool IsLong(const FusedNode& node) {
  return (node.is_binary ? FusedOpOf(node.binary, false, false) : FusedOpOf(node.unary)) == kNoFusedOp &&
         (node.is_binary || node.unary.kind != UnaryKind::kIdentity);
}

// Nodes [first, end): a structure of what a loop keeps in registers, with its body. Values of other loops
// come from buffers.
class LoopWriter {
 public:
  // `buffers`: by node; -1: it has none.
  LoopWriter(const FusedGraph& graph, const FusedLayout& layout, Span<const int> buffers, size_t first,
             size_t end)
      : graph_(graph), layout_(layout), buffers_(buffers), first_(first), end_(end) {}

  // `sums`: how many sums the multipliers compute.
  std::string Text(const std::string& name, size_t sums) {
    sums_by_multipliers_ = sums;
    for (size_t k = first_; k < end_; ++k) AddNode(k);
    return "struct " + name + " {\n" + fields_ + "  explicit " + name +
           "(const micrort::FusedPiece& piece)\n      : " + initializers_ +
           " {}\n  template <bool kWhole>\n  void Elements(size_t i, size_t n) const {\n    (void)n;\n" +
           body_ + "  }\n};\n";
  }

 private:
  bool IsOne(size_t input) const { return layout_.operands[input] == FusedOperand::kOne; }
  void Field(const std::string& type, const std::string& name, const std::string& initial) {
    fields_ += "  " + type + " " + name + ";\n";
    initializers_ += (initializers_.empty() ? "" : ", ") + name + "(" + initial + ")";
  }
  void Let(const std::string& name, const std::string& value) {
    body_ += "    const F " + name + " = " + value + ";\n";
  }

  // The name of a value, which is loaded before where it comes from memory.
  std::string Value(FusedValue value) {
    const size_t index = IndexOfFused(value);
    const std::string name = (IsFusedInput(value) ? "x" : "v") + Number(index);
    if ((!IsFusedInput(value) && index >= first_) || !loaded_.insert(name).second) return name;
    if (IsFusedInput(value)) {
      LoadInput(index, name);
    } else {
      const std::string buffer = "buffer" + Number(index);
      Field("const float*", buffer, "piece.buffer(" + std::to_string(buffers_[index]) + ")");
      Let(name, "micrort::LoopLoad<kWhole, F>(" + buffer + " + i, n)");
    }
    return name;
  }

  void LoadInput(size_t i, const std::string& name) {
    const ElementFormat& format = graph_.inputs[i];
    const std::string from = "piece.in(" + Number(i) + ")";
    if (IsOne(i)) return Field("F", name, "F::Broadcast(*" + Point("const float", from) + ")");
    const std::string type = std::string("const ") + TypeOf(format.dtype);
    Field(type + "*", "in" + Number(i), Point(type.c_str(), from));
    const std::string at = "(in" + Number(i) + " + i, n";
    if (format.dtype == DType::kFloat32 || format.dtype == DType::kFloat16)
      return Let(name, "micrort::LoopLoad<kWhole, F>" + at + ")");
    const QuantizationParams q = format.quantized ? format.quantization : QuantizationParams();
    Let(name, "micrort::LoopDequantize<kWhole, F>" + at + ", " + Literal(q.scale) + ", " +
                  Literal(q.zero_point) + ")");
  }

  void AddNode(size_t k) {
    const FusedNode& node = graph_.nodes[k];
    const std::string a = Value(node.a), b = node.is_binary ? Value(node.b) : "";
    const bool by_multipliers =
        node.is_binary && sums_by_multipliers_ > 0 && IsFusedSum(FusedOpOf(node.binary, false, false));
    sums_by_multipliers_ -= by_multipliers ? 1 : 0;
    Let("v" + Number(k), by_multipliers   ? ProductSumText(node.binary, a, b)
                         : node.is_binary ? BinaryText(node.binary, a, b)
                                          : UnaryText(node.unary, a));
    for (size_t o = 0; o < graph_.outputs.size(); ++o) {
      if (graph_.outputs[o].value == static_cast<FusedValue>(k)) AddOutput(o);
    }
    if (buffers_[k] < 0) return;
    const std::string buffer = "to" + Number(k);
    Field("float*", buffer, "piece.buffer(" + std::to_string(buffers_[k]) + ")");
    body_ += "    micrort::LoopStore<kWhole>(v" + Number(k) + ", " + buffer + " + i, n);\n";
  }

  // kernels/fused/product_sums.h
  static std::string ProductSumText(BinaryKind kind, const std::string& a, const std::string& b) {
    return kind == BinaryKind::kAdd ? "Fma(" + a + ", F::Broadcast(1.0f), " + b + ")"
                                    : "Fma(" + b + ", F::Broadcast(-1.0f), " + a + ")";
  }

  static std::string BinaryText(BinaryKind kind, const std::string& a, const std::string& b) {
    const std::string name = BinaryName(kind), arguments = a + ", " + b + ")";
    if (HasVectorBinaryF32(kind)) return "micrort::BinaryOf<" + name + ">(" + arguments;
    return "micrort::LoopCall<F>(micrort::SelectBinaryF32(" + name + ", 0).run, " + name + ", " + arguments;
  }

  static std::string UnaryText(const UnaryOp& op, const std::string& x) {
    const std::string name = UnaryName(op.kind), a = "F::Broadcast(" + Literal(op.a) + ")",
                      b = "F::Broadcast(" + Literal(op.b) + ")";
    if (!HasVectorUnaryF32(op.kind)) {
      return "micrort::LoopCall<F>(micrort::UnaryF32Of(" + name +
             ", micrort::KernelId::none).run, micrort::UnaryOp{" + name + ", 0, 0}, " + x + ")";
    }
    if (FusedOpOf(op) == FusedOpOf(FusedShort::kAtLeast)) return "Max(" + a + ", " + x + ")";
    if (FusedOpOf(op) == FusedOpOf(FusedShort::kAtMost)) return "Min(" + b + ", " + x + ")";
    if (FusedOpOf(op) == FusedOpOf(FusedShort::kMinusAbs)) return "micrort::MinusAbs(" + x + ")";
    return "micrort::UnaryOf<" + name + ">(" + x + ", " + a + ", " + b + ")";
  }

  void AddOutput(size_t o) {
    const FusedOutput& output = graph_.outputs[o];
    const char* const type = TypeOf(output.format.dtype);
    const std::string out = "out" + Number(o), to = "(" + Value(output.value) + ", " + out + " + i, n";
    Field(std::string(type) + "*", out, Point(type, "piece.out(" + Number(o) + ")"));
    if (output.format.quantized) {
      const QuantizationParams& q = output.format.quantization;
      body_ += "    micrort::LoopQuantize<kWhole>" + to + ", " + Literal(q.scale) + ", " +
               Literal(q.zero_point) + ");\n";
    } else {
      body_ += "    micrort::LoopStore<kWhole>" + to + ");\n";
    }
  }

  const FusedGraph graph_;
  const FusedLayout& layout_;
  const Span<const int> buffers_;
  const size_t first_, end_;
  std::set<std::string> loaded_;
  std::string fields_, initializers_, body_;
  size_t sums_by_multipliers_ = 0;
};

// How many sums of nodes [first, end) multipliers compute, where they are worth it.
size_t SumsToMove(const FusedGraph& graph, size_t first, size_t end) {
  FusedUnits units;
  size_t sums = 0;
  for (size_t k = first; k < end; ++k) {
    const FusedNode& node = graph.nodes[k];
    if (!node.is_binary && node.unary.kind == UnaryKind::kIdentity) continue;
    const FusedOp op = node.is_binary ? FusedOpOf(node.binary, false, false) : FusedOpOf(node.unary);
    if (op == kNoFusedOp) return 0;  // long functions have enough of both
    units.Add(UnitsOf(op));
    sums += IsFusedSum(op) ? 1 : 0;
  }
  return SumsByMultipliers(units, sums);
}

// The loops of one step: where each begins, and which nodes have buffers between them.
class LoopPlan {
 public:
  explicit LoopPlan(const FusedGraph& graph) : graph_(graph), buffers_(graph.nodes.size(), -1) {
    bool has_long = false;
    for (size_t k = 0; k < graph.nodes.size(); ++k) {
      const bool is_long = IsLong(graph.nodes[k]);
      if (k == 0 || (is_long && has_long)) begins_.push_back(k);
      has_long = is_long || (has_long && begins_.back() != k);
    }
    begins_.push_back(graph.nodes.size());
    PlaceBuffers();
  }

  size_t loops() const { return begins_.size() - 1; }
  size_t first(size_t loop) const { return begins_[loop]; }
  size_t end(size_t loop) const { return begins_[loop + 1]; }
  Span<const int> buffers() const { return {buffers_.data(), buffers_.size()}; }
  size_t buffer_count() const { return last_uses_.size(); }
  // Everything in one loop.
  void Join() {
    begins_ = {0, graph_.nodes.size()};
    buffers_.assign(graph_.nodes.size(), -1);
    last_uses_.clear();
  }

 private:
  size_t LoopOf(size_t node) const {
    size_t loop = 0;
    while (node >= end(loop)) ++loop;
    return loop;
  }

  // A buffer is free again behind the last loop that reads it.
  void PlaceBuffers() {
    for (size_t k = 0; k < graph_.nodes.size(); ++k) {
      size_t last = 0;
      for (size_t reader = k + 1; reader < graph_.nodes.size(); ++reader) {
        const FusedNode& node = graph_.nodes[reader];
        const auto value = static_cast<FusedValue>(k);
        if (node.a == value || (node.is_binary && node.b == value)) last = LoopOf(reader);
      }
      if (last <= LoopOf(k)) continue;
      size_t buffer = 0;
      while (buffer < last_uses_.size() && last_uses_[buffer] >= LoopOf(k)) ++buffer;
      if (buffer == last_uses_.size()) last_uses_.push_back(0);
      last_uses_[buffer] = last;
      buffers_[k] = static_cast<int>(buffer);
    }
  }

  const FusedGraph& graph_;
  std::vector<size_t> begins_;
  std::vector<int> buffers_;
  std::vector<size_t> last_uses_;  // loops, by buffer
};

// What an instruction set needs of a compiler.
struct LoopTarget {
  const char* header;
  const char* vector;
  const char* gcc;    // of #pragma GCC target; null: nothing
  const char* clang;  // of the attribute
};

LoopTarget TargetOf(CpuFeatures features) {
  switch (SelectFusedF32(features).id) {
    case KernelId::fused_f32_sse41:
      return {"x86/sse41/vec8_sse41.h", "F32x8", "sse4.1", "sse4.1"};
    case KernelId::fused_f32_avx2:
      return {"x86/avx2/vec8_avx2.h", "F32x8", "avx2,fma,f16c", "avx2,fma,f16c"};
    case KernelId::fused_f32_avx512:
      return {"x86/avx512/vec16_avx512.h", "F32x16",
              "avx2,fma,f16c,avx512f,avx512bw,avx512dq,avx512vl,prefer-vector-width=512",
              "avx2,fma,f16c,avx512f,avx512bw,avx512dq,avx512vl"};
    case KernelId::fused_f32_neon32:
      return {"arm/neon/vec8_neon.h", "F32x8", "fpu=neon", nullptr};
    case KernelId::fused_f32_neon64:
      return {"arm/neon/vec8_neon.h", "F32x8", nullptr, nullptr};
    case KernelId::fused_f32_simd128:
      return {"wasm/simd128/vec8_simd128.h", "F32x8", nullptr, nullptr};
    default:
      return {"kernels/base/simd/vec8_scalar.h", "F32x8", nullptr, nullptr};
  }
}

// Whatever flags the file is compiled with: for the target's instruction set, and nothing contracted, as in
// the kernels. What other files share with this one stands before it.
constexpr char kBlock[] = R"(
// Element-wise functions that are computed together, a loop for each step.
#ifdef __clang__
#pragma clang fp contract(off) reassociate(off)
@CLANG@#else
#pragma GCC push_options
#pragma GCC optimize("fp-contract=off", "no-unsafe-math-optimizations")
@GCC@#endif
#include "kernels/fused/fused_loop_impl.h"
#include "@HEADER@"

namespace @SPACE@ {
namespace {
using F = micrort::@VECTOR@;
}

@LOOPS@}  // namespace @SPACE@
#ifndef __clang__
#pragma GCC pop_options
@POP@#endif
)";

}  // namespace

std::string LoopText(const FusedGraph& graph, const std::string& name, CpuFeatures features,
                     FusedLayout* layout) {
  const bool has_fma = SelectFusedF32(features).has_fma;
  LoopPlan plan(graph);
  if (!SetFusedBuffers(plan.buffer_count(), features, layout)) {
    plan.Join();
    SetFusedBuffers(0, features, layout);
  }
  std::string bodies, runs;
  for (size_t loop = 0; loop < plan.loops(); ++loop) {
    const std::string body = name + "Body" + (plan.loops() == 1 ? "" : Number(loop));
    bodies += LoopWriter(graph, *layout, plan.buffers(), plan.first(loop), plan.end(loop))
                  .Text(body, has_fma ? SumsToMove(graph, plan.first(loop), plan.end(loop)) : 0);
    runs += "  micrort::RunLoop<F>(" + body + "(piece), piece.n);\n";
  }
  return "namespace {\n" + bodies + "}  // namespace\nvoid " + name +
         "(const void*, const micrort::FusedPiece& piece) {\n" + runs + "}\n\n";
}

std::string LoopsBlock(CpuFeatures features, const std::string& space, const std::string& loops) {
  const LoopTarget target = TargetOf(features);
  const bool is_x86 = target.clang != nullptr;
  // Intrinsics of clang have attributes of their own.
  const std::string clang = is_x86 ? std::string(
                                         "#include <immintrin.h>\n#pragma clang attribute "
                                         "push(__attribute__((target(\"") +
                                         target.clang + "\"))), apply_to = function)\n"
                                   : "",
                    gcc = target.gcc == nullptr ? ""
                                                : std::string("#pragma GCC target(\"") + target.gcc + "\")\n";
  return Fill(kBlock, {{"LOOPS", loops},
                       {"CLANG", clang},
                       {"GCC", gcc},
                       {"POP", is_x86 ? "#else\n#pragma clang attribute pop\n" : ""},
                       {"HEADER", target.header},
                       {"VECTOR", target.vector},
                       {"SPACE", space}});
}

}  // namespace micrort::aot
