#pragma once
// The lines and words of a file of tuned choices.

#include <cstddef>
#include <cstdint>

#include "kernels/base/status.h"

namespace micrort {

// Cuts a text into words in place, a line at a time. Errors are kInvalidArgument.
class TunedText {
 public:
  // text[size] is a zero.
  TunedText(char* text, size_t size) : next_(text), end_(text + size) {}

  // Moves to the next line, which must be there and end with a newline, and hold printable ASCII only.
  Status NextLine();
  // The next word of the line, which ends with a zero; null if there is none. Words that are not asked for
  // are comments.
  const char* NextWord();
  // After the last line.
  Status ExpectEnd() const;
  int line() const { return number_; }

 private:
  char* next_;
  char* end_;
  char* word_ = nullptr;
  int number_ = 0;
};

// The whole word as a number, of base 10 or 16 in lower case; false on anything else or overflow.
bool ParseNumber(const char* word, unsigned base, uint64_t* out);

}  // namespace micrort
