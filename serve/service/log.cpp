#include "serve/service/log.h"

#include <poll.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <ctime>
#include <mutex>

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

// What a pipe takes at once if it takes anything is PIPE_BUF, 4096 bytes: lines are kept below it, whatever
// is in a value.
constexpr size_t kMostOfMessage = 1536, kMostOfValue = 512;

// Not to wait for whoever reads the log: what has no room is left out, and counted in the next line.
class LogWriter {
 public:
  void Write(const std::string& line) {
    const std::lock_guard lock(mutex_);
    pollfd log = {STDERR_FILENO, POLLOUT, 0};
    if (poll(&log, 1, 0) == 0) {
      ++lost_;
      return;
    }
    const std::string missing = lost_ == 0 ? "" : "{\"lost_lines\":" + std::to_string(lost_) + "}\n";
    lost_ = 0;
    const std::string text = missing + line;
    [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, text.data(), text.size());
  }

 private:
  std::mutex mutex_;
  uint64_t lost_ = 0;
};

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
  static LogWriter writer;
  std::string line = "{\"time\":\"" + Now() + "\",\"level\":\"" + NameOf(level) +
                     "\",\"message\":" + Quoted(message.substr(0, kMostOfMessage));
  for (const auto& [name, value] : fields) {
    if (!value.empty()) line += ",\"" + std::string(name) + "\":" + Quoted(value.substr(0, kMostOfValue));
  }
  writer.Write(line + "}\n");
}

}  // namespace micrort::serve
