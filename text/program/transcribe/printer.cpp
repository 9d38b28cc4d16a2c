#include "text/program/transcribe/printer.h"

#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

namespace micrort {
namespace {

using nlohmann::ordered_json;

bool Print(const std::string& text) {
  return std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
}

double RatioOf(double value, double by) { return by > 0 ? value / by : 0; }

double TotalSeconds(const text::Transcription& made) {
  return made.feature_seconds + made.encode_seconds + made.prefill_seconds + made.decode_seconds;
}

void PrintJson(const text::Transcription& made) {
  ordered_json segments = ordered_json::array();
  for (const text::SpeechSegment& segment : made.segments)
    segments.push_back(
        {{"begin", segment.begin}, {"end", segment.end}, {"text", segment.text}, {"tokens", segment.tokens}});
  const ordered_json document = {
      {"text", made.text},
      {"language", made.language},
      {"segments", segments},
      {"audio_seconds", made.audio_seconds},
      {"feature_seconds", made.feature_seconds},
      {"encode_seconds", made.encode_seconds},
      {"prefill_seconds", made.prefill_seconds},
      {"decode_seconds", made.decode_seconds},
      {"real_time_factor", RatioOf(TotalSeconds(made), made.audio_seconds)},
      {"tokens", made.tokens},
      {"decode_tokens_per_second", RatioOf(static_cast<double>(made.tokens), made.decode_seconds)}};
  Print(document.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n");
}

}  // namespace

std::string TimeText(double seconds) {
  const auto all = static_cast<long long>(std::llround(seconds * 1000));
  const long long hours = all / 3600000, minutes = all / 60000 % 60, rest = all % 60000;
  char text[64];
  if (hours > 0) {
    std::snprintf(text, sizeof text, "%lld:%02lld:%02lld.%03lld", hours, minutes, rest / 1000, rest % 1000);
  } else {
    std::snprintf(text, sizeof text, "%02lld:%02lld.%03lld", minutes, rest / 1000, rest % 1000);
  }
  return text;
}

text::TranscribeCallbacks TranscriptPrinter::Callbacks() const {
  text::TranscribeCallbacks callbacks;
  if (form_ == Form::kText) callbacks.on_text = Print;
  if (form_ == Form::kSegments)
    callbacks.on_segment = [](const text::SpeechSegment& segment) {
      return Print("[" + TimeText(segment.begin) + " --> " + TimeText(segment.end) + "] " + segment.text +
                   "\n");
    };
  return callbacks;
}

void TranscriptPrinter::Finish(const text::Transcription& made) const {
  if (form_ == Form::kText) Print("\n");
  if (form_ == Form::kJson) PrintJson(made);
  std::fprintf(stderr,
               "audio %.1f s, %.3f of real time: features %.2f s, encoder %.2f s, prompts %.2f s, decode %zu "
               "tokens, %.1f a second\n",
               made.audio_seconds, RatioOf(TotalSeconds(made), made.audio_seconds), made.feature_seconds,
               made.encode_seconds, made.prefill_seconds, made.tokens,
               RatioOf(static_cast<double>(made.tokens), made.decode_seconds));
}

}  // namespace micrort
