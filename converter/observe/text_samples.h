#pragma once
// Samples of a decoder from texts.

#include <string>
#include <vector>

#include "converter/observe/samples.h"

namespace micrort::observe {

// A .txt file, which holds text.
bool IsText(const std::string& path);

// The tokens of a sample, where the model leaves their number open.
constexpr int64_t kTextWindow = 128;

struct TextOptions {
  std::string tokenizer;  // tokenizer.json, or a model of SentencePiece
  // Tokens that caches have room for, if the model keeps them from sample to sample; 0: each sample begins
  // anew.
  int64_t capacity = 0;
};

// Each sample is the next tokens of the text, as many as the model takes at a time; a rest is left out.
// Inputs have the names that micrort-generate knows (docs/language.md): tokens, positions, masks, and caches,
// which are empty. Errors: kIo; kInvalidArgument, naming what is missing or another input; kUnsupported in
// builds without tokenizers.
Status LoadTextSamples(const std::string& path, const std::vector<io::InputSpec>& inputs,
                       const TextOptions& options, std::vector<Sample>* samples);

}  // namespace micrort::observe
