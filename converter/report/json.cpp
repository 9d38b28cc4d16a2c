#include "converter/report/finite_json.h"
#include "converter/report/quality.h"
#include "converter/report/suggestions.h"
#include "converter/report/summary_json.h"

namespace micrort::report {
namespace {

// "snr_db": null where the tensors are equal, which "equal" tells apart from figures that are not finite.
Json SimilarityJson(const io::Similarity& similarity) {
  return {{"snr_db", Finite(similarity.Snr())},
          {"equal", std::isinf(similarity.Snr()) && similarity.Snr() > 0},
          {"cosine", Finite(similarity.Cosine())},
          {"largest_error", Finite(similarity.largest_error())}};
}

Json BarsJson(const Bars& bars) {
  if (bars.empty()) return nullptr;
  return {{"low", bars.low}, {"high", bars.high}, {"counts", bars.counts}};
}

const char* KindName(Finding::Kind kind) {
  switch (kind) {
    case Finding::Kind::kDoubtfulSamples:
    case Finding::Kind::kCause:
      return "cause";
    case Finding::Kind::kSymptom:
      return "symptom";
    case Finding::Kind::kAdvice:
      break;
  }
  return "advice";
}

Json SizesJson(const Summary& summary, double microseconds) {
  Json json = {{"file_bytes", summary.file_bytes}, {"weight_bytes", summary.weight_bytes}};
  json["arena_bytes"] = summary.is_measured ? Json(summary.arena_bytes) : Json(nullptr);
  json["packed_bytes"] = summary.is_measured ? Json(summary.packed_bytes) : Json(nullptr);
  json["estimated_us"] = microseconds;
  return json;
}

Json LayerJson(const LayerQuality& layer) {
  Json json = {{"position", layer.position}, {"node", layer.node}, {"operator", layer.op}};
  json["tensor"] = layer.tensor.empty() ? Json(nullptr) : Json(layer.tensor);
  json["computes"] = layer.computes;
  json["kept_float"] = layer.kept_float.empty() ? Json(nullptr) : Json(layer.kept_float);
  json["similarity"] = layer.is_compared ? SimilarityJson(layer.similarity) : Json(nullptr);
  json["input_snr_db"] = Finite(layer.input_snr);
  json["damage"] = layer.is_compared ? Finite(layer.damage) : Json(nullptr);
  json["clipped_share"] = layer.is_int8 ? Json(layer.clipped_share) : Json(nullptr);
  json["int8_range"] = layer.is_int8 ? Json::array({layer.range_low, layer.range_high}) : Json(nullptr);
  json["float_estimated_us"] = layer.float_microseconds;
  json["estimated_us"] = layer.microseconds;
  json["values"] = BarsJson(layer.values);
  json["weights"] = BarsJson(layer.weights);
  return json;
}

}  // namespace

std::string ToJson(const Quality& quality) {
  Json json = {{"model", quality.model},
               {"quant", QuantFlag(quality.summary.quant)},
               {"verified_on", quality.verified_on}};
  json["suggestions"] = Json::array();
  for (const Suggestion& suggestion : Suggest(quality)) {
    json["suggestions"].push_back({{"why", suggestion.why}, {"flags", suggestion.flags}});
  }
  json["findings"] = Json::array();
  for (const Finding& finding : quality.findings) {
    json["findings"].push_back(
        {{"kind", KindName(finding.kind)}, {"title", finding.title}, {"text", finding.text}});
  }
  json["float"] = SizesJson(quality.baseline.summary, quality.baseline.microseconds);
  json["converted"] = SizesJson(quality.summary, quality.microseconds);
  json["auto"] = AutoJson(quality.summary.quantization);
  json["layers_quantized"] = quality.summary.quantization.quantized;
  json["layers_with_weights"] = quality.summary.quantization.layers;
  json["outputs"] = Json::array();
  for (const ComparedTensor& output : quality.outputs) {
    Json of_output = {{"name", output.name}};
    of_output.update(SimilarityJson(output.similarity));
    json["outputs"].push_back(of_output);
  }
  const TaskAccuracy& accuracy = quality.task.accuracy;
  json["accuracy"] = nullptr;
  if (accuracy.is_known()) {
    json["accuracy"] = {{"samples", accuracy.samples()},
                        {"float", accuracy.in_float()},
                        {"converted", accuracy.converted()},
                        {"same_answers", accuracy.same()}};
  }
  json["next_tokens"] = NextTokensJson(quality.task.next_tokens);
  const bool jumps = quality.first_jump != Quality::kNone;
  json["first_jump"] = jumps ? Json(quality.layers[quality.first_jump].node) : Json(nullptr);
  json["layers"] = Json::array();
  for (const size_t i : ByDamage(quality)) json["layers"].push_back(LayerJson(quality.layers[i]));
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace micrort::report
