#include "tools/io/progress_event.h"

#include <cmath>
#include <nlohmann/json.hpp>

namespace micrort::io {

std::string ProgressEvent(const std::string& step, size_t done, size_t total, double seconds) {
  nlohmann::ordered_json event = {{"event", "progress"}, {"step", step}, {"done", done}, {"total", total}};
  event["seconds"] = std::round(seconds * 1e3) / 1e3;
  const double left = seconds / static_cast<double>(done) * static_cast<double>(total - done);
  event["seconds_left"] = std::round(left * 1e3) / 1e3;
  return event.dump();
}

}  // namespace micrort::io
