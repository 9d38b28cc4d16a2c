#pragma once
// How this process reports progress.

namespace micrort::observe {

enum class ProgressFormat {
  kForPeople,  // a bar on a terminal, elsewhere lines now and then
  kJson        // an object a line, at most one a second and one when a step is done
};

constexpr double kLineSeconds = 10.0;

// Call it before the first step of a conversion begins: the first line comes so many seconds after it.
void SetProgressFormat(ProgressFormat format, double seconds_between_lines = kLineSeconds);

}  // namespace micrort::observe
