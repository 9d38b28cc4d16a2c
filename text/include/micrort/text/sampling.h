#pragma once
// Chooses a token by the numbers that a model gives for each.

#include <cstdint>
#include <functional>
#include <vector>

#include "kernels/base/span.h"
#include "kernels/base/status.h"

namespace micrort::text {

struct SamplingOptions {
  float temperature = 0;  // 0: the most probable token; of equal ones, the first
  int top_k = 0;          // so many of the most probable tokens; 0: all
  float top_p = 1;        // of those, the fewest that come to this probability together
  float min_p = 0;        // and not those less probable than this part of the most probable one
  float repetition_penalty =
      1;  // divides what is positive and multiplies what is negative, for tokens of prompt and answer
  float presence_penalty = 0;   // taken off for tokens of the answer
  float frequency_penalty = 0;  // taken off for each time that a token is in the answer
  uint64_t seed = 0;
};

// Sees the tokens so far and changes the logits, one a token: minus infinity forbids one.
using LogitsMask = std::function<void(Span<const int32_t> tokens, Span<float> logits)>;

// The same options, logits and machine give the same tokens. Used by one thread at a time.
class Sampler {
 public:
  // kInvalidArgument names the option that is out of range.
  static Result<Sampler> Create(const SamplingOptions& options, LogitsMask mask = nullptr);

  // `tokens`: prompt and answer, which begins at `answer`. Changes the logits. kInvalidArgument if they are
  // empty, or no token is left to choose; kOutOfRange if one is not a number.
  Status Choose(Span<float> logits, Span<const int32_t> tokens, size_t answer, int32_t* token);

 private:
  struct Candidate {
    float logit;
    int32_t token;
  };
  Sampler(const SamplingOptions& options, LogitsMask mask)
      : options_(options), mask_(std::move(mask)), state_(options.seed) {}
  void Penalize(Span<float> logits, Span<const int32_t> tokens, size_t answer) const;
  void KeepMostProbable();
  int32_t Draw();
  double NextUniform();

  SamplingOptions options_;
  LogitsMask mask_;
  uint64_t state_;
  std::vector<Candidate> candidates_;
  std::vector<double> weights_;
};

}  // namespace micrort::text
