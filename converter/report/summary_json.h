#pragma once
// The summary of a conversion for programs: what `mnnconvert --json` writes.

#include <string>
#include <vector>

#include "converter/observe/next_tokens.h"
#include "converter/report/finite_json.h"
#include "converter/report/summary.h"
#include "converter/report/verify.h"

namespace micrort::report {

// One JSON object. Figures that depend on the inputs' sizes and values, and SNRs that are not finite, are
// null; `verify` and `expect` are null where nothing was compared.
std::string ToJson(const Summary& summary, const std::vector<ComparedTensor>& verified,
                   const std::vector<ComparedTensor>& expected, const observe::NextTokens& tokens = {});
// Null unless they are known.
Json NextTokensJson(const observe::NextTokens& tokens);
// What --quant auto chose by; null without it.
Json AutoJson(const quantize::Report& report);

}  // namespace micrort::report
