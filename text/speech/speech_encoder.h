#pragma once
// From sound to what the decoder's inputs hold: features, the encoder, and the keys and values of cross
// attention.

#include <atomic>
#include <optional>

#include "text/audio/log_mel.h"
#include "text/speech/speech_model.h"

namespace micrort::text {

struct EncodeSeconds {
  double features = 0, encode = 0;
};

class SpeechEncoder {
 public:
  // `model` must outlive it. `start`: the token that the cross stage reads. Errors as Transcriber::Create()
  // says.
  static Result<std::unique_ptr<SpeechEncoder>> Create(const SpeechModelImpl& model,
                                                       const InterpreterOptions& options, int32_t start);
  explicit SpeechEncoder(const SpeechModelImpl& model) : model_(model) {}

  size_t window_samples() const { return mel_->samples(); }  // at LogMel::kRate
  // Values with the names and shapes that the files give them. The data are those of the last Encode().
  std::vector<TensorView> values() const;

  // `audio`: a window, or less. kCancelled once `is_cancelled` is true.
  Status Encode(Span<const float> audio, const std::atomic<bool>& is_cancelled, EncodeSeconds* seconds);
  void Cancel();

 private:
  Status PrepareFeatures(const TensorView& declared);
  Status PrepareEncoder(const InterpreterOptions& options);
  Status PrepareCross(const InterpreterOptions& options, int32_t start);
  // The input that takes features, of the encoder, or of a decoder without one.
  Result<TensorView> FindFeatures() const;
  void WriteFeatures(void* to) const;
  Result<Shape> CrossShape(const TensorView& input) const;
  // What the cross stage reads: the encoder's outputs, or the features.
  std::vector<TensorView> CrossValues() const;
  Status CheckCrossSizes() const;
  void FillCross();

  const SpeechModelImpl& model_;
  std::optional<LogMel> mel_;
  TensorView features_;  // the input that takes them
  std::vector<float> mel_values_;
  std::vector<uint8_t> feature_bytes_;  // of a decoder that reads them itself
  std::optional<Interpreter> encoder_, cross_;
  int32_t start_ = 0;
};

// The value that an input of a decoder is named after: one of its own name, with "present" in place of
// "past", or the encoder's hidden states. Null if there is none.
const TensorView* FindValueFor(const TensorView& input, const std::vector<TensorView>& values);

// The error of an output of the encoder whose size is not the same in every run.
Status RefuseOpenSize(const TensorView& value);

// Whether an input comes from the encoder: it has a role of no other kind, or is a cache of cross attention.
bool IsFromEncoder(const TensorView& input);

// The same, but kUnsupported if there is none, or if it has another shape or type.
Result<TensorView> LinkInput(const TensorView& input, const std::vector<TensorView>& values);

// The inputs of the decoder that come from the encoder, with their values. kUnsupported names one without a
// value, or of another shape or type.
Result<std::vector<FixedInput>> LinkDecoder(const Model& decoder, const std::vector<TensorView>& values);

}  // namespace micrort::text
