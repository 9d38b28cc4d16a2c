#include "converter/observe/progress.h"

#include <cstdio>
#include <utility>

namespace micrort::observe {

Progress::Progress(std::string title, size_t total, bool visible)
    : title_(std::move(title)), total_(total), visible_(visible) {}

Progress::~Progress() {
  if (visible_) std::fprintf(stderr, "\r\033[K");
}

void Progress::Advance() {
  ++done_;
  if (visible_) std::fprintf(stderr, "\r\033[K%s %zu/%zu", title_.c_str(), done_, total_);
}

}  // namespace micrort::observe
