#include "converter/qdq/int16_edges.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "converter/ir/infer.h"
#include "converter/ir/op_facts.h"
#include "converter/passes/rewrite.h"

namespace micrort::qdq {
namespace {

using schema::OpCode;

class Int16Edges {
 public:
  explicit Int16Edges(ir::Graph* graph) : graph_(*graph), uses_(graph->ComputeUses()) {}

  Status Convert() {
    for (size_t i = 0; i < graph_.caller_inputs(); ++i)
      MICRORT_RETURN_IF_ERROR(ConvertInput(graph_.inputs[i]));
    for (size_t i = 0; i < graph_.caller_outputs(); ++i)
      MICRORT_RETURN_IF_ERROR(ConvertOutput(&graph_.outputs[i]));
    return Status();
  }

 private:
  bool Converts(const ir::Value& value) const {
    return value.dtype == DType::kFloat32 && !value.decides_shapes;
  }

  // Operators that only move elements, and read nothing else that a caller or another operator would see.
  bool OnlyMoves(const ir::Node* node) const {
    return node != nullptr && node->outputs.size() == 1 && ir::CommutesWithQuantization(graph_, *node);
  }

  // The readers of an input: values that are moved elements of it, and operators that make these int16.
  struct Readers {
    std::vector<ir::ValueId> moved;
    std::vector<const ir::Node*> quantizers;
  };

  // Whether nothing else reads the value.
  bool FindReaders(ir::ValueId id, Readers* readers) const {
    readers->moved.push_back(id);
    if (std::find(graph_.outputs.begin(), graph_.outputs.end(), id) != graph_.outputs.end()) return false;
    for (const ir::Node* node : uses_.consumers[static_cast<size_t>(id)]) {
      if (node->code == OpCode::Quantize && graph_.value(node->outputs[0]).dtype == DType::kInt16) {
        readers->quantizers.push_back(node);
      } else if (!OnlyMoves(node) || node->inputs[0] != id || !FindReaders(node->outputs[0], readers)) {
        return false;
      }
    }
    return true;
  }

  Status ConvertInput(ir::ValueId input) {
    if (!Converts(graph_.value(input))) return Status();
    Readers readers;
    if (!FindReaders(input, &readers) || readers.quantizers.empty())
      return Error("input", input, "no operator of int16 alone reads it");
    const ir::Quantization q = graph_.value(readers.quantizers[0]->outputs[0]).quantization;
    for (const ir::Node* node : readers.quantizers) {
      if (graph_.value(node->outputs[0]).quantization == q) continue;
      return Error("input", input, "operators of int16 read it with several scales");
    }
    SetType(readers.moved, q);
    for (const ir::Node* node : readers.quantizers) graph_.ReplaceUses(node->outputs[0], node->inputs[0]);
    return Status();
  }

  Status ConvertOutput(ir::ValueId* output) {
    if (!Converts(graph_.value(*output))) return Status();
    std::vector<ir::ValueId> moved;  // the last one first
    ir::ValueId id = *output;
    for (const ir::Node* mover = Producer(id);
         OnlyMoves(mover) && uses_.single_consumer(mover->inputs[0]) == mover; mover = Producer(id)) {
      moved.push_back(id);
      id = mover->inputs[0];
    }
    const ir::ValueId integers = IntegersOf(Producer(id));
    if (integers == ir::kNoValue) return Error("output", *output, "no operator of int16 writes it");
    if (moved.empty()) {
      TakeOver(*output, integers);
      *output = integers;
      return Status();
    }
    Producer(moved.back())->inputs[0] = integers;
    SetType(moved, graph_.value(integers).quantization);
    return Status();
  }

  ir::Node* Producer(ir::ValueId id) const { return uses_.producer[static_cast<size_t>(id)]; }

  // The integers under a Cast of int16 that is multiplied by their scale.
  ir::ValueId IntegersOf(const ir::Node* product) const {
    if (product == nullptr || product->code != OpCode::Binary ||
        product->as<schema::BinaryOptionsT>().kind != schema::BinaryKind::Mul) {
      return ir::kNoValue;
    }
    const ir::Node* cast = Producer(product->inputs[0]);
    const ir::Value& scale = graph_.value(product->inputs[1]);
    if (cast == nullptr || cast->code != OpCode::Cast || !scale.is_constant() ||
        scale.dtype != DType::kFloat32 || scale.elements() != 1) {
      return ir::kNoValue;
    }
    const ir::Value& integers = graph_.value(cast->inputs[0]);
    const bool fits = integers.dtype == DType::kInt16 && integers.quantization.scales.size() == 1 &&
                      integers.quantization.scales[0] == *scale.as<float>();
    return fits ? cast->inputs[0] : ir::kNoValue;
  }

  void SetType(const std::vector<ir::ValueId>& ids, const ir::Quantization& q) {
    for (const ir::ValueId id : ids) {
      graph_.value(id).dtype = DType::kInt16;
      graph_.value(id).quantization = q;
    }
  }

  // The caller knows the output by its name.
  void TakeOver(ir::ValueId from, ir::ValueId to) {
    const std::string name = graph_.value(from).name;
    graph_.Rename(from, name + "_inner");
    graph_.Rename(to, name);
    graph_.value(to).in_source = std::exchange(graph_.value(from).in_source, false);
  }

  Status Error(const char* what, ir::ValueId id, const char* why) const {
    return MICRORT_ERROR(kInvalidArgument,
                         "--io-type int16: %s '%s' is float32, and %s: add --quant int16x8 and --calib, or "
                         "take a model of int16",
                         what, graph_.value(id).name.c_str(), why);
  }

  ir::Graph& graph_;
  const ir::Graph::Uses uses_;  // before any change
};

}  // namespace

Status SetInt16Edges(ir::Graph* graph) {
  MICRORT_RETURN_IF_ERROR(Int16Edges(graph).Convert());
  passes::RemoveDeadNodes(*graph);
  return ir::InferShapes(*graph);
}

}  // namespace micrort::qdq
