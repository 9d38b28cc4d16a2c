#pragma once
// Chooses the next token by the logits of a model.

#include <cstdint>
#include <functional>
#include <vector>

#include "kernels/base/span.h"
#include "kernels/base/status.h"

namespace micrort::text {

struct SamplingOptions {
  float temperature = 0;  // 0: the most probable token; of equal ones, the first
  int top_k = 0;          // keep this number of most probable tokens; 0: all
  float top_p = 1;        // of those, keep the fewest that together have this probability
  float min_p = 0;        // remove tokens less probable than this fraction of the most probable one
  float repetition_penalty =
      1;  // for tokens of prompt and answer: divides positive logits, multiplies negative ones
  float presence_penalty = 0;   // subtracted from the logits of tokens in the answer
  float frequency_penalty = 0;  // subtracted for each time that a token is in the answer
  uint64_t seed = 0;
};

// Receives the tokens so far and changes the logits, one for each token: minus infinity forbids a token.
using LogitsMask = std::function<void(Span<const int32_t> tokens, Span<float> logits)>;

// The same options, logits and machine give the same tokens. Used by one thread at a time.
class Sampler {
 public:
  // kInvalidArgument names the option that is out of range.
  static Result<Sampler> Create(const SamplingOptions& options, LogitsMask mask = nullptr);

  // `tokens`: prompt and answer; the answer begins at index `answer`. Changes the logits. kInvalidArgument if
  // the logits are empty or no token is left; kOutOfRange if a logit is NaN.
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
