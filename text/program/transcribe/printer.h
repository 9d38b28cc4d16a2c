#pragma once
// The output of micrort-transcribe.

#include <string>

#include "micrort/text/transcribe.h"

namespace micrort {

class TranscriptPrinter {
 public:
  enum class Form { kText, kSegments, kJson };
  explicit TranscriptPrinter(Form form) : form_(form) {}

  // What is printed while the transcription goes on. The printer must outlive it.
  text::TranscribeCallbacks Callbacks() const;
  // The rest; rates go to standard error, in one line.
  void Finish(const text::Transcription& made) const;

 private:
  const Form form_;
};

// "01:02.340", or with hours "1:01:02.340".
std::string TimeText(double seconds);

}  // namespace micrort
