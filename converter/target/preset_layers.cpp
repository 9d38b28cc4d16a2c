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

constexpr char kInt16[] = "int16";

// Empty: the preset computes it.
std::string WhyLeftOut(const schema::Subgraph& graph, const schema::Operator& op, uint8_t algorithm) {
  const auto type = [&](int32_t tensor) {
    return tensor < 0 ? DType::kFloat32 : TypeOf(*graph.tensors()->Get(static_cast<uint32_t>(tensor)));
  };
  const Span<const int32_t> inputs = Ints(op.inputs()), outputs = Ints(op.outputs());
  const auto begins_with_int16 = [&](Span<const int32_t> tensors) {
    return !tensors.empty() && type(tensors[0]) == DType::kInt16;
  };
  // An operator that only moves int16 has no rounding.
  if (op.rounding() != schema::Rounding::Exact && (begins_with_int16(inputs) || begins_with_int16(outputs)))
    return kInt16;
  if (op.code() == schema::OpCode::Gather && type(outputs[0]) == DType::kFloat32 &&
      (type(inputs[0]) == DType::kInt4 || type(inputs[0]) == DType::kFloat16))
    return Name(type(inputs[0]));
  if (algorithm == 0) return "";
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
  for (uint32_t i = 0; i < Count(graph.operators()); ++i) {
    const schema::Operator& op = *graph.operators()->Get(i);
    const uint8_t algorithm = i < Count(program->algorithms()) ? program->algorithms()->Get(i) : 0;
    const std::string why = WhyLeftOut(graph, op, algorithm);
    if (!why.empty()) layers.push_back({schema::EnumNameOpCode(op.code()), Text(op.name()), why});
  }
  return layers;
}

std::string OptionsFor(const std::vector<LayerLeftOut>& layers) {
  const auto is_int16 = [](const LayerLeftOut& layer) { return layer.computes_in == kInt16; };
  const bool has_int16 = std::any_of(layers.begin(), layers.end(), is_int16);
  if (std::all_of(layers.begin(), layers.end(), is_int16)) return has_int16 ? "MICRORT_INT16=ON" : "";
  return std::string("MICRORT_FLOAT_LAYERS=ON") + (has_int16 ? " and MICRORT_INT16=ON" : "");
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
  return text + "; --quant int8 --calib PATH makes layers of floats int8, a library built with " +
         OptionsFor(layers) + " computes these";
}

}  // namespace micrort::target
