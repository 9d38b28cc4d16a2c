#include "converter/observe/next_tokens.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace micrort::observe {
namespace {

// The logarithm of what divides the powers of e by the scores, so that they are probabilities.
double LogSum(const float* scores, size_t vocabulary) {
  const auto largest = static_cast<double>(*std::max_element(scores, scores + vocabulary));
  double sum = 0.0;
  for (size_t i = 0; i < vocabulary; ++i) sum += std::exp(static_cast<double>(scores[i]) - largest);
  return largest + std::log(sum);
}

size_t MostProbable(const float* scores, size_t vocabulary) {
  return static_cast<size_t>(std::max_element(scores, scores + vocabulary) - scores);
}

double Mean(double sum, uint64_t count) {
  return count == 0 ? std::nan("") : sum / static_cast<double>(count);
}

}  // namespace

void NextTokens::Add(const std::vector<float>& in_float, const std::vector<float>& converted,
                     const std::vector<int64_t>& next) {
  const size_t vocabulary = next.empty() ? 0 : in_float.size() / next.size();
  for (size_t i = 0; i < next.size(); ++i) {
    const float* const p = in_float.data() + i * vocabulary;
    const float* const q = converted.data() + i * vocabulary;
    const double log_p = LogSum(p, vocabulary), log_q = LogSum(q, vocabulary);
    for (size_t t = 0; t < vocabulary; ++t) {
      const double log_ratio = static_cast<double>(p[t]) - log_p - (static_cast<double>(q[t]) - log_q);
      const double probability = std::exp(static_cast<double>(p[t]) - log_p);
      // Tokens that both models exclude, by scores of minus infinity, add nothing.
      if (probability > 0.0) divergence_ += probability * log_ratio;
    }
    ++positions_;
    same_ += MostProbable(p, vocabulary) == MostProbable(q, vocabulary);
    if (next[i] < 0 || static_cast<size_t>(next[i]) >= vocabulary) continue;
    ++predicted_;
    loss_in_float_ += log_p - static_cast<double>(p[next[i]]);
    loss_ += log_q - static_cast<double>(q[next[i]]);
  }
}

double NextTokens::perplexity_in_float() const { return std::exp(Mean(loss_in_float_, predicted_)); }
double NextTokens::perplexity() const { return std::exp(Mean(loss_, predicted_)); }
double NextTokens::divergence() const {
  const double mean = Mean(divergence_, positions_);
  return mean < 0.0 ? 0.0 : mean;  // rounding; what is no number stays none
}
double NextTokens::same() const { return Mean(static_cast<double>(same_), positions_); }

std::string NextTokens::Text() const {
  char text[200] = "";
  int length = 0;
  if (predicted_ > 0) {
    length = std::snprintf(text, sizeof text, "perplexity: %.4g; in float %.4g; ", perplexity(),
                           perplexity_in_float());
  }
  std::snprintf(text + length, sizeof text - static_cast<size_t>(length),
                "KL divergence %.3g; %.2f %% the same tokens at %llu positions", divergence(), 100 * same(),
                static_cast<unsigned long long>(positions_));
  return text;
}

}  // namespace micrort::observe
