#include "micrort/text/sampling.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

namespace micrort::text {
namespace {

struct OptionRange {
  const char* name;
  double value, least, most;
};

}  // namespace

Result<Sampler> Sampler::Create(const SamplingOptions& options, LogitsMask mask) {
  constexpr double kMany = 1e6;
  const OptionRange kRanges[] = {
      {"temperature", options.temperature, 0, kMany},
      {"top_k", static_cast<double>(options.top_k), 0, std::numeric_limits<int>::max()},
      {"top_p", options.top_p, 0, 1},
      {"min_p", options.min_p, 0, 1},
      {"repetition_penalty", options.repetition_penalty, 1e-6, kMany},
      {"presence_penalty", options.presence_penalty, -kMany, kMany},
      {"frequency_penalty", options.frequency_penalty, -kMany, kMany}};
  for (const OptionRange& range : kRanges) {
    if (!(range.value >= range.least && range.value <= range.most))
      return MICRORT_ERROR(kInvalidArgument, "%s is %g; expected %g to %g", range.name, range.value,
                           range.least, range.most);
  }
  return Sampler(options, std::move(mask));
}

void Sampler::Penalize(Span<float> logits, Span<const int32_t> tokens, size_t answer) const {
  const bool has_penalty =
      options_.repetition_penalty != 1 || options_.presence_penalty != 0 || options_.frequency_penalty != 0;
  if (!has_penalty) return;
  std::unordered_map<int32_t, int> times;  // in the answer
  for (size_t i = 0; i < tokens.size(); ++i) times[tokens[i]] += i >= answer ? 1 : 0;
  for (const auto& [token, count] : times) {
    if (token < 0 || static_cast<size_t>(token) >= logits.size()) continue;
    float& logit = logits[static_cast<size_t>(token)];
    logit = logit > 0 ? logit / options_.repetition_penalty : logit * options_.repetition_penalty;
    if (count > 0)
      logit -= options_.presence_penalty + options_.frequency_penalty * static_cast<float>(count);
  }
}

// SplitMix64.
double Sampler::NextUniform() {
  state_ += 0x9E3779B97F4A7C15;
  uint64_t z = state_;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  z ^= z >> 31;
  return std::ldexp(static_cast<double>(z >> 11), -53);
}

void Sampler::KeepMostProbable() {
  const auto is_before = [](const Candidate& a, const Candidate& b) {
    return a.logit != b.logit ? a.logit > b.logit : a.token < b.token;
  };
  const auto top_k = static_cast<size_t>(options_.top_k);
  if (top_k > 0 && top_k < candidates_.size()) {
    std::partial_sort(candidates_.begin(), candidates_.begin() + options_.top_k, candidates_.end(),
                      is_before);
    candidates_.resize(top_k);
  } else {
    std::sort(candidates_.begin(), candidates_.end(), is_before);
  }
}

int32_t Sampler::Draw() {
  KeepMostProbable();
  const double temperature = options_.temperature, greatest = candidates_[0].logit;
  weights_.clear();
  double total = 0;
  for (const Candidate& candidate : candidates_) {
    weights_.push_back(std::exp((candidate.logit - greatest) / temperature));
    total += weights_.back();
  }
  // The most probable one is always kept.
  double kept = 0;
  size_t count = 0;
  while (count < weights_.size() &&
         (count == 0 || (kept < options_.top_p * total && weights_[count] >= options_.min_p)))
    kept += weights_[count++];
  double left = NextUniform() * kept;
  size_t chosen = 0;
  while (chosen + 1 < count && left >= weights_[chosen]) left -= weights_[chosen++];
  return candidates_[chosen].token;
}

Status Sampler::Choose(Span<float> logits, Span<const int32_t> tokens, size_t answer, int32_t* token) {
  Penalize(logits, tokens, answer);
  if (mask_ != nullptr) mask_(tokens, logits);
  candidates_.clear();
  Candidate best = {-std::numeric_limits<float>::infinity(), -1};
  for (size_t i = 0; i < logits.size(); ++i) {
    const float logit = logits[i];
    if (std::isnan(logit) || logit == std::numeric_limits<float>::infinity())
      return MICRORT_ERROR(kOutOfRange, "the logit of token %zu is %g", i, static_cast<double>(logit));
    if (logit == -std::numeric_limits<float>::infinity()) continue;
    const auto id = static_cast<int32_t>(i);
    if (logit > best.logit) best = {logit, id};
    if (options_.temperature > 0) candidates_.push_back({logit, id});
  }
  if (best.token < 0)
    return MICRORT_ERROR(kInvalidArgument, "no token is left to choose, of %zu logits", logits.size());
  *token = options_.temperature > 0 ? Draw() : best.token;
  return Status();
}

}  // namespace micrort::text
