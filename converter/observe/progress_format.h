#pragma once
// How all progress of this process is told.

namespace micrort::observe {

enum class ProgressFormat {
  kForPeople,  // a bar on a terminal, elsewhere lines
  kJson        // an object a line, at most one a second and one when a step is done
};

// Before the first step begins.
void SetProgressFormat(ProgressFormat format);

}  // namespace micrort::observe
