#pragma once
// Random models with open sizes: what they compute does not depend on whether they are converted with sizes
// that are open, or fixed.

#include <cstdint>
#include <string>

#include "tests/converter/size_writer.h"

namespace micrort::testing {

// The file, and where to write it.
std::string RandomSizesModel(SizeWriter& writer, uint32_t seed);

using MakeSizeWriter = std::unique_ptr<SizeWriter> (*)();
struct SizesOutcome {
  std::string difference;   // between the model converted with open sizes and with five sizes fixed; or empty
  bool is_refused = false;  // the model with open sizes is not converted
  bool has_exception = false;  // a reshape to [0, -1] is refused, which fixed sizes allow
};
SizesOutcome CompareSizes(MakeSizeWriter make, uint32_t seed);

}  // namespace micrort::testing
