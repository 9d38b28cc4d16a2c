#pragma once
// Speech to text by Whisper-like recognizers: an encoder that reads 30 s of sound, and a decoder that writes
// their text.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "micrort/micrort.h"
#include "micrort/text/audio.h"
#include "micrort/text/decoder.h"
#include "micrort/text/sampling.h"
#include "micrort/text/tokenizer.h"

namespace micrort::text {

// Paths. What is "" is not there.
struct SpeechFiles {
  // Reads log-mel features [1, bands, frames] and writes what the decoder's inputs are named after. "": the
  // decoder reads the features itself.
  std::string encoder;
  // Reads tokens and what the encoder wrote; see SpeechModel.
  std::string decoder;
  // A decoder without caches, run once for each window: it makes the keys and values of cross attention from
  // the encoder's output (decoder_model.onnx of Optimum, beside decoder_with_past_model.onnx).
  std::string cross;
  std::string tokenizer;          // tokenizer.json
  std::string generation_config;  // generation_config.json: tokens that are never text
};

// The files that a folder has under these names, the first that exists:
// - encoder.fb, encoder_model.fb
// - decoder.fb, decoder_with_past.fb, decoder_with_past_model.fb, decoder_model_merged.fb, decoder_model.fb
// - cross.fb, and decoder_model.fb if it is not the decoder
// - tokenizer.json, generation_config.json
SpeechFiles SpeechFilesIn(const std::string& folder);

class SpeechModelImpl;

// Immutable after loading: any number of transcribers on any number of threads may use one, and it must
// outlive them. Movable, not copyable.
class SpeechModel {
 public:
  // Errors: kIo, kInvalidModel, kUnsupported; messages begin with the path. kInvalidArgument names a file
  // that is missing.
  static Result<SpeechModel> FromFiles(const SpeechFiles& files);
  SpeechModel(SpeechModel&&) noexcept;
  SpeechModel& operator=(SpeechModel&&) noexcept;
  ~SpeechModel();

  const SpeechModelImpl& impl() const { return *impl_; }  // for the library itself

 private:
  explicit SpeechModel(std::unique_ptr<SpeechModelImpl> impl);
  std::unique_ptr<SpeechModelImpl> impl_;
};

// The most tokens of TranscribeOptions::prompt: less than half of the 448 for which Whisper's decoders have
// positions.
constexpr size_t kMostPromptTokens = 223;

struct TranscribeOptions {
  std::string language = "auto";  // "en" and so on; "auto": the most probable in the first window
  bool translate = false;         // into English; else the text is in the language of the speech
  // Segments with their times. Without it, sound of one window has one segment.
  bool timestamps = false;
  int max_tokens = 224;  // for each window
  // Text that might stand before the speech, with its names and its spelling; the last kMostPromptTokens
  // tokens count. It is no part of the transcript.
  std::string prompt;
  // Only temperature, top_k, top_p, min_p and seed make sense here.
  SamplingOptions sampling;
};

struct SpeechSegment {
  double begin = 0, end = 0;  // seconds
  std::string text;           // without spaces around it
  std::vector<int32_t> tokens;
};

struct Transcription {
  std::string text;      // of all segments
  std::string language;  // "" if the model has no tokens of languages
  std::vector<SpeechSegment> segments;
  bool was_stopped = false;  // by a callback
  double audio_seconds = 0;
  // Features; encoder; the decoder's prompts; its tokens.
  double feature_seconds = 0, encode_seconds = 0, prefill_seconds = 0, decode_seconds = 0;
  size_t tokens = 0;  // that the decoder wrote, timestamps and discarded text included
};

// Each may be null; returning false ends the transcription.
struct TranscribeCallbacks {
  // Receives text that is certain, in whole characters; all pieces together are Transcription::text.
  std::function<bool(const std::string& text)> on_text;
  std::function<bool(const SpeechSegment& segment)> on_segment;
};

class TranscriberImpl;

// Interpreters of a model. Used by one thread at a time, but for Cancel(). Movable, not copyable.
class Transcriber {
 public:
  // `input_shapes`, `input_values` and `arena` of the options are ignored. kUnsupported says which input or
  // token of the files is not that of a recognizer, or which shapes of encoder and decoder differ.
  static Result<Transcriber> Create(const SpeechModel& model, const InterpreterOptions& options = {});
  Transcriber(Transcriber&&) noexcept;
  Transcriber& operator=(Transcriber&&) noexcept;
  ~Transcriber();

  // Sound of up to 24 hours, at any rate that Resample() takes. What is longer than a window is heard window
  // by window: one begins where the last complete segment of the one before ends, if the tokenizer has times,
  // else where the window ends. A window that the model takes for silence has no text. Errors:
  // kInvalidArgument (no sample, an option out of range, a language that the model does not know), and those
  // of runs.
  Result<Transcription> Transcribe(const Audio& audio, const TranscribeOptions& options = {},
                                   const TranscribeCallbacks& callbacks = {});
  // By any thread: Transcribe() in progress ends with kCancelled as soon as it can, or the next one does. The
  // object must not be moved or destroyed meanwhile.
  void Cancel();

 private:
  explicit Transcriber(std::unique_ptr<TranscriberImpl> impl);
  std::unique_ptr<TranscriberImpl> impl_;
};

}  // namespace micrort::text
