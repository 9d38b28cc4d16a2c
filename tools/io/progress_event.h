#pragma once
// Progress for other programs, a JSON object a line (mnnconvert --json-events).

#include <cstddef>
#include <string>

namespace micrort::io {

// {"event":"progress","step":...,"done":...,"total":...,"seconds":...,"seconds_left":...}, estimated from the
// pace so far. `done` is not 0.
std::string ProgressEvent(const std::string& step, size_t done, size_t total, double seconds);

}  // namespace micrort::io
