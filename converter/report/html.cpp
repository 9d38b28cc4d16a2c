#include <algorithm>
#include <cmath>

#include "converter/report/html_style.h"
#include "converter/report/html_text.h"
#include "converter/report/numbers.h"
#include "converter/report/quality.h"
#include "converter/report/suggestions.h"
#include "converter/report/svg.h"

namespace micrort::report {
namespace {

constexpr size_t kWorstShown = 6;

const char* ClassOf(double snr) {
  if (snr >= kDoubtfulSnr) return snr >= kGoodSnr ? "good" : "fair";
  return "bad";
}

std::string Colored(double snr) {
  return std::string("<span class='") + ClassOf(snr) + "'>" + Decibels(snr) + "</span>";
}

std::string Cell(const std::string& html) { return "<td>" + html + "</td>"; }
std::string Number(const std::string& html) { return "<td class='n'>" + html + "</td>"; }
std::string Head(const char* name, const char* meaning) {
  return std::string("<th title='") + Escaped(meaning) + "'>" + name + "</th>";
}

double WorstOutput(const Quality& quality) {
  double worst = std::numeric_limits<double>::infinity();
  for (const ComparedTensor& output : quality.outputs) {
    const double snr = output.similarity.Snr();
    if (!(snr >= worst)) worst = snr;
  }
  return worst;
}

bool HasDoubtfulSamples(const Quality& quality) {
  return std::any_of(quality.findings.begin(), quality.findings.end(),
                     [](const Finding& finding) { return finding.kind == Finding::Kind::kDoubtfulSamples; });
}

std::string Verdict(const Quality& quality) {
  if (quality.outputs.empty()) return "No output could be compared with the float model.";
  const double snr = WorstOutput(quality);
  if (HasDoubtfulSamples(quality)) {
    return "<span class='bad'>Measured on samples that look wrong</span>: that the converted model is "
           "within " +
           InDecibels(snr) + " of the float model on them says nothing about real inputs.";
  }
  const bool on_random = quality.verified_on == "random inputs";
  std::string text;
  if (snr >= kGoodSnr) {
    text = "The converted model follows the float model closely";
  } else if (snr >= kDoubtfulSnr) {
    text = "The converted model is near the float model; for most networks that is close enough";
  } else if (snr >= kBrokenSnr) {
    text = "The converted model is visibly different from the float model: check its accuracy on real data";
  } else {
    text = "The converted model does not answer as the float model does";
  }
  return "<span class='" + std::string(ClassOf(snr)) + "'>" + text + "</span> (" + InDecibels(snr) + ", on " +
         Escaped(quality.verified_on) + ")." +
         (on_random ? " Random inputs say little: give real ones by <code>--calib</code>." : "");
}

std::string FindingsHtml(const Quality& quality) {
  std::string text;
  for (const Finding& finding : quality.findings) {
    const bool cause =
        finding.kind == Finding::Kind::kCause || finding.kind == Finding::Kind::kDoubtfulSamples;
    const bool advice = finding.kind == Finding::Kind::kAdvice;
    text += std::string("<div class='finding") +
            (cause    ? " cause"
             : advice ? " advice"
                      : "") +
            "'><span class='kind'>" +
            (cause    ? "likely cause"
             : advice ? "advice"
                      : "symptom") +
            "</span><b>" + Escaped(finding.title) + "</b>" + Escaped(finding.text) + "</div>\n";
  }
  return text;
}

std::string SuggestionsHtml(const Quality& quality) {
  std::string text;
  for (const Suggestion& suggestion : Suggest(quality)) {
    text += "<p>" + Escaped(suggestion.why) + "<code class='flags'>" + Escaped(suggestion.flags) +
            "</code></p>\n";
  }
  if (text.empty()) return "";
  return "<h2>Flags to try</h2><div class='panel'>" + text + "</div>\n";
}

std::string Card(const char* name, const std::string& value, const std::string& note) {
  return std::string("<div class='card'><div class='name'>") + name + "</div><div class='value'>" + value +
         "</div><div class='soft'>" + note + "</div></div>\n";
}

std::string Ratio(double now, double before) {
  return before > 0 ? Short(now / before) + " of float's " : "float: ";
}

std::string TenthsOfPercent(double share) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f %%", 100 * share);
  return text;
}

std::string Digits(double x, const char* format) {
  char text[32];
  std::snprintf(text, sizeof text, format, x);
  return text;
}

std::string NextTokensCard(const observe::NextTokens& tokens) {
  if (!tokens.is_known()) return "";
  const std::string divergence = "KL divergence " + Digits(tokens.divergence(), "%.3g") + "; " +
                                 TenthsOfPercent(tokens.same()) + " the same tokens at " +
                                 std::to_string(tokens.positions()) + " positions";
  if (tokens.predicted() == 0) return Card("Same tokens", TenthsOfPercent(tokens.same()), divergence);
  return Card("Perplexity", Digits(tokens.perplexity(), "%.4g"),
              "float: " + Digits(tokens.perplexity_in_float(), "%.4g") + "; " + divergence);
}

std::string Cards(const Quality& quality) {
  const Summary &now = quality.summary, &before = quality.baseline.summary;
  std::string text = "<div class='cards'>";
  text += Card("Worst output", Colored(WorstOutput(quality)) + " dB",
               "signal to noise ratio against the float model");
  const TaskAccuracy& accuracy = quality.task.accuracy;
  if (accuracy.is_known()) {
    text +=
        Card("Right answers", TenthsOfPercent(accuracy.converted()),
             "float: " + TenthsOfPercent(accuracy.in_float()) + "; of " + std::to_string(accuracy.samples()) +
                 " samples; " + TenthsOfPercent(accuracy.same()) + " the same answers");
  }
  text += NextTokensCard(quality.task.next_tokens);
  text += Card("File", Bytes(now.file_bytes),
               Ratio(static_cast<double>(now.file_bytes), static_cast<double>(before.file_bytes)) +
                   Bytes(before.file_bytes));
  if (now.is_measured && before.is_measured) {
    text += Card("Arena", Bytes(now.arena_bytes),
                 Ratio(static_cast<double>(now.arena_bytes), static_cast<double>(before.arena_bytes)) +
                     Bytes(before.arena_bytes));
  }
  text += Card("Estimated time", Time(quality.microseconds),
               Ratio(quality.microseconds, quality.baseline.microseconds) +
                   Time(quality.baseline.microseconds) + "; one core, " + Escaped(now.device));
  const quantize::Report& report = now.quantization;
  if (report.choice) {
    text += Card("Loss of --quant auto", Digits(report.choice->loss, "%.3g"),
                 report.choice->measure + "; at most " + Digits(report.choice->max_loss, "%.3g"));
  }
  if (now.quant != QuantMode::kNone) {
    text +=
        Card("Layers as asked", std::to_string(report.quantized) + " of " + std::to_string(report.layers),
             report.exceptions.empty() ? "none was kept in float" : "the table says why the others are not");
  }
  return text + "</div>\n";
}

std::string OutputsTable(const Quality& quality) {
  std::string text =
      "<h2>Outputs</h2><div class='wide'><table><tr><th>Output</th><th class='n'>SNR, dB</th><th "
      "class='n'>cosine</th>"
      "<th class='n'>largest error</th></tr>\n";
  for (const ComparedTensor& output : quality.outputs) {
    char cosine[32];
    std::snprintf(cosine, sizeof cosine, "%.6f", output.similarity.Cosine());
    text += "<tr>" + Cell(Escaped(output.name)) + Number(Colored(output.similarity.Snr())) + Number(cosine) +
            Number(Short(output.similarity.largest_error())) + "</tr>\n";
  }
  return text + "</table></div>\n";
}

std::string Progression(const Quality& quality) {
  const std::string picture = SnrPicture(quality, kWidePicture, "large");
  if (picture.empty()) return "";
  std::string text =
      "<h2>Where the error comes from</h2><p class='soft'>How close every layer's output is to the float "
      "model's, from the input to the output; higher is better, 6 dB are one bit. Point at a dot to see its "
      "layer. Below the dashed line results become doubtful.";
  if (quality.first_jump != Quality::kNone) {
    text += " The red dot is the first layer that adds much error: <b>" +
            Escaped(quality.layers[quality.first_jump].node) + "</b>.";
  } else {
    text += " No layer adds much error at once.";
  }
  return text + "</p><div class='panel'>" + picture + SnrPicture(quality, kNarrowPicture, "narrow") +
         "</div>\n";
}

std::string WorstLayer(const LayerQuality& layer) {
  std::string text = "<div class='panel'><h3>" + Escaped(layer.node) + "</h3><p class='soft'>" +
                     Escaped(layer.op) + ", " + Escaped(layer.computes) +
                     ". SNR: " + InDecibels(layer.input_snr) + " before it, " + Colored(layer.snr()) +
                     " dB behind it; clipped: " + Percent(layer.clipped_share) + "</p>";
  text += "Output values" + std::string(layer.is_int8 ? ", int8 range in blue" : "") +
          ValuesPicture(layer, kLargePicture);
  if (!layer.weights.empty()) text += "Weights" + BarsPicture(layer.weights, kLargePicture);
  return text + "</div>\n";
}

std::string WorstLayers(const Quality& quality, const std::vector<size_t>& order) {
  std::string text;
  for (size_t i = 0; i < std::min(order.size(), kWorstShown); ++i) {
    const LayerQuality& layer = quality.layers[order[i]];
    if (layer.is_compared && layer.damage > 0) text += WorstLayer(layer);
  }
  if (text.empty()) return "";
  return "<h2>The layers that do most damage</h2><p class='soft'>How often which value occurs in the float "
         "model; heights grow with the square root, zeros are left out. Bars that fill only a small part of "
         "the blue range waste int8's 256 steps; bars outside of it are clipped.</p><div class='worst'>" +
         text + "</div>\n";
}

std::string Row(const LayerQuality& layer, bool jump) {
  std::string text = jump ? "<tr class='jump'>" : "<tr>";
  text += Number(std::to_string(layer.position + 1));
  text += "<td class='name'>" + Escaped(layer.node) + "</td>" + Cell(Escaped(layer.op)) +
          Cell(Escaped(layer.computes));
  if (layer.is_compared) {
    char cosine[32];
    std::snprintf(cosine, sizeof cosine, "%.5f", layer.similarity.Cosine());
    text += Number(Colored(layer.snr())) + Number(cosine) +
            Number(layer.is_int8 ? Percent(layer.clipped_share) : "");
  } else {
    text += "<td></td><td></td><td></td>";
  }
  text += Cell(BarsPicture(layer.weights, kSmallPicture)) + Cell(ValuesPicture(layer, kSmallPicture));
  text += Number(layer.float_microseconds > 0 ? Time(layer.float_microseconds) : "") +
          Number(Time(layer.microseconds));
  return text + "<td class='why'>" + Escaped(layer.kept_float) + "</td></tr>\n";
}

std::string LayersTable(const Quality& quality, const std::vector<size_t>& order) {
  std::string text =
      "<h2>All layers, the most damaging first</h2><div class='wide'><table class='layers'><tr>";
  text += Head("#", "Place in run order") + Head("Layer", "Name of the node in the source model") +
          Head("Operator", "What it became") + Head("Computes in", "Type of its arithmetic") +
          Head("SNR, dB", "Of its output against the float model's, with all errors of the layers before") +
          Head("Cosine", "Of the angle between both outputs") +
          Head("Clipped", "Share of its output values outside of the int8 range") +
          Head("Weights", "How often which weight occurs") +
          Head("Values", "How often which output value occurs; the int8 range in blue") +
          Head("Float", "Estimated time in float") + Head("Now", "Estimated time as converted") +
          Head("Not quantized because", "");
  text += "</tr>\n";
  for (const size_t i : order) text += Row(quality.layers[i], i == quality.first_jump);
  return text + "</table></div>\n";
}

std::string Legend() {
  return "<h2>How to read this</h2><div class='panel'><dl>"
         "<dt>SNR</dt><dd>Signal to noise ratio: 20 dB means an error of a tenth of the signal, 40 dB of a "
         "hundredth. Over 30 dB results hardly change; under 20 dB check the accuracy on real data.</dd>"
         "<dt>Damage</dt><dd>The error that a layer adds to what its inputs bring along. The tables are "
         "sorted "
         "by it.</dd>"
         "<dt>Clipped</dt><dd>Values outside of the range that calibration gave the tensor. Many: the "
         "samples "
         "did not show such values, or <code>--calib-method</code> cut them off.</dd>"
         "<dt>Float, Now</dt><dd>Estimated, not measured: the cost by which the runtime chooses its "
         "algorithms, "
         "as time on one core of a PC. Good for comparing layers; <code>micrort-bench</code> measures.</dd>"
         "<dt>What to try</dt><dd><code>--keep-float LAYER</code> for the most damaging ones, another "
         "<code>--calib-method</code>, more samples of the kind that the model will see.</dd></dl></div>\n";
}

}  // namespace

std::string ToHtml(const Quality& quality) {
  const std::vector<size_t> order = ByDamage(quality);
  return std::string(
             "<!DOCTYPE html>\n<html lang='en'><head><meta charset='utf-8'><meta name='viewport' "
             "content='width=device-width, initial-scale=1'><title>Conversion of ") +
         Escaped(quality.model) + "</title><style>" + kStyle +
         "</style></head><body><main>\n<h1>Conversion of " + Escaped(quality.model) +
         "</h1>\n<p class='soft'>--quant " + QuantFlag(quality.summary.quant) + "</p>\n" +
         FindingsHtml(quality) + "<p class='verdict'>" + Verdict(quality) + "</p>\n" + Cards(quality) +
         SuggestionsHtml(quality) + OutputsTable(quality) + Progression(quality) +
         WorstLayers(quality, order) + LayersTable(quality, order) + Legend() + "</main></body></html>\n";
}

}  // namespace micrort::report
