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

std::string TimeText(double seconds, bool is_subtitle, char point) {
  const auto all = static_cast<long long>(std::llround(seconds * 1000));
  const long long hours = all / 3600000, minutes = all / 60000 % 60, rest = all % 60000;
  char text[64];
  std::snprintf(text, sizeof text, "%02lld:%02lld%c%03lld", minutes, rest / 1000, point, rest % 1000);
  if (hours == 0 && !is_subtitle) return text;
  const std::string before = std::to_string(hours);
  return (is_subtitle && hours < 10 ? "0" : "") + before + ":" + text;
}

void TranscriptPrinter::PrintTitle() const {
  if (form_ == Form::kVtt) Print("WEBVTT\n\n");
}

bool TranscriptPrinter::PrintSegment(const text::SpeechSegment& segment) {
  const bool is_subtitle = form_ != Form::kSegments;
  const char point = form_ == Form::kSrt ? ',' : '.';
  const std::string times =
      TimeText(segment.begin, is_subtitle, point) + " --> " + TimeText(segment.end, is_subtitle, point);
  if (segments_++ == 0) PrintTitle();
  if (form_ == Form::kSegments) return Print("[" + times + "] " + segment.text + "\n");
  const std::string number = form_ == Form::kSrt ? std::to_string(segments_) + "\n" : "";
  return Print(number + times + "\n" + segment.text + "\n\n");
}

text::TranscribeCallbacks TranscriptPrinter::Callbacks() {
  text::TranscribeCallbacks callbacks;
  if (form_ == Form::kText) callbacks.on_text = Print;
  if (form_ == Form::kSegments || form_ == Form::kSrt || form_ == Form::kVtt)
    callbacks.on_segment = [this](const text::SpeechSegment& segment) { return PrintSegment(segment); };
  return callbacks;
}

void TranscriptPrinter::Finish(const text::Transcription& made) {
  if (form_ == Form::kText) Print("\n");
  if (form_ == Form::kJson) PrintJson(made);
  if (segments_ == 0) PrintTitle();
  std::fprintf(stderr,
               "audio %.1f s, %.3f of real time: features %.2f s, encoder %.2f s, prompts %.2f s, decode %zu "
               "tokens, %.1f a second\n",
               made.audio_seconds, RatioOf(TotalSeconds(made), made.audio_seconds), made.feature_seconds,
               made.encode_seconds, made.prefill_seconds, made.tokens,
               RatioOf(static_cast<double>(made.tokens), made.decode_seconds));
}

}  // namespace micrort
