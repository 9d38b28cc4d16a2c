#include "text/speech/speech_rules.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace micrort::text {
namespace {

constexpr float kNever = -std::numeric_limits<float>::infinity();
constexpr double kLatestBegin = 1.0;  // seconds

void Forbid(Span<float> logits, int64_t begin, int64_t end) {
  const auto count = static_cast<int64_t>(logits.size());
  for (int64_t i = std::max<int64_t>(0, begin); i < std::min(end, count); ++i)
    logits[static_cast<size_t>(i)] = kNever;
}

}  // namespace

double LogSumExp(Span<const float> logits, size_t begin, size_t end) {
  if (begin >= end) return static_cast<double>(kNever);
  const double greatest =
      static_cast<double>(*std::max_element(logits.begin() + begin, logits.begin() + end));
  if (std::isinf(greatest)) return greatest;
  double sum = 0;
  for (size_t i = begin; i < end; ++i) sum += std::exp(static_cast<double>(logits[i]) - greatest);
  return greatest + std::log(sum);
}

void SpeechRules::ApplyPairs(Span<const int32_t> made, Span<float> logits) const {
  const auto count = static_cast<int64_t>(logits.size());
  if (made.empty()) return Forbid(logits, 0, tokens_.first_timestamp);
  if (!tokens_.is_timestamp(made[made.size() - 1])) return;
  const bool begins_text = made.size() < 2 || tokens_.is_timestamp(made[made.size() - 2]);
  if (begins_text) return Forbid(logits, tokens_.first_timestamp, count);
  // A text has ended: another begins, or there is none.
  const float end = logits[static_cast<size_t>(tokens_.end)];
  Forbid(logits, 0, tokens_.first_timestamp);
  logits[static_cast<size_t>(tokens_.end)] = end;
}

void SpeechRules::ApplyOrder(Span<const int32_t> made, Span<float> logits) const {
  const auto is_time = [this](int32_t token) { return tokens_.is_timestamp(token); };
  const auto latest =
      std::find_if(std::make_reverse_iterator(made.end()), std::make_reverse_iterator(made.begin()), is_time);
  if (latest == std::make_reverse_iterator(made.begin())) {
    const auto steps = static_cast<int64_t>(std::lround(kLatestBegin / SpeechTokens::kTimestampStep));
    return made.empty()
               ? Forbid(logits, tokens_.first_timestamp + steps + 1, static_cast<int64_t>(logits.size()))
               : void();
  }
  // A text that begins where the last one ended has the same time; one that ends, a later one.
  const bool has_ended = is_time(made[made.size() - 1]);
  Forbid(logits, tokens_.first_timestamp, int64_t{*latest} + (has_ended ? 0 : 1));
}

// All times together against the most probable text: each of them alone is improbable.
void SpeechRules::PreferTimes(Span<float> logits) const {
  const auto first = static_cast<size_t>(tokens_.first_timestamp);
  const float text = *std::max_element(logits.begin(), logits.begin() + first);
  if (LogSumExp({logits.data(), logits.size()}, first, logits.size()) > static_cast<double>(text))
    Forbid(logits, 0, tokens_.first_timestamp);
}

void SpeechRules::Apply(Span<const int32_t> made, Span<float> logits) const {
  for (const int32_t token : tokens_.suppressed) logits[static_cast<size_t>(token)] = kNever;
  if (made.empty())
    for (const int32_t token : tokens_.suppressed_first) logits[static_cast<size_t>(token)] = kNever;
  if (!tokens_.has_timestamps()) return;
  if (!has_times_) return Forbid(logits, tokens_.first_timestamp, static_cast<int64_t>(logits.size()));
  ApplyPairs(made, logits);
  ApplyOrder(made, logits);
  PreferTimes(logits);
}

}  // namespace micrort::text
