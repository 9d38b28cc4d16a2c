"""Refusals and arithmetic are found where they are, and are changed alone."""

import random
import unittest

import arithmetic
import refusals

TEXT = """
Status Check(int n, const char* text) {  // if (n) return MICRORT_ERROR(kInternal, "a comment");
  if (n < 0) return MICRORT_ERROR(kInvalidModel, "if (%d) {", n);
  if (const int m = Half(n); m > 4 && !Fits(m, (n + 1) * 2)) {
    return MICRORT_ERROR(kUnsupported, "more than )");
  }
  for (int i = 0; i < n; ++i) return MICRORT_ERROR(kInternal, "no condition");
  return MICRORT_ERROR(kInternal, "always");
}
"""

OTHER_FORMS = """
Status Broken(const char* what) { return MICRORT_ERROR(kInvalidModel, "broken: %s", what); }
Status Check(Context& c, int n) {
  if (n == 1) return Broken("one");
  if (n == 2) return c.Fail(MICRORT_ERROR(kInvalidModel, "two"));
  if (n == 3) {
    c.Fail(MICRORT_ERROR(kInvalidModel, "three"));
  }
  if (n == 4) {
    Use(n);
  } else {
    return MICRORT_ERROR(kInvalidModel, "not four");
  }
  for (int i : c.list) {
    if (i == 5) continue;
    return MICRORT_ERROR(kInvalidModel, "not five");
  }
  if (n == 6) return Invalid("{}", "six");
  return Unsupported("always");
}
Status Last(int n) {
  if (n > 7) return Status();
  return MICRORT_ERROR(kInvalidModel, "not over seven");
}
Status Short(int n) { return n > 8 ? Status() : MICRORT_ERROR(kInvalidModel, "not over eight"); }
"""

KERNEL = """
#include "kernels/4/file.h"
void Sum(const float* x, size_t n, float* y) {
  float sums[8] = {};
  for (size_t i = 0; i < n; ++i) sums[i % 8] += x[i];
  y[0] = Tree<3>(sums);
}
"""


class Refusals(unittest.TestCase):
    def test_are_those_that_a_condition_decides(self):
        found = list(refusals.find("f.cpp", TEXT))
        self.assertEqual([m.condition for m in found], ["n < 0", "m > 4 && !Fits(m, (n + 1) * 2)"])
        self.assertEqual([m.line for m in found], [3, 5])

    def test_become_optional(self):
        text = refusals.make_optional(TEXT, list(refusals.find("f.cpp", TEXT)), 7)
        self.assertIn("if (::micrort::mutate::Refuses(7, static_cast<bool>(n < 0))) return", text)
        self.assertIn("m = Half(n);::micrort::mutate::Refuses(8, static_cast<bool>( m > 4 && !Fits(m, (n + 1) * 2)))) {", text)
        self.assertEqual(text.count("Refuses"), 2)

    def test_have_many_forms(self):
        found = list(refusals.find("f.cpp", OTHER_FORMS))
        self.assertEqual([m.condition for m in found],
                         ["n == 1", "n == 2", "n == 3", "else", "i == 5", "n == 6", "n > 7", "n > 8"])
        text = refusals.make_optional(OTHER_FORMS, found, 0)
        self.assertIn("} else if (::micrort::mutate::Refuses(3, true)) {", text)
        self.assertIn("if (::micrort::mutate::Accepts(4, static_cast<bool>(i == 5))) continue;", text)
        self.assertIn("return ::micrort::mutate::Accepts(7, static_cast<bool>(n > 8)) ? Status()", text)


class Arithmetic(unittest.TestCase):
    def test_is_found_in_expressions(self):
        found = list(arithmetic.find("f.cpp", KERNEL))
        conditions = [m.condition for m in found]
        for expected in ["comparison: i < n", "index: i % 8", "index: i", "constant: 8", "index: 0"]:
            self.assertIn(expected, conditions)
        self.assertNotIn("constant: 4", conditions)
        self.assertNotIn("constant: 3", conditions)

    def test_a_sample_can_be_put_into_one_text(self):
        chosen = arithmetic.sample(list(arithmetic.find("f.cpp", KERNEL)), 99, random.Random(1))
        text = refusals.make_optional(KERNEL, chosen, 0)
        for i in range(len(chosen)):
            self.assertEqual(text.count(f"({i}, "), 1)
        self.assertIn("i < n, i <= n", text)


if __name__ == "__main__":
    unittest.main()
