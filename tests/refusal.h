#pragma once
// What must be refused, and what the error has to say.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ostream>
#include <string>

#include "kernels/base/status.h"

namespace micrort::testing {

// A row's status, for one that is an expression: it is evaluated when the row's test runs.
#define MICRORT_STATUS(...) [] { return __VA_ARGS__; }

struct Refusal {
  const char* name;
  Status (*status)();
  const char* message;  // a part of it
  StatusCode code = StatusCode::kInvalidModel;
  bool of_64_bits = false;  // sizes that shapes cannot have where addresses are shorter
};

inline void PrintTo(const Refusal& refusal, std::ostream* out) { *out << refusal.name; }

inline void ExpectRefused(const Refusal& refusal) {
  if (refusal.of_64_bits && sizeof(size_t) < 8) GTEST_SKIP() << "for 64-bit addresses";
  const Status status = refusal.status();
  EXPECT_EQ(status.code(), refusal.code) << status.message();
  EXPECT_THAT(status.message(), ::testing::HasSubstr(refusal.message));
}

// One test a refusal; the table has external linkage by no other name.
#define MICRORT_EXPECT_REFUSALS(Suite, table)                           \
  class Suite : public ::testing::TestWithParam<Refusal> {};            \
  TEST_P(Suite, Says) { ExpectRefused(GetParam()); }                    \
  INSTANTIATE_TEST_SUITE_P(Refusals, Suite, ::testing::ValuesIn(table), \
                           [](const auto& info) { return std::string(info.param.name); })

}  // namespace micrort::testing
