#include "converter/report/summary_json.h"

#include "converter/report/finite_json.h"

namespace micrort::report {
namespace {

Json Measured(const Summary& summary, uint64_t bytes) {
  return summary.is_measured ? Json(bytes) : Json(nullptr);
}

Json FloatLayers(const quantize::Report& report) {
  Json layers = Json::array();
  for (const quantize::Exception& e : report.exceptions) {
    layers.push_back({{"name", e.node}, {"operator", e.op}, {"why", e.reason}});
  }
  return layers;
}

Json LeftOut(const std::vector<target::LayerLeftOut>& left_out) {
  Json layers = Json::array();
  for (const target::LayerLeftOut& layer : left_out) {
    layers.push_back({{"name", layer.node}, {"operator", layer.op}, {"computes_in", layer.computes_in}});
  }
  return layers;
}

Json ConstantInputs(const std::vector<frontend::ConstantInput>& inputs) {
  Json constants = Json::array();
  for (const frontend::ConstantInput& input : inputs) {
    constants.push_back({{"input", input.name},
                         {"dtype", input.is_tensor() ? Name(input.dtype) : "text"},
                         {"shape", input.shape},
                         {"value", input.value}});
  }
  return constants;
}

Json FixedDimensions(const std::vector<ir::size::FixedDim>& dims) {
  Json fixed = Json::array();
  for (const ir::size::FixedDim& dim : dims) {
    fixed.push_back({{"input", dim.at.input}, {"dim", dim.at.dim}, {"size", dim.size}, {"node", dim.node}});
  }
  return fixed;
}

Json TensorsJson(const char* what, const std::vector<ComparedTensor>& compared) {
  if (compared.empty()) return nullptr;
  Json tensors = Json::array();
  for (const ComparedTensor& tensor : compared) {
    const double snr = tensor.similarity.Snr();
    tensors.push_back({{"name", tensor.name},
                       {"snr_db", Finite(snr)},
                       {"equal", std::isinf(snr) && snr > 0},
                       {"cosine", Finite(tensor.similarity.Cosine())}});
  }
  return {{what, tensors}};
}

// The comparison of outputs, and its effect on the tokens of a decoder.
Json VerifyJson(const std::vector<ComparedTensor>& verified, const observe::NextTokens& tokens) {
  Json json = TensorsJson("outputs", verified);
  if (!json.is_null() && tokens.is_known()) json["next_tokens"] = NextTokensJson(tokens);
  return json;
}

Json RegionsJson(const plan::RegionPlan& plan) {
  Json regions = Json::array();
  for (size_t i = 0; i < plan.regions.size(); ++i) {
    regions.push_back({{"name", plan.regions[i].name},
                       {"bytes", plan.regions[i].bytes},
                       {"offset", plan.regions[i].offset},
                       {"used_bytes", plan.used_bytes[i]},
                       {"touched_bytes", plan.touched_bytes[i]}});
  }
  return regions;
}

}  // namespace

Json NextTokensJson(const observe::NextTokens& tokens) {
  if (!tokens.is_known()) return nullptr;
  return {{"positions", tokens.positions()},
          {"perplexity_float", Finite(tokens.perplexity_in_float())},
          {"perplexity", Finite(tokens.perplexity())},
          {"kl_divergence", Finite(tokens.divergence())},
          {"same_tokens", tokens.same()}};
}

Json AutoJson(const quantize::Report& report) {
  if (!report.choice) return nullptr;
  const quantize::AutoChoice& choice = *report.choice;
  return {{"goal", choice.goal},
          {"measure", choice.measure},
          {"loss", Finite(choice.loss)},
          {"max_loss", Finite(choice.max_loss)}};
}

std::string ToJson(const Summary& s, const std::vector<ComparedTensor>& verified,
                   const std::vector<ComparedTensor>& expected, const observe::NextTokens& tokens) {
  const uint64_t in_file = s.packed_for_target.packed_bytes;
  const bool gives_int8 = s.quant == QuantMode::kInt8 || s.quant == QuantMode::kAuto;
  const std::string refusal = RefusalText(s);
  Json json = {{"operators_before", s.ops_before},
               {"operators_after", s.ops_after},
               {"file_bytes", s.file_bytes},
               {"weight_bytes", s.weight_bytes},
               {"cache_bytes", s.cache_bytes},
               {"cache_type", s.cache_type.empty() ? Json(nullptr) : Json(s.cache_type)},
               {"packed_bytes", Measured(s, s.packed_bytes)},
               {"packed_in_file_bytes", in_file},
               {"arena_bytes", Measured(s, s.arena_bytes)},
               {"arena_lower_bound", Measured(s, s.arena_lower_bound)},
               {"ram_bytes", Measured(s, s.ram_bytes())},
               {"target", s.target.empty() ? "portable" : s.target},
               {"target_threads", s.threads},
               {"device", s.device},
               {"device_refuses", LeftOut(s.left_out)},
               {"device_refusal", refusal.empty() ? Json(nullptr) : Json(refusal)},
               {"quant", QuantFlag(s.quant)},
               {"auto", AutoJson(s.quantization)},
               {"int8_layers", s.given_int8 + (gives_int8 ? s.quantization.quantized : 0)},
               {"float_layers", FloatLayers(s.quantization)},
               {"constant_inputs", ConstantInputs(s.constant_inputs)},
               {"fixed_dimensions", FixedDimensions(s.fixed_dimensions)},
               {"verify", VerifyJson(verified, tokens)},
               {"expect", TensorsJson("tensors", expected)}};
  if (!s.regions.used_bytes.empty()) json["memory_regions"] = RegionsJson(s.regions);
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace micrort::report
