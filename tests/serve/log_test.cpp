// The server's log, when nobody reads it.

#include "serve/service/log.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <string>

namespace micrort::serve {
namespace {

// A pipe in place of stderr.
class LogPipe {
 public:
  LogPipe() : stderr_(dup(STDERR_FILENO)) {
    EXPECT_EQ(pipe2(ends_, O_CLOEXEC | O_NONBLOCK), 0);
    // Writes wait, as they do on the pipe of a program that collects logs.
    EXPECT_EQ(fcntl(ends_[1], F_SETFL, 0), 0);
    dup2(ends_[1], STDERR_FILENO);
  }
  ~LogPipe() {
    dup2(stderr_, STDERR_FILENO);
    for (const int descriptor : {stderr_, ends_[0], ends_[1]}) close(descriptor);
  }

  std::string ReadAll() {
    std::string text;
    char block[4096];
    for (ssize_t n = 0; (n = read(ends_[0], block, sizeof block)) > 0;)
      text.append(block, static_cast<size_t>(n));
    return text;
  }

 private:
  int stderr_;
  int ends_[2] = {};
};

TEST(Log, WaitsForNobody) {
  LogPipe pipe;
  for (int i = 0; i < 10000; ++i) Log(LogLevel::kInfo, "request", {{"path", std::string(20000, 'a')}});
  const std::string before = pipe.ReadAll();
  EXPECT_GT(before.size(), 4096u);
  EXPECT_EQ(before.back(), '\n');
  Log(LogLevel::kInfo, "again");
  const std::string after = pipe.ReadAll();
  EXPECT_THAT(after, ::testing::StartsWith("{\"lost_lines\":"));
  EXPECT_THAT(after, ::testing::HasSubstr("\"message\":\"again\""));
}

}  // namespace
}  // namespace micrort::serve
