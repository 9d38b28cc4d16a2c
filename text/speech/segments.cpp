#include "text/speech/segments.h"

#include <algorithm>
#include <utility>

namespace micrort::text {

std::optional<TokenSegment> SegmentCollector::Add(int32_t token) {
  ends_complete_ = false;
  if (!tokens_.is_timestamp(token)) {
    open_.tokens.push_back(token);
    return std::nullopt;
  }
  const double time = std::min(tokens_.seconds(token), length_);
  if (open_.tokens.empty()) {
    open_.begin = time;
    return std::nullopt;
  }
  TokenSegment ended = std::exchange(open_, {});
  ended.end = open_.begin = last_end_ = time;
  has_segments_ = ends_complete_ = true;
  return ended;
}

std::optional<TokenSegment> SegmentCollector::Finish() const {
  if (has_segments_ || open_.tokens.empty()) return std::nullopt;
  TokenSegment rest = open_;
  rest.end = length_;
  return rest;
}

double SegmentCollector::Advance() const { return has_segments_ && !ends_complete_ ? last_end_ : 0; }

}  // namespace micrort::text
