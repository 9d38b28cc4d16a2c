#pragma once
// How well a model does what it is for, in float and as converted.

#include "converter/observe/next_tokens.h"
#include "converter/report/task_accuracy.h"

namespace micrort::report {

struct TaskQuality {
  TaskAccuracy accuracy;            // of classifiers, on samples that have labels
  observe::NextTokens next_tokens;  // of decoders, whose samples are tokens
};

}  // namespace micrort::report
