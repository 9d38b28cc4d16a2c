#include "converter/report/min_snr.h"

#include <cstdio>

namespace micrort::report {

double DefaultMinSnr(QuantMode quant) {
  switch (quant) {
    case QuantMode::kNone:  // which a model that is quantized already rounds otherwise
    case QuantMode::kFp16:
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

Status CheckSnr(const std::vector<ComparedTensor>& outputs, QuantMode quant, std::optional<double> min_snr) {
  const double least = min_snr.value_or(DefaultMinSnr(quant));
  std::string found;
  for (const ComparedTensor& output : outputs) {
    if (!min_snr && !output.is_float) continue;
    const double snr = output.similarity.Snr();
    if (snr >= least && !output.similarity.is_all_nan()) continue;
    char figure[32];
    std::snprintf(figure, sizeof figure, "%.2f dB", snr);
    found += (found.empty() ? "'" : ", '") + output.name + "' has " +
             (output.similarity.is_all_nan() ? "nothing but NaN" : figure);
  }
  if (found.empty()) return Status();
  return MICRORT_ERROR(kUnsupported,
                       "--verify: output %s, but at least %g dB are expected (%s); the model is not written. "
                       "--report shows where the error comes from, --min-snr sets another limit",
                       found.c_str(), least, min_snr ? "--min-snr" : "the default of this --quant");
}

}  // namespace micrort::report
