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
// What the model converted with open sizes does otherwise than the same with five sizes fixed; empty if
// nothing. *refused: no size fits, and the converter says so.
std::string DifferenceOfSizes(MakeSizeWriter make, uint32_t seed, bool* refused);

}  // namespace micrort::testing
