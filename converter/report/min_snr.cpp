#include "converter/report/min_snr.h"

#include <cstdio>

namespace micrort::report {
namespace {

// Those below the limit, in quotes and with their figures.
std::vector<std::string> Failures(const std::vector<ComparedTensor>& tensors, double least, bool all) {
  std::vector<std::string> failures;
  for (const ComparedTensor& tensor : tensors) {
    if (!all && !tensor.is_float) continue;
    const double snr = tensor.similarity.Snr();
    if (snr >= least && !tensor.similarity.is_all_nan()) continue;
    char figure[32];
    std::snprintf(figure, sizeof figure, "%.2f dB", snr);
    failures.push_back("'" + tensor.name + "' has " +
                       (tensor.similarity.is_all_nan() ? "nothing but NaN" : figure));
  }
  return failures;
}

const char* OriginOf(const std::optional<double>& min_snr) {
  return min_snr ? "--min-snr" : "the default of this --quant";
}

}  // namespace

double DefaultMinSnr(QuantMode quant) {
  switch (quant) {
    case QuantMode::kNone:  // which a model that is quantized already rounds otherwise
    case QuantMode::kFp16:
    case QuantMode::kInt16x8:
      return 25.0;
    case QuantMode::kInt8Weights:
      return 15.0;
    case QuantMode::kInt8:
    case QuantMode::kAuto:
      return 10.0;
    case QuantMode::kInt4Weights:
      return 5.0;
  }
  return 0.0;
}

Status CheckOutputs(const std::vector<ComparedTensor>& outputs, QuantMode quant,
                    std::optional<double> min_snr) {
  const double least = min_snr.value_or(DefaultMinSnr(quant));
  std::string found;
  for (const std::string& failure : Failures(outputs, least, min_snr.has_value()))
    found += (found.empty() ? "" : ", ") + failure;
  if (found.empty()) return Status();
  return MICRORT_ERROR(kUnsupported,
                       "--verify: output %s, but at least %g dB are expected (%s); the model is not written. "
                       "--report shows where the error comes from, --min-snr sets another limit",
                       found.c_str(), least, OriginOf(min_snr));
}

Status CheckExpected(const std::vector<ComparedTensor>& tensors, QuantMode quant,
                     std::optional<double> min_snr) {
  const double least = min_snr.value_or(DefaultMinSnr(quant));
  const std::vector<std::string> failures = Failures(tensors, least, min_snr.has_value());
  if (failures.empty()) return Status();
  return MICRORT_ERROR(kUnsupported,
                       "--expect: %zu of %zu tensors have less than %g dB (%s), in run order first %s; the "
                       "model is not written. --min-snr sets another limit",
                       failures.size(), tensors.size(), least, OriginOf(min_snr), failures[0].c_str());
}

}  // namespace micrort::report
