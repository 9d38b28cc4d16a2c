#pragma once
// Operators that prepare must refuse, and what they have to say.

#include <gmock/gmock.h>

#include "micrort/op_resolver.h"
#include "tests/runtime/op_tester.h"

namespace micrort::testing {

struct Refusal {
  const char* name;
  Status (*infer)();
  const char* message;
  StatusCode code = StatusCode::kInvalidModel;
  bool of_64_bits = false;  // sizes that shapes cannot have where addresses are shorter
};

inline void PrintTo(const Refusal& refusal, std::ostream* out) { *out << refusal.name; }

inline void ExpectRefused(const Refusal& refusal) {
  if (refusal.of_64_bits && sizeof(size_t) < 8) GTEST_SKIP() << "for 64-bit addresses";
  const Status status = refusal.infer();
  EXPECT_EQ(status.code(), refusal.code) << status.message();
  EXPECT_THAT(status.message(), ::testing::HasSubstr(refusal.message));
}

// One test a refusal; the table has external linkage by no other name.
#define MICRORT_EXPECT_REFUSALS(Suite, table)                            \
  class Suite : public ::testing::TestWithParam<Refusal> {};             \
  TEST_P(Suite, Says) { ExpectRefused(GetParam()); }                     \
  INSTANTIATE_TEST_SUITE_P(Operators, Suite, ::testing::ValuesIn(table), \
                           [](const auto& info) { return std::string(info.param.name); })

}  // namespace micrort::testing
