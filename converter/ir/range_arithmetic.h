#pragma once
// Ranges that numbers are in, through operators on elements.

#include <optional>

#include "schema/micrort_generated.h"

namespace micrort::ir {

// Both inclusive, and exact where a float is one number.
struct NumberRange {
  double least, most;
};

// The smallest range that has all of both.
NumberRange Hull(const NumberRange& a, const NumberRange& b);

// The range of an operator's results on floats, or on booleans, which are 0 and 1, of these ranges. Nothing
// where the operator is not one of those that need not be guessed, or may give NaN.
std::optional<NumberRange> BinaryRange(schema::BinaryKind kind, const NumberRange& a, const NumberRange& b);
std::optional<NumberRange> UnaryRange(const schema::UnaryOptionsT& options, const NumberRange& x);

}  // namespace micrort::ir
