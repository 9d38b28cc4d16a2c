#include <cstdio>

#include "converter/report/numbers.h"
#include "converter/report/quality.h"

namespace micrort::report {
namespace {

constexpr size_t kWorstNamed = 3;

std::string LayerLine(const LayerQuality& layer) {
  const bool compared = layer.is_compared;
  char cosine[32] = "";
  if (compared) std::snprintf(cosine, sizeof cosine, "%.6f", layer.similarity.Cosine());
  char line[160];
  std::snprintf(line, sizeof line, "%10s %9s %9s %9s %9s  %-16s %-28s ",
                compared ? Decibels(layer.snr()).c_str() : "", cosine,
                compared && layer.is_int8 ? Percent(layer.clipped_share).c_str() : "",
                layer.float_microseconds > 0 ? Short(layer.float_microseconds).c_str() : "",
                Short(layer.microseconds).c_str(), layer.op.c_str(), layer.computes.c_str());
  return line + layer.node + (layer.kept_float.empty() ? "" : " (" + layer.kept_float + ")") + "\n";
}

std::string JumpText(const Quality& quality) {
  if (quality.first_jump == Quality::kNone) return "no layer adds much error at once\n";
  const LayerQuality& layer = quality.layers[quality.first_jump];
  return "the error jumps first at " + layer.op + " '" + layer.node + "': " + InDecibels(layer.input_snr) +
         " before it, " + InDecibels(layer.snr()) + " behind it\n";
}

std::string WorstText(const Quality& quality) {
  std::string names;
  size_t named = 0;
  for (const size_t i : ByDamage(quality)) {
    const LayerQuality& layer = quality.layers[i];
    if (named == kWorstNamed || !layer.is_compared || layer.damage == 0) break;
    names += (named++ == 0 ? "" : ", ") + ("'" + layer.node + "'");
  }
  return named == 0 ? "" : "most damage: " + names + "\n";
}

}  // namespace

std::string LayersText(const Quality& quality) {
  std::string text = "verified on " + quality.verified_on + " against the source model in float\n" +
                     "    SNR dB    cosine   clipped  float us    now us  operator         computes in" +
                     "                  layer\n";
  for (const LayerQuality& layer : quality.layers) text += LayerLine(layer);
  for (const Finding& finding : quality.findings) text += finding.title + ": " + finding.text + "\n";
  return text + WorstText(quality) + JumpText(quality);
}

}  // namespace micrort::report
