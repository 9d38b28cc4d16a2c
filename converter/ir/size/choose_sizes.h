#pragma once
// Numbers for symbols, for which given equations and bounds hold.

#include <optional>
#include <utility>
#include <vector>

#include "converter/ir/size/needs.h"
#include "converter/ir/size/witness.h"

namespace micrort::ir::size {

using ChosenSizes = std::vector<std::pair<Symbol, int64_t>>;

// For all symbols in `needs` but those that operators compute, which have the size that was computed last. A
// symbol keeps the size that the witness has for it where that fits. Nothing where no sizes were found, which
// is no proof that there are none.
std::optional<ChosenSizes> ChooseSizes(const std::vector<Need>& needs, const Witness& witness);

}  // namespace micrort::ir::size
