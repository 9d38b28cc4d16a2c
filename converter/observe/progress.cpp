#include "converter/observe/progress.h"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "converter/observe/progress_format.h"
#include "tools/io/platform/process.h"
#include "tools/io/progress_event.h"

namespace micrort::observe {
namespace {

constexpr double kFirstSeconds = 1.0, kBarSeconds = 0.1;
constexpr double kEventSeconds = 1.0;
constexpr size_t kBarWidth = 30;

bool is_json = false;
double line_seconds = kLineSeconds;
// A conversion of many short steps is not silent either: lines are apart by time, whichever step they name.
std::chrono::steady_clock::time_point last_line = std::chrono::steady_clock::now();

}  // namespace

void SetProgressFormat(ProgressFormat format, double seconds_between_lines) {
  is_json = format == ProgressFormat::kJson;
  line_seconds = seconds_between_lines;
  last_line = std::chrono::steady_clock::now();
}

std::string ProgressText(const std::string& title, size_t done, size_t total, double seconds) {
  std::string text = title + " " + std::to_string(done) + "/" + std::to_string(total);
  if (done == 0 || done >= total) return text;
  const double left = seconds / static_cast<double>(done) * static_cast<double>(total - done);
  char time[48];
  if (left < 100.0) {
    std::snprintf(time, sizeof time, ", %.0f s left", left);
  } else {
    std::snprintf(time, sizeof time, ", %.0f min left", left / 60.0);
  }
  return text + time;
}

Progress::Progress(std::string title, size_t total, bool visible)
    : title_(std::move(title)),
      total_(total),
      visible_(visible),
      is_terminal_(io::ErrorsAreShown()),
      next_(is_json ? kEventSeconds : kFirstSeconds) {}

Progress::~Progress() {
  if (is_drawn_) std::fprintf(stderr, "\r\033[K");
}

void Progress::Draw(double seconds) {
  const size_t filled = total_ == 0 ? kBarWidth : std::min(kBarWidth, kBarWidth * done_ / total_);
  const std::string bar = std::string(filled, '#') + std::string(kBarWidth - filled, '-');
  std::fprintf(stderr, "\r\033[K[%s] %s", bar.c_str(), ProgressText(title_, done_, total_, seconds).c_str());
  is_drawn_ = true;
  next_ = seconds + kBarSeconds;
}

void Progress::PrintLine(double seconds) {
  const Clock::time_point now = Clock::now();
  if (std::chrono::duration<double>(now - last_line).count() < line_seconds) return;
  last_line = now;
  std::fprintf(stderr, "mnnconvert: progress: %s\n", ProgressText(title_, done_, total_, seconds).c_str());
}

void Progress::Advance() {
  done_ = std::min(done_ + 1, total_);
  if (!visible_) return;
  const double seconds = std::chrono::duration<double>(Clock::now() - start_).count();
  if (is_json && (seconds >= next_ || done_ == total_)) {
    std::fprintf(stderr, "%s\n", io::ProgressEvent(title_, done_, total_, seconds).c_str());
    next_ = seconds + kEventSeconds;
    return;
  }
  if (is_json) return;
  if (!is_terminal_) return PrintLine(seconds);
  if (seconds >= next_) Draw(seconds);
}

}  // namespace micrort::observe
