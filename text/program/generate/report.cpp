#include "text/program/generate/report.h"

#include <cstdio>
#include <nlohmann/json.hpp>

namespace micrort {
namespace {

const char* NameOf(text::StopReason reason) {
  switch (reason) {
    case text::StopReason::kLength:
      return "length";
    case text::StopReason::kEndToken:
      return "end_token";
    case text::StopReason::kStopWord:
      return "stop_word";
    case text::StopReason::kCallback:
      return "output_closed";
  }
  return "";
}

double Rate(size_t count, double seconds) { return seconds > 0 ? static_cast<double>(count) / seconds : 0; }

}  // namespace

bool AnswerPrinter::Print(const std::string& text) {
  text_ += text;
  if (json_) return true;
  return std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
}

bool AnswerPrinter::AddToken(int32_t token) {
  const std::string before = is_first_ ? "" : " ";
  is_first_ = false;
  return Print(before + std::to_string(token));
}

bool AnswerPrinter::AddText(const std::string& text) { return Print(text); }

void AnswerPrinter::Finish(const text::GenerateResult& result) {
  const double prefill = Rate(result.prompt_tokens, result.prefill_seconds);
  const double decode = Rate(result.decode_runs, result.decode_seconds);
  if (json_) {
    const nlohmann::ordered_json document = {{"text", text_},
                                             {"tokens", result.tokens},
                                             {"stop_reason", NameOf(result.reason)},
                                             {"prompt_tokens", result.prompt_tokens},
                                             {"prefill_tokens_per_second", prefill},
                                             {"decode_tokens_per_second", decode}};
    std::printf("%s\n", document.dump(2, ' ', false, nlohmann::json::error_handler_t::replace).c_str());
  } else {
    std::printf("\n");
    std::fflush(stdout);
  }
  std::fprintf(stderr, "prefill %zu tokens, %.1f a second; decode %zu tokens, %.1f a second\n",
               result.prompt_tokens, prefill, result.decode_runs, decode);
}

}  // namespace micrort
