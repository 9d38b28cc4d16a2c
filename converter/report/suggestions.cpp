#include "converter/report/suggestions.h"

#include <algorithm>

#include "converter/report/findings.h"
#include "converter/report/numbers.h"

namespace micrort::report {
namespace {

// Layers are named until they explain so much of the damage.
constexpr double kExplained = 0.8;
constexpr size_t kMostLayers = 6;

// As a shell takes it, whatever is in it.
std::string ShellQuoted(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

bool IsClose(const Quality& quality) {
  return std::all_of(quality.outputs.begin(), quality.outputs.end(),
                     [](const ComparedTensor& output) { return output.similarity.Snr() >= kGoodSnr; });
}

std::vector<const LayerQuality*> MostDamaging(const Quality& quality) {
  std::vector<const LayerQuality*> layers;
  double all = 0.0, named = 0.0;
  const auto counts = [](const LayerQuality& layer) {
    return layer.is_compared && layer.damage > 0 && layer.kept_float.empty() && layer.computes != "float32";
  };
  for (const LayerQuality& layer : quality.layers) all += counts(layer) ? layer.damage : 0.0;
  for (const size_t i : ByDamage(quality)) {
    const LayerQuality& layer = quality.layers[i];
    if (!counts(layer) || named >= kExplained * all || layers.size() == kMostLayers) continue;
    layers.push_back(&layer);
    named += layer.damage;
  }
  return layers;
}

void SuggestRange(const std::vector<const LayerQuality*>& layers, std::vector<Suggestion>* out) {
  for (const LayerQuality* layer : layers) {
    switch (RangeFaultOf(*layer)) {
      case RangeFault::kClips:
        out->push_back({"Values of " + layer->op + " '" + layer->node + "' are clipped; this clips none.",
                        "--calib-method minmax"});
        return;
      case RangeFault::kWide:
        out->push_back({"Outliers take most of the range of " + layer->op + " '" + layer->node +
                            "'; this cuts them off.",
                        "--calib-method percentile"});
        return;
      case RangeFault::kNone:
        break;
    }
  }
}

}  // namespace

std::vector<Suggestion> Suggest(const Quality& quality) {
  std::vector<Suggestion> suggestions;
  if (quality.summary.quant == QuantMode::kNone || IsClose(quality)) return suggestions;
  const bool on_random = quality.verified_on == "random inputs";
  if (on_random)
    suggestions.push_back({"Measures on real data, and calibrates with them.", "--calib FOLDER"});
  const std::vector<const LayerQuality*> layers = MostDamaging(quality);
  SuggestRange(layers, &suggestions);
  std::string keep;
  for (const LayerQuality* layer : layers)
    keep += (keep.empty() ? "" : " ") + ("--keep-float " + ShellQuoted(layer->node));
  if (!keep.empty()) suggestions.push_back({"Keeps the layers that do most of the damage in float.", keep});
  if (!on_random && quality.summary.quant == QuantMode::kInt8) {
    suggestions.push_back({"Lets the converter choose types within a loss that you allow.", "--quant auto"});
  }
  return suggestions;
}

}  // namespace micrort::report
