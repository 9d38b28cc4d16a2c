#include "converter/report/task_accuracy.h"

#include <algorithm>
#include <cstdio>

namespace micrort::report {
namespace {

int64_t AnswerOf(const std::vector<float>& scores) {
  return std::max_element(scores.begin(), scores.end()) - scores.begin();
}

}  // namespace

void TaskAccuracy::Add(const std::vector<float>& in_float, const std::vector<float>& converted,
                       int64_t label) {
  const int64_t expected = AnswerOf(in_float), found = AnswerOf(converted);
  ++samples_;
  right_in_float_ += expected == label;
  right_ += found == label;
  same_ += found == expected;
}

std::string TaskAccuracy::Text() const {
  char text[160];
  std::snprintf(text, sizeof text,
                "right answers: %.2f %% of %llu samples; in float %.2f %%, %.2f %% the same answers",
                100 * converted(), static_cast<unsigned long long>(samples_), 100 * in_float(), 100 * same());
  return text;
}

}  // namespace micrort::report
