#pragma once
// How well a decoder predicts the next token of the samples, in float and as converted.

#include <cstdint>
#include <string>
#include <vector>

namespace micrort::observe {

class NextTokens {
 public:
  // Scores of positions, [next.size()][vocabulary], of both models; `next` are the tokens that follow, -1
  // where none does.
  void Add(const std::vector<float>& in_float, const std::vector<float>& converted,
           const std::vector<int64_t>& next);

  bool is_known() const { return positions_ > 0; }
  uint64_t positions() const { return positions_; }
  uint64_t predicted() const { return predicted_; }  // positions that a token follows
  // The power of e by the mean negative logarithm of the probability of the token that follows; NaN without
  // any.
  double perplexity_in_float() const;
  double perplexity() const;
  // The mean over positions of Kullback and Leibler's divergence of the converted model's probabilities from
  // those in float, in nats.
  double divergence() const;
  // The share of positions at which the most probable token is the same.
  double same() const;

  // "perplexity: 12.41; in float 12.30; KL divergence 0.0021; 98.40 % the same tokens at 1024 positions"
  std::string Text() const;

 private:
  uint64_t positions_ = 0, predicted_ = 0, same_ = 0;
  double loss_in_float_ = 0.0, loss_ = 0.0, divergence_ = 0.0;
};

}  // namespace micrort::observe
