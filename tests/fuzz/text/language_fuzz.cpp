// Recognizers of speech, and models that continue a text: their models, tokenizers and configurations, and a
// sound.

#include "micrort/text/generate.h"
#include "micrort/text/transcribe.h"
#include "tests/fuzz/harness.h"
#include "tests/fuzz/load_and_run.h"
#include "tests/fuzz/scratch.h"
#include "tests/fuzz/text/language_files.h"

namespace micrort::fuzz {
namespace {

constexpr int kTokens = 3;

InterpreterOptions TightOptions() {
  InterpreterOptions options;
  options.limits = TightLimits();
  options.limits.max_work = 100'000'000;
  return options;
}

Status Hear(const LanguageFiles& files) {
  const MemoryFile encoder(files[kEncoder]), decoder(files[kDecoder]), cross(files[kCross]),
      tokenizer(files[kVocabulary]), config(files[kGenerationConfig]);
  const auto path = [&files](LanguageFile file, const MemoryFile& of) {
    return files[file].empty() ? std::string() : of.path();
  };
  MICRORT_ASSIGN_OR_RETURN(
      const text::Audio sound,
      text::ParseWav({reinterpret_cast<const uint8_t*>(files[kWav].data()), files[kWav].size()}));
  MICRORT_ASSIGN_OR_RETURN(
      const text::SpeechModel model,
      text::SpeechModel::FromFiles({path(kEncoder, encoder), path(kDecoder, decoder), path(kCross, cross),
                                    path(kVocabulary, tokenizer), path(kGenerationConfig, config)}));
  MICRORT_ASSIGN_OR_RETURN(text::Transcriber transcriber, text::Transcriber::Create(model, TightOptions()));
  text::TranscribeOptions options;
  options.max_tokens = kTokens;
  MICRORT_RETURN_IF_ERROR(transcriber.Transcribe(sound, options).status());
  options.timestamps = true;
  options.prompt = "a b";
  // Not every tokenizer has times, or a token before a prompt.
  static_cast<void>(transcriber.Transcribe(sound, options));
  return Status();
}

Status Continue(const LanguageFiles& files) {
  const MemoryFile decoder_file(files[kDecoder]);
  MICRORT_ASSIGN_OR_RETURN(const Model model, Model::FromFile(decoder_file.path().c_str()));
  MICRORT_ASSIGN_OR_RETURN(const text::Tokenizer tokenizer,
                           text::Tokenizer::FromTokenizerJson(files[kVocabulary]));
  MICRORT_ASSIGN_OR_RETURN(text::Decoder decoder, text::Decoder::Create(model, TightOptions()));
  std::vector<int32_t> prompt;
  MICRORT_RETURN_IF_ERROR(tokenizer.Encode("abcd", &prompt));
  text::GenerateOptions options;
  options.max_tokens = kTokens;
  options.prompt_chunk = 3;
  options.stop_words = {"zz"};
  const Span<const int32_t> tokens(prompt.data(), prompt.size());
  MICRORT_RETURN_IF_ERROR(text::GenerateText(&decoder, tokenizer, tokens, options, [](const std::string&) {
                            return true;
                          }).status());
  // Again, from where the prompt differs.
  options.prompt_begun = decoder.Restart(tokens);
  options.sampling.temperature = 1;
  return text::GenerateText(&decoder, tokenizer, tokens, options, [](const std::string&) { return true; })
      .status();
}

Status Run(const std::string& bytes) {
  const LanguageFiles files = SplitFiles(bytes);
  return files[kWav].empty() ? Continue(files) : Hear(files);
}

const Harness& HarnessOf(size_t file) {
  if (file == kVocabulary || file == kGenerationConfig) return kTokenizer;
  return file == kWav ? kSound : kModel;
}

std::string Changed(const std::string& bytes, const std::string& other, Random& random) {
  LanguageFiles files = SplitFiles(bytes);
  const size_t file = Below(kLanguageFiles, random), from = Below(kLanguageFiles, random);
  constexpr size_t kSwaps = 40;
  const Harness& harness = HarnessOf(file);
  if (Below(kSwaps, random) == 0) {
    std::swap(files[file], files[from]);
  } else if (other.empty() || harness.cross == nullptr) {
    files[file] = harness.mutate(files[file], random);
  } else {
    files[file] = harness.cross(files[file], SplitFiles(other)[from], random);
  }
  return JoinFiles(files);
}

std::string Mutate(const std::string& bytes, Random& random) { return Changed(bytes, "", random); }

}  // namespace

const Harness kLanguage = {"language", Run, Mutate, Changed};

}  // namespace micrort::fuzz
