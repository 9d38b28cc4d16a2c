#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace micrort::observe {

// Progress of a step of a conversion, on stderr. On a terminal, a step of more than a second has a bar with
// the time that remains, which is drawn over and erased in the end; elsewhere there is a line every ten
// seconds of the conversion.
class Progress {
 public:
  Progress(std::string title, size_t total, bool visible);
  ~Progress();
  void Advance();

 private:
  using Clock = std::chrono::steady_clock;

  void Draw(double seconds);
  void PrintLine(double seconds);

  std::string title_;
  size_t done_ = 0, total_;
  bool visible_, is_terminal_, is_drawn_ = false;
  Clock::time_point start_ = Clock::now();
  double next_ = 0.0;  // seconds from the start
};

// "calibrating 12/200, 40 s left": `seconds` have been spent on `done` of `total`.
std::string ProgressText(const std::string& title, size_t done, size_t total, double seconds);

}  // namespace micrort::observe
