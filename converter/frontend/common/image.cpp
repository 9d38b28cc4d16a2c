#include "converter/frontend/common/image.h"

#include <algorithm>
#include <vector>

namespace micrort::frontend {

ir::ValueId ToNhwc(ir::Builder& build, ir::ValueId x, int rank) {
  if (rank == 3) x = build.Reshape(x, {-2, -3, 1, -4});
  std::vector<int32_t> permutation = {0};
  for (int i = 2; i < std::max(rank, 4); ++i) permutation.push_back(i);
  permutation.push_back(1);
  return build.Transpose(x, permutation);
}

ir::ValueId FromNhwc(ir::Builder& build, ir::ValueId y, int rank) {
  const int last = std::max(rank, 4) - 1;
  std::vector<int32_t> permutation = {0, last};
  for (int i = 1; i < last; ++i) permutation.push_back(i);
  y = build.Transpose(y, permutation);
  return rank == 3 ? build.Reshape(y, {-2, -3, -5}) : y;
}

}  // namespace micrort::frontend
