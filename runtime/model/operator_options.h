#pragma once
// Which options belong to which operator: the schema lists both in one order.

#include <cstddef>

#include "schema/micrort_generated.h"

namespace micrort {

constexpr size_t kOpCodeCount = sizeof(schema::EnumValuesOpCode()) / sizeof(schema::OpCode);
// The options union counts from 1; 0 is NONE.
static_assert(kOpCodeCount == static_cast<size_t>(schema::Options::MAX),
              "every operator has its options, in the same order");

// `options` must not be NONE.
inline schema::OpCode OpCodeOf(schema::Options options) {
  return schema::EnumValuesOpCode()[static_cast<size_t>(options) - 1];
}

// NONE for a number that is no operator's.
inline schema::Options OptionsOf(schema::OpCode code) {
  for (size_t i = 0; i < kOpCodeCount; ++i) {
    if (schema::EnumValuesOpCode()[i] == code) return static_cast<schema::Options>(i + 1);
  }
  return schema::Options::NONE;
}

}  // namespace micrort
