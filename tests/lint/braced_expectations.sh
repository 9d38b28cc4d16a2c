#!/usr/bin/env bash
# braced_expectations.sh ROOT: GoogleTest's macros are statements with an `if` of their own, so that g++ takes `if (x) EXPECT_EQ(…)` for an
# ambiguous `else`, which is an error here. Tests are compiled by clang, which says nothing. Prints each such line. Exit code 1 if there is one.
set -euo pipefail
cd "$1"
! grep -rnE --include='*.cpp' --include='*.h' '(if (constexpr )?\(.*\)|else) (EXPECT|ASSERT)_' tests examples
