#include "kernels/reference/attention.h"

#include <algorithm>
#include <cmath>

namespace micrort::reference {
namespace {

// Softmax of the scores of one query.
std::vector<double> Weights(const AttentionCase& c, const float* q, const float* k, const float* mask) {
  std::vector<double> w(static_cast<size_t>(c.keys));
  for (int64_t s = 0; s < c.keys; ++s) {
    double dot = 0;
    for (int64_t d = 0; d < c.depth; ++d)
      dot += static_cast<double>(q[d]) * static_cast<double>(k[s * c.depth + d]);
    w[static_cast<size_t>(s)] = dot * c.scale + (mask == nullptr ? 0 : static_cast<double>(mask[s]));
  }
  const double largest = *std::max_element(w.begin(), w.end());
  double sum = 0;
  for (double& x : w) sum += x = std::exp(x - largest);
  for (double& x : w) x /= sum;
  return w;
}

}  // namespace

std::vector<double> Attention(const AttentionCase& c, const std::vector<float>& q,
                              const std::vector<float>& k, const std::vector<float>& v,
                              const std::vector<float>& mask) {
  std::vector<double> y;
  for (int64_t head = 0; head < c.batch * c.heads; ++head) {
    const int64_t key_head = head / c.heads * c.key_heads + head % c.heads * c.key_heads / c.heads;
    const float* keys = k.data() + key_head * c.keys * c.depth;
    const float* values = v.data() + key_head * c.keys * c.value_depth;
    for (int64_t t = 0; t < c.queries; ++t) {
      const int64_t row = head * c.queries + t;
      const auto w =
          Weights(c, q.data() + row * c.depth, keys, mask.empty() ? nullptr : mask.data() + row * c.keys);
      for (int64_t e = 0; e < c.value_depth; ++e) {
        double sum = 0;
        for (int64_t s = 0; s < c.keys; ++s) {
          sum += w[static_cast<size_t>(s)] * static_cast<double>(values[s * c.value_depth + e]);
        }
        y.push_back(sum);
      }
    }
  }
  return y;
}

}  // namespace micrort::reference
