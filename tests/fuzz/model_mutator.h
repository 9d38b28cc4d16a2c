#pragma once
// Changes of a model file's objects: operators, tensors and graphs, with and without what would have to
// follow.

#include <string>

#include "tests/fuzz/byte_mutator.h"

namespace micrort::fuzz {

// `bytes` must be sound; `other`, a model as well or nothing, lends operators.
std::string MutateModel(const std::string& bytes, const std::string& other, Random& random);

}  // namespace micrort::fuzz
