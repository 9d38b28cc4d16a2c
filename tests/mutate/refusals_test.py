"""Refusals are found where they are, and are turned off alone."""

import unittest

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


class Refusals(unittest.TestCase):
    def test_are_those_that_a_condition_decides(self):
        found = list(refusals.find("f.cpp", TEXT))
        self.assertEqual([r.condition for r in found], ["n < 0", "m > 4 && !Fits(m, (n + 1) * 2)"])
        self.assertEqual([r.line for r in found], [3, 5])

    def test_become_optional(self):
        text = refusals.make_optional(TEXT, list(refusals.find("f.cpp", TEXT)), 7)
        self.assertIn("if ((n < 0) && !::micrort::mutate::IsOff(7)) return", text)
        self.assertIn("if (const int m = Half(n);( m > 4 && !Fits(m, (n + 1) * 2)) && !::micrort::mutate::IsOff(8)) {", text)
        self.assertEqual(text.count("IsOff"), 2)


if __name__ == "__main__":
    unittest.main()
