#include "converter/target/preset_layers.h"

#include <algorithm>

#include "kernels/conv2d/algorithm_ids.h"
#include "runtime/model/schema_text.h"

namespace micrort::target {
namespace {

constexpr size_t kNamed = 3;
constexpr size_t kMostOfName = 60;

const schema::Program* ProgramFor(const schema::Subgraph& graph, const std::string& target) {
  for (uint32_t i = 0; i < Count(graph.programs()); ++i) {
    if (Text(graph.programs()->Get(i)->target()) == target) return graph.programs()->Get(i);
  }
  return nullptr;
}

// Empty: the preset computes it.
std::string WhyLeftOut(const schema::Subgraph& graph, const schema::Operator& op, uint8_t algorithm) {
  if (algorithm == 0) return "";
  const auto type = [&](int32_t tensor) {
    return tensor < 0 ? DType::kFloat32 : TypeOf(*graph.tensors()->Get(static_cast<uint32_t>(tensor)));
  };
  const Span<const int32_t> inputs = Ints(op.inputs());
  if (ComputesFloats(static_cast<Conv2DAlgorithmId>(algorithm))) return Name(type(inputs[0]));
  const bool reads_int4 =
      std::any_of(inputs.begin(), inputs.end(), [&](int32_t input) { return type(input) == DType::kInt4; });
  return reads_int4 ? "int4 weights" : "";
}

}  // namespace

std::vector<LayerLeftOut> LayersLeftOut(const schema::Model& model, const std::string& target) {
  const schema::Subgraph& graph = *model.subgraphs()->Get(0);
  const schema::Program* const program = ProgramFor(graph, target);
  std::vector<LayerLeftOut> layers;
  if (program == nullptr) return layers;
  for (uint32_t i = 0; i < Count(program->algorithms()); ++i) {
    const schema::Operator& op = *graph.operators()->Get(i);
    const std::string why = WhyLeftOut(graph, op, program->algorithms()->Get(i));
    if (!why.empty()) layers.push_back({schema::EnumNameOpCode(op.code()), Text(op.name()), why});
  }
  return layers;
}

std::string LeftOutText(const std::vector<LayerLeftOut>& layers, const std::string& target) {
  std::string text = "the library of the preset " + target + " refuses " + std::to_string(layers.size()) +
                     (layers.size() == 1 ? " layer" : " layers") + " that no int8 arithmetic computes:";
  for (size_t i = 0; i < std::min(layers.size(), kNamed); ++i) {
    const LayerLeftOut& layer = layers[i];
    text += (i == 0 ? " " : ", ") + layer.op + " '" + layer.node.substr(0, kMostOfName) + "' (" +
            layer.computes_in + ")";
  }
  if (layers.size() > kNamed) text += " and " + std::to_string(layers.size() - kNamed) + " more";
  return text +
         "; --quant int8 --calib PATH makes layers int8, -DMICRORT_FLOAT_LAYERS=ON builds a library for "
         "these";
}

}  // namespace micrort::target
