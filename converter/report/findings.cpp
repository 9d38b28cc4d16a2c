#include "converter/report/findings.h"

#include <algorithm>
#include <cmath>

#include "converter/report/numbers.h"

namespace micrort::report {
namespace {

constexpr double kManyClipped = 0.01;
// Where values reach over so small a part of the int8 range, steps are too coarse for them.
constexpr double kThinBulk = 0.1;
constexpr double kSlower = 1.05;

// The share of the int8 range in which 99 % of the values lie.
double UsedShare(const LayerQuality& layer) {
  uint64_t total = 0;
  for (const uint64_t n : layer.values.counts) total += n;
  if (total == 0 || !layer.is_int8) return 1.0;
  size_t first = 0, last = Bars::kCount - 1;
  const double cut = 0.005 * static_cast<double>(total);
  double below = 0.0, above = 0.0;
  while (first < last && (below += static_cast<double>(layer.values.counts[first])) <= cut) ++first;
  while (last > first && (above += static_cast<double>(layer.values.counts[last])) <= cut) --last;
  const double bar = (layer.values.high - layer.values.low) / static_cast<double>(Bars::kCount);
  return bar * static_cast<double>(last - first + 1) / (layer.range_high - layer.range_low);
}

// Why a layer may have lost so much, and what to try.
std::string LikelyCause(const LayerQuality& layer) {
  if (RangeFaultOf(layer) == RangeFault::kClips) {
    return Percent(layer.clipped_share) +
           " of its values lie outside of its int8 range and are clipped: calibrate with samples that show "
           "such values, or with --calib-method minmax, which clips nothing.";
  }
  if (RangeFaultOf(layer) == RangeFault::kWide) {
    return "99 % of its values lie in " + Percent(UsedShare(layer)) +
           " of its int8 range, the rest of which a few outliers take: try --calib-method percentile or kl.";
  }
  return "Its range fits its values; 8 bits are too few here. --keep-float '" + layer.node +
         "' keeps it in float.";
}

std::string Capitalized(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

class Finder {
 public:
  explicit Finder(const Quality& quality) : quality_(quality) {}

  std::vector<Finding> Find(const std::vector<quantize::SampleWarning>& warnings) {
    for (const quantize::SampleWarning& warning : warnings)
      found_.push_back({warning.is_misfit ? Finding::Kind::kDoubtfulSamples : Finding::Kind::kAdvice,
                        Capitalized(warning.found), Capitalized(warning.advice) + "."});
    AboutOutputs();
    AboutJump();
    AboutTime();
    return std::move(found_);
  }

 private:
  void AboutOutputs() {
    for (const ComparedTensor& output : quality_.outputs) {
      const double snr = output.similarity.Snr();
      if (snr >= kDoubtfulSnr) continue;
      const bool broken = !(snr >= kBrokenSnr);
      found_.push_back(
          {Finding::Kind::kSymptom,
           "Output '" + output.name + "' " +
               (broken ? "has little to do with the float model's" : "is far from the float model's"),
           "Signal to noise ratio: " + InDecibels(snr) + ". " +
               (broken ? "Below 10 dB a model is most likely of no use."
                       : "Between 10 and 20 dB many models still answer right: check the accuracy "
                         "on real data.")});
      has_symptom_ = true;
    }
  }

  // Interesting where it harms; in a good model some layer is always the first one to lose something.
  void AboutJump() {
    if (quality_.first_jump == Quality::kNone || !has_symptom_) return;
    const LayerQuality& layer = quality_.layers[quality_.first_jump];
    found_.push_back({Finding::Kind::kCause, "The error jumps first at " + layer.op + " '" + layer.node + "'",
                      InDecibels(layer.input_snr) + " before it, " + InDecibels(layer.snr()) +
                          " behind it. " + LikelyCause(layer)});
  }

  void AboutTime() {
    const double before = quality_.baseline.microseconds;
    if (before == 0.0 || quality_.microseconds <= before * kSlower) return;
    const bool has_halves =
        std::any_of(quality_.layers.begin(), quality_.layers.end(),
                    [](const LayerQuality& layer) { return layer.computes.rfind("float16", 0) == 0; });
    found_.push_back({Finding::Kind::kAdvice, "The float model may be faster on this target",
                      "Estimated " + Time(quality_.microseconds) + " against " + Time(before) +
                          " in float: " +
                          (has_halves ? "halves gain on CPUs with half arithmetic (--target fp16)."
                                      : "--quant auto quantizes only what gains.")});
  }

  const Quality& quality_;
  bool has_symptom_ = false;
  std::vector<Finding> found_;
};

}  // namespace

RangeFault RangeFaultOf(const LayerQuality& layer) {
  if (layer.clipped_share > kManyClipped) return RangeFault::kClips;
  return UsedShare(layer) < kThinBulk ? RangeFault::kWide : RangeFault::kNone;
}

std::vector<Finding> Find(const Quality& quality, const std::vector<quantize::SampleWarning>& warnings) {
  return Finder(quality).Find(warnings);
}

}  // namespace micrort::report
