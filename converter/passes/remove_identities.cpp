// Removes nodes whose output is their input.

#include <algorithm>

#include "converter/passes/match.h"
#include "converter/passes/passes.h"
#include "converter/passes/rewrite.h"

namespace micrort::passes {
namespace {

using schema::OpCode;

template <typename T>
bool AllEqual(const std::vector<T>& values, T wanted) {
  return std::all_of(values.begin(), values.end(), [wanted](T v) { return v == wanted; });
}

bool IsFullSlice(const ir::Node& node, const ir::Value& input) {
  const auto& options = node.as<schema::SliceOptionsT>();
  if (node.has_input(1) || options.axes.empty()) return false;
  for (size_t i = 0; i < options.axes.size(); ++i) {
    const int64_t dim = input.shape[static_cast<size_t>(options.axes[i])];
    const bool to_the_end = options.ends[i] >= INT32_MAX || (dim != ir::kDynamic && options.ends[i] >= dim);
    if (options.starts[i] != 0 || !to_the_end || (!options.steps.empty() && options.steps[i] != 1))
      return false;
  }
  return true;
}

bool IsEmptyReduce(const ir::Node& node) {
  const auto& options = node.as<schema::ReduceOptionsT>();
  const bool keeps_values =
      options.kind == schema::ReduceKind::Sum || options.kind == schema::ReduceKind::Mean ||
      options.kind == schema::ReduceKind::Max || options.kind == schema::ReduceKind::Min ||
      options.kind == schema::ReduceKind::Prod;
  return options.axes.empty() && !node.has_input(1) && keeps_values;
}

// The operand that comes out unchanged: x + 0, x - 0, x * 1, x / 1, with x shaped as the result.
size_t NeutralBinary(const Site& site) {
  constexpr size_t kNone = 2;
  const auto kind = site.node.as<schema::BinaryOptionsT>().kind;
  if (HasActivation(site.node)) return kNone;
  const bool adds = kind == schema::BinaryKind::Add || kind == schema::BinaryKind::Sub;
  const bool multiplies = kind == schema::BinaryKind::Mul || kind == schema::BinaryKind::Div;
  const bool commutes = kind == schema::BinaryKind::Add || kind == schema::BinaryKind::Mul;
  for (size_t x = 0; x < (commutes ? 2u : 1u) && (adds || multiplies); ++x) {
    const ir::Value& other = site.input(1 - x);
    if (!other.is_constant() || other.dtype != DType::kFloat32) continue;
    const float* elements = other.as<float>();
    const float neutral = adds ? 0.0f : 1.0f;
    const bool all =
        std::all_of(elements, elements + other.elements(), [neutral](float v) { return v == neutral; });
    if (all && SameShape(site.input(x), site.output())) return x;
  }
  return kNone;
}

// The input that the node passes on, or -1.
int PassedInput(const Site& site) {
  const ir::Node& node = site.node;
  if (node.inputs.empty() || node.inputs[0] == ir::kNoValue) return -1;
  const ir::Value& input = site.input(0);
  const ir::Value& output = site.output();
  if (!input.has_shape || !output.has_shape) return -1;
  const auto first_if = [](bool passes) { return passes ? 0 : -1; };
  switch (node.code) {
    case OpCode::Unary:
      return first_if(IsUnary(node, schema::UnaryKind::Identity) && input.dtype == output.dtype &&
                      input.quantization == output.quantization);
    case OpCode::Binary: {
      const size_t x = NeutralBinary(site);
      return x < 2 ? static_cast<int>(x) : -1;
    }
    case OpCode::Cast:
      // One without quantization reads integers as what they are.
      return first_if(input.dtype == output.dtype && input.quantization == output.quantization);
    case OpCode::Reshape: {
      // The elements are as many on both sides, so one dynamic dimension at the same place is the same,
      // unless there are none.
      const auto dynamic = std::count(input.shape.begin(), input.shape.end(), ir::kDynamic);
      const bool is_same =
          dynamic == 0 || (dynamic == 1 && std::count(input.shape.begin(), input.shape.end(), 0) == 0);
      return first_if(input.shape == output.shape && (is_same || SameShape(input, output)));
    }
    case OpCode::Transpose: {
      const auto& permutation = node.as<schema::TransposeOptionsT>().permutation;
      return first_if(std::is_sorted(permutation.begin(), permutation.end()));
    }
    case OpCode::Slice:
      return first_if(IsFullSlice(node, input));
    case OpCode::Concat:
      return first_if(node.inputs.size() == 1);
    case OpCode::Pad:
      return first_if(!node.has_input(1) && AllEqual(node.as<schema::PadOptionsT>().pads, int64_t{0}));
    case OpCode::Tile:
      return first_if(!node.has_input(1) && AllEqual(node.as<schema::TileOptionsT>().repeats, 1));
    case OpCode::Expand:
      return first_if(SameShape(input, output));
    case OpCode::Resize:
      return first_if(node.inputs.size() == 1 && input.is_static() && input.shape == output.shape &&
                      AllEqual(node.as<schema::ResizeOptionsT>().scales, 1.0f));
    case OpCode::Reduce:
      return first_if(IsEmptyReduce(node) && input.quantization == output.quantization);
    default:
      return -1;
  }
}

bool IsConversion(const ir::Node& node) {
  return node.code == OpCode::Cast && !node.as<schema::CastOptionsT>().reinterpret &&
         node.source_op != "Cast" && node.source_op != "CastLike";
}

// Halves on the way from one operator that computes in float32 to another need not be rounded. Casts that the
// source model asks for stay.
bool IsRoundTrip(const Site& site) {
  if (!IsConversion(site.node) || site.output().dtype != DType::kFloat32) return false;
  const ir::Node* from = site.producer(0);
  const DType between = site.input(0).dtype;
  return from != nullptr && IsConversion(*from) &&
         (between == DType::kFloat16 || between == DType::kBFloat16) &&
         site.graph.value(from->inputs[0]).dtype == DType::kFloat32;
}

bool RemoveIdentity(const Site& site) {
  if (IsRoundTrip(site)) {
    return ReplaceValue(site, site.node.outputs[0], site.producer(0)->inputs[0]);
  }
  const int passed = PassedInput(site);
  if (passed < 0) return false;
  return ReplaceValue(site, site.node.outputs[0], site.node.inputs[static_cast<size_t>(passed)]);
}

}  // namespace

Status RemoveIdentities(ir::Graph& graph, bool* changed) {
  *changed |= RewriteNodes(graph, RemoveIdentity);
  return Status();
}

}  // namespace micrort::passes
