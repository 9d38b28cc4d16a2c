// Draws a digit and lets the network read it, compiled ahead of time: docs/aot.md.

#include <algorithm>
#include <cstdio>

#include "digits.h"

namespace {

// At half its width and height; light on dark.
constexpr const char* kSeven[] = {
    "            ", "            ", "            ", "  ########  ", "  ########  ", "        ##  ",
    "       ##   ", "       ##   ", "      ##    ", "      ##    ", "     ##     ", "     ##     ",
    "     ##     ", "            ", "            ", "            ",
};

app::Digits digits;  // all memory that the network needs

}  // namespace

int main() {
  for (size_t y = 0; y < 32; ++y) {
    for (size_t x = 0; x < 24; ++x) digits.arg_input(0, 0, y, x) = kSeven[y / 2][x / 2] == '#' ? 0.6f : -0.6f;
  }
  if (!digits.Run()) {
    std::fprintf(stderr, "%s\n", digits.error_msg());
    return 1;
  }
  const float* const scores = digits.result_output_data();
  const float* const best = std::max_element(scores, scores + app::Digits::result_output_count());
  std::printf("the digit is %td (%zu bytes of memory, %zu of weights)\n", best - scores, app::Digits::kBytes,
              app::Digits::kConstantBytes);
  return 0;
}
