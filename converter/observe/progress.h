#pragma once

#include <cstddef>
#include <string>

namespace micrort::observe {

// "calibrating 12/200" on one line of stderr that is drawn over and in the end erased.
class Progress {
 public:
  Progress(std::string title, size_t total, bool visible);
  ~Progress();
  void Advance();

 private:
  std::string title_;
  size_t done_ = 0, total_;
  bool visible_;
};

}  // namespace micrort::observe
