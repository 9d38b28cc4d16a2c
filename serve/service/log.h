#pragma once
// One JSON object a line on stderr.

#include <string>
#include <utility>
#include <vector>

namespace micrort::serve {

enum class LogLevel { kInfo, kWarning, kError };

// Values are texts, of which the first 512 bytes are written; those that are empty are left out. Thread-safe;
// lines stay whole. Waits for no reader: lines for which a pipe has no room are left out, and counted by the
// next one.
void Log(LogLevel level, const std::string& message,
         const std::vector<std::pair<const char*, std::string>>& fields = {});

}  // namespace micrort::serve
