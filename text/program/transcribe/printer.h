#pragma once
// The output of micrort-transcribe.

#include <string>

#include "micrort/text/transcribe.h"

namespace micrort {

class TranscriptPrinter {
 public:
  enum class Form { kText, kSegments, kSrt, kVtt, kJson };
  explicit TranscriptPrinter(Form form) : form_(form) {}

  // What is printed while the transcription goes on. The printer must outlive it.
  text::TranscribeCallbacks Callbacks();
  // The rest; rates go to standard error, in one line.
  void Finish(const text::Transcription& made);

 private:
  void PrintTitle() const;
  bool PrintSegment(const text::SpeechSegment& segment);

  const Form form_;
  int segments_ = 0;
};

// "01:02.340", or with hours "1:01:02.340"; those of subtitles always have hours of two digits.
std::string TimeText(double seconds, bool is_subtitle = false, char point = '.');

}  // namespace micrort
