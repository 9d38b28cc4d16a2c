#include "converter/frontend/torchscript/aliases.h"

#include <map>

#include "converter/frontend/common/text.h"

namespace micrort::frontend::torchscript {

namespace {

const std::map<std::string, std::string>& Aliases() {
  static const std::map<std::string, std::string> aliases = PairsOfWords(
      "_adaptive_avg_pool2d adaptive_avg_pool2d, _adaptive_avg_pool3d adaptive_avg_pool3d, "
      "_aminmax aminmax, _conj conj, _conj_physical conj, _grid_sampler_2d_cpu_fallback grid_sampler, "
      "_index_put_impl index_put, _linalg_det linalg_det, _logcumsumexp logcumsumexp, _neg_view neg, "
      "_stack stack, absolute abs, arccos acos, arccosh acosh, arcsin asin, arcsinh asinh, arctan atan, "
      "arctan2 atan2, arctanh atanh, concatenate cat, conj_physical conj, fix trunc, ger outer, "
      "greater_equal ge, grid_sampler_2d grid_sampler, grid_sampler_3d grid_sampler, inverse linalg_inv, "
      "less_equal le, lift lift_fresh, linalg_matmul matmul, mH adjoint, matrix_H adjoint, "
      "native_channel_shuffle channel_shuffle, not_equal ne, row_stack vstack, slogdet linalg_slogdet, "
      "special_digamma digamma, special_erf erf, special_erfc erfc, special_erfinv erfinv, "
      "special_exp2 exp2, special_expit sigmoid, special_expm1 expm1, special_gammainc igamma, "
      "special_gammaincc igammac, special_gammaln lgamma, special_i0 i0, special_log1p log1p, "
      "special_log_softmax log_softmax, special_logit logit, special_logsumexp logsumexp, "
      "special_multigammaln mvlgamma, special_polygamma polygamma, special_psi digamma, "
      "special_round round, special_sinc sinc, special_softmax softmax, special_xlogy xlogy, "
      "trapz trapezoid, unsafe_split_with_sizes split_with_sizes");
  return aliases;
}

}  // namespace

const char* NameOfAlias(const std::string& op) {
  const auto found = Aliases().find(op);
  return found == Aliases().end() ? nullptr : found->second.c_str();
}

std::vector<std::string> AllAliases() {
  std::vector<std::string> names;
  for (const auto& alias : Aliases()) names.push_back(alias.first);
  return names;
}

}  // namespace micrort::frontend::torchscript
