#include "converter/frontend/torchscript/aliases.h"

#include <algorithm>
#include <cstring>

namespace micrort::frontend::torchscript {

namespace {

struct Alias {
  const char *name, *op;
};

// Sorted by name.
constexpr Alias kAliases[] = {
    {"_adaptive_avg_pool2d", "adaptive_avg_pool2d"},
    {"_adaptive_avg_pool3d", "adaptive_avg_pool3d"},
    {"_aminmax", "aminmax"},
    {"_conj", "conj"},
    {"_conj_physical", "conj"},
    {"_grid_sampler_2d_cpu_fallback", "grid_sampler"},
    {"_index_put_impl", "index_put"},
    {"_linalg_det", "linalg_det"},
    {"_logcumsumexp", "logcumsumexp"},
    {"_neg_view", "neg"},
    {"_stack", "stack"},
    {"absolute", "abs"},
    {"arccos", "acos"},
    {"arccosh", "acosh"},
    {"arcsin", "asin"},
    {"arcsinh", "asinh"},
    {"arctan", "atan"},
    {"arctan2", "atan2"},
    {"arctanh", "atanh"},
    {"concatenate", "cat"},
    {"conj_physical", "conj"},
    {"fix", "trunc"},
    {"ger", "outer"},
    {"greater_equal", "ge"},
    {"grid_sampler_2d", "grid_sampler"},
    {"grid_sampler_3d", "grid_sampler"},
    {"inverse", "linalg_inv"},
    {"less_equal", "le"},
    {"lift", "lift_fresh"},
    {"linalg_matmul", "matmul"},
    {"mH", "adjoint"},
    {"matrix_H", "adjoint"},
    {"native_channel_shuffle", "channel_shuffle"},
    {"not_equal", "ne"},
    {"row_stack", "vstack"},
    {"slogdet", "linalg_slogdet"},
    {"special_digamma", "digamma"},
    {"special_erf", "erf"},
    {"special_erfc", "erfc"},
    {"special_erfinv", "erfinv"},
    {"special_exp2", "exp2"},
    {"special_expit", "sigmoid"},
    {"special_expm1", "expm1"},
    {"special_gammainc", "igamma"},
    {"special_gammaincc", "igammac"},
    {"special_gammaln", "lgamma"},
    {"special_i0", "i0"},
    {"special_log1p", "log1p"},
    {"special_log_softmax", "log_softmax"},
    {"special_logit", "logit"},
    {"special_logsumexp", "logsumexp"},
    {"special_multigammaln", "mvlgamma"},
    {"special_polygamma", "polygamma"},
    {"special_psi", "digamma"},
    {"special_round", "round"},
    {"special_sinc", "sinc"},
    {"special_softmax", "softmax"},
    {"special_xlogy", "xlogy"},
    {"trapz", "trapezoid"},
    {"unsafe_split_with_sizes", "split_with_sizes"},
};

}  // namespace

const char* NameOfAlias(const std::string& op) {
  const auto* const end = std::end(kAliases);
  const auto* const found = std::lower_bound(
      std::begin(kAliases), end, op,
      [](const Alias& a, const std::string& name) { return std::strcmp(a.name, name.c_str()) < 0; });
  return found != end && op == found->name ? found->op : nullptr;
}

std::vector<std::string> AllAliases() {
  std::vector<std::string> names;
  for (const Alias& alias : kAliases) names.emplace_back(alias.name);
  return names;
}

}  // namespace micrort::frontend::torchscript
