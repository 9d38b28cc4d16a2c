#include "runtime/tune/tuned_text.h"

#include "kernels/base/checked_math.h"

namespace micrort {

Status TunedText::NextLine() {
  ++number_;
  word_ = next_;
  for (; next_ != end_ && *next_ != '\n'; ++next_) {
    if (*next_ >= ' ' && *next_ <= '~') continue;
    return MICRORT_ERROR(kInvalidArgument, "line %d: expected text, found byte %d", number_,
                         static_cast<unsigned char>(*next_));
  }
  if (next_ == end_) return MICRORT_ERROR(kInvalidArgument, "the file ends within line %d", number_);
  *next_++ = '\0';
  return Status();
}

const char* TunedText::NextWord() {
  while (*word_ == ' ') ++word_;
  if (*word_ == '\0') return nullptr;
  const char* const word = word_;
  while (*word_ != ' ' && *word_ != '\0') ++word_;
  if (*word_ == ' ') *word_++ = '\0';
  return word;
}

Status TunedText::ExpectEnd() const {
  if (next_ == end_) return Status();
  return MICRORT_ERROR(kInvalidArgument, "expected the end of the file after line %d", number_);
}

bool ParseNumber(const char* word, unsigned base, uint64_t* out) {
  uint64_t value = 0;
  for (; *word != '\0'; ++word) {
    unsigned digit = base;
    if (*word >= '0' && *word <= '9') digit = static_cast<unsigned>(*word - '0');
    if (*word >= 'a' && *word <= 'f') digit = static_cast<unsigned>(*word - 'a') + 10;
    if (digit >= base || !CheckedMul<uint64_t>(value, base, &value) ||
        !CheckedAdd<uint64_t>(value, digit, &value)) {
      return false;
    }
  }
  *out = value;
  return true;
}

}  // namespace micrort
