#pragma once
// One JSON object a line on stderr.

#include <string>
#include <utility>
#include <vector>

namespace micrort::serve {

enum class LogLevel { kInfo, kWarning, kError };

// Values are texts; those that are empty are left out. Thread-safe; lines stay whole.
void Log(LogLevel level, const std::string& message,
         const std::vector<std::pair<const char*, std::string>>& fields = {});

}  // namespace micrort::serve
