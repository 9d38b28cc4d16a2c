#pragma once
// Attention in double precision: the oracle of tests.

#include <cstdint>
#include <vector>

namespace micrort::reference {

struct AttentionCase {
  int64_t batch, heads, key_heads, queries, keys, depth, value_depth;
  double scale;
};
// q [batch][heads][queries][depth], k, v [batch][key_heads][keys][depth or value_depth], mask
// [batch][heads][queries][keys] or empty → [batch][heads][queries][value_depth].
std::vector<double> Attention(const AttentionCase& c, const std::vector<float>& q,
                              const std::vector<float>& k, const std::vector<float>& v,
                              const std::vector<float>& mask);

}  // namespace micrort::reference
