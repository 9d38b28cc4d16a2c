#include "serve/service/log.h"

#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <ctime>

#include "serve/protocol/json_read.h"

namespace micrort::serve {
namespace {

std::string Now() {
  const auto now = std::chrono::system_clock::now();
  const std::time_t seconds = std::chrono::system_clock::to_time_t(now);
  const auto ms =
      std::chrono::duration_cast<std::chrono::milliseconds>(now.time_since_epoch()).count() % 1000;
  std::tm utc = {};
  gmtime_r(&seconds, &utc);
  char day[32], text[48];
  std::strftime(day, sizeof day, "%Y-%m-%dT%H:%M:%S", &utc);
  std::snprintf(text, sizeof text, "%s.%03dZ", day, static_cast<int>(ms));
  return text;
}

const char* NameOf(LogLevel level) {
  switch (level) {
    case LogLevel::kInfo:
      return "info";
    case LogLevel::kWarning:
      return "warning";
    case LogLevel::kError:
      break;
  }
  return "error";
}

}  // namespace

void Log(LogLevel level, const std::string& message,
         const std::vector<std::pair<const char*, std::string>>& fields) {
  std::string line =
      "{\"time\":\"" + Now() + "\",\"level\":\"" + NameOf(level) + "\",\"message\":" + Quoted(message);
  for (const auto& [name, value] : fields) {
    if (!value.empty()) line += ",\"" + std::string(name) + "\":" + Quoted(value);
  }
  line += "}\n";
  // A pipe that nobody reads must not hold up requests more than one write does.
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, line.data(), line.size());
}

}  // namespace micrort::serve
