#pragma once
// The files of a recognizer, loaded.

#include <optional>

#include "micrort/text/transcribe.h"

namespace micrort::text {

class SpeechModelImpl {
 public:
  SpeechModelImpl(SpeechFiles files, Model decoder, Tokenizer tokenizer)
      : files_(std::move(files)), decoder_(std::move(decoder)), tokenizer_(std::move(tokenizer)) {}

  // What the constructor does not take; without a path, nothing.
  Status LoadRest();

  const SpeechFiles& files() const { return files_; }
  const Model& decoder() const { return decoder_; }
  const Model* encoder() const { return encoder_.has_value() ? &*encoder_ : nullptr; }
  const Model* cross() const { return cross_.has_value() ? &*cross_ : nullptr; }
  const Tokenizer& tokenizer() const { return tokenizer_; }
  const std::string& config() const { return config_; }  // "" without one

 private:
  SpeechFiles files_;
  Model decoder_;
  std::optional<Model> encoder_, cross_;
  Tokenizer tokenizer_;
  std::string config_;
};

}  // namespace micrort::text
