#pragma once
// Choice among the rows of a micro-kernel family.

#include "kernels/base/cpu_features.h"
#include "kernels/base/span.h"

namespace micrort {

// Index of the last row whose required `features` are all available. Rows are ordered weakest first; row 0
// requires nothing.
template <typename Row>
size_t SelectRow(Span<const Row> rows, CpuFeatures available) {
  size_t best = 0;
  for (size_t i = 0; i < rows.size(); ++i) {
    if ((rows[i].features & available) == rows[i].features) best = i;
  }
  return best;
}

}  // namespace micrort
