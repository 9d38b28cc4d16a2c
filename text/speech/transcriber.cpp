#include <algorithm>
#include <atomic>
#include <cmath>

#include "micrort/text/transcribe.h"
#include "text/audio/resample.h"
#include "text/speech/segments.h"
#include "text/speech/speech_encoder.h"
#include "text/speech/speech_writer.h"
#include "text/speech/stopwatch.h"
#include "text/speech/transcript.h"

namespace micrort::text {
namespace {

constexpr double kMostSeconds = 24 * 3600;
constexpr size_t kLeastRest = LogMel::kRate / 10;  // less sound after a window is not heard
constexpr int kMostTokens = 1 << 20;

Status CheckAudio(const Audio& audio) {
  if (audio.samples.empty()) return MICRORT_ERROR(kInvalidArgument, "the audio has no samples");
  if (audio.rate < kLeastSampleRate || audio.rate > kMostSampleRate)
    return MICRORT_ERROR(kInvalidArgument, "expected %d to %d samples a second, found %d", kLeastSampleRate,
                         kMostSampleRate, audio.rate);
  if (static_cast<double>(audio.samples.size()) > kMostSeconds * audio.rate)
    return MICRORT_ERROR(kUnsupported, "the audio takes more than 24 hours");
  const auto odd =
      std::find_if_not(audio.samples.begin(), audio.samples.end(), [](float x) { return std::isfinite(x); });
  if (odd == audio.samples.end()) return Status();
  return MICRORT_ERROR(kInvalidArgument, "sample %td is no finite number", odd - audio.samples.begin());
}

}  // namespace

class TranscriberImpl {
 public:
  TranscriberImpl(const SpeechModelImpl& model, std::unique_ptr<SpeechEncoder> encoder, Decoder decoder,
                  std::vector<FixedInput> fixed, SpeechTokens tokens)
      : model_(model),
        encoder_(std::move(encoder)),
        decoder_(std::move(decoder)),
        tokens_(std::move(tokens)) {
    for (const FixedInput& input : fixed) fixed_.push_back({input.name, input.bytes.size()});
  }

  Result<Transcription> Transcribe(const Audio& audio, const TranscribeOptions& options,
                                   const TranscribeCallbacks& callbacks) {
    Result<Transcription> made = Hear(audio, options, callbacks);
    is_cancelled_ = false;
    return made;
  }

  void Cancel() {
    is_cancelled_ = true;
    encoder_->Cancel();
    decoder_.Cancel();
  }

 private:
  Result<Transcription> Hear(const Audio& audio, const TranscribeOptions& options,
                             const TranscribeCallbacks& callbacks) {
    MICRORT_RETURN_IF_ERROR(CheckAudio(audio));
    const Span<const float> given(audio.samples.data(), audio.samples.size());
    const auto samples = static_cast<size_t>(ResampledCount(given.size(), audio.rate, LogMel::kRate));
    MICRORT_ASSIGN_OR_RETURN(Sampler sampler, Sampler::Create(options.sampling));
    MICRORT_ASSIGN_OR_RETURN(WriteOptions writing, OptionsOf(options, samples));
    Transcript transcript(model_.tokenizer(), callbacks);
    transcript.result().audio_seconds =
        static_cast<double>(audio.samples.size()) / static_cast<double>(audio.rate);
    for (size_t at = 0; at == 0 || at + kLeastRest <= samples;) {
      const size_t count = std::min(encoder_->window_samples(), samples - at);
      const std::vector<float> window = ResampleRange(given, audio.rate, LogMel::kRate,
                                                      static_cast<int64_t>(at), static_cast<int64_t>(count));
      double advance = 0;
      MICRORT_RETURN_IF_ERROR(
          HearWindow({window.data(), count}, at, &writing, &sampler, &transcript, &advance));
      if (transcript.was_stopped()) break;
      const auto step = static_cast<size_t>(std::llround(advance * LogMel::kRate));
      at += step == 0 ? encoder_->window_samples() : step;
    }
    transcript.result().language = CodeOf(writing.language);
    return transcript.Finish();
  }

  Result<WriteOptions> OptionsOf(const TranscribeOptions& options, size_t samples) const {
    WriteOptions writing;
    if (options.max_tokens < 1 || options.max_tokens > kMostTokens)
      return MICRORT_ERROR(kInvalidArgument, "max_tokens is %d; expected 1 to %d", options.max_tokens,
                           kMostTokens);
    if (options.timestamps && !tokens_.has_timestamps())
      return MICRORT_ERROR(kInvalidArgument, "timestamps: the tokenizer has no tokens of times");
    if (options.translate && (tokens_.translate < 0 || tokens_.languages.empty()))
      return MICRORT_ERROR(kInvalidArgument, "translate: the model has no token of this task");
    const bool is_english = tokens_.languages.empty() && options.language == "en";
    if (options.language != "auto" && !options.language.empty() && !is_english) {
      MICRORT_ASSIGN_OR_RETURN(writing.language, LanguageToken(tokens_, options.language));
    }
    const bool is_long = samples > encoder_->window_samples();
    writing.times = options.timestamps || (is_long && tokens_.has_timestamps());
    writing.translate = options.translate;
    writing.max_tokens = options.max_tokens;
    if (!options.prompt.empty()) MICRORT_RETURN_IF_ERROR(EncodePrompt(options.prompt, &writing.before));
    return writing;
  }

  // As the text of a window before: with a space, like any text within a sentence.
  Status EncodePrompt(const std::string& prompt, std::vector<int32_t>* tokens) const {
    if (tokens_.previous < 0)
      return MICRORT_ERROR(kInvalidArgument, "prompt: the tokenizer has no token '<|startofprev|>'");
    EncodeOptions options;
    options.add_special = options.parse_special = false;
    std::vector<int32_t> all;
    MICRORT_RETURN_IF_ERROR(model_.tokenizer().Encode(" " + prompt, &all, options));
    const size_t count = std::min(all.size(), kMostPromptTokens);
    tokens->assign(1, tokens_.previous);
    tokens->insert(tokens->end(), all.end() - static_cast<ptrdiff_t>(count), all.end());
    return Status();
  }

  std::string CodeOf(int32_t token) const {
    for (const SpeechLanguage& language : tokens_.languages)
      if (language.token == token) return language.code;
    return "";
  }

  Status HearWindow(Span<const float> audio, size_t at, WriteOptions* writing, Sampler* sampler,
                    Transcript* transcript, double* advance) {
    EncodeSeconds seconds;
    MICRORT_RETURN_IF_ERROR(encoder_->Encode(audio, is_cancelled_, &seconds));
    transcript->result().feature_seconds += seconds.features;
    transcript->result().encode_seconds += seconds.encode;
    const Stopwatch begin;
    MICRORT_RETURN_IF_ERROR(SetEncoded());
    SpeechWriter writer(&decoder_, tokens_, sampler);
    if (is_cancelled_) return Cancelled();
    MICRORT_RETURN_IF_ERROR(writer.Begin(writing));
    transcript->result().prefill_seconds += begin.seconds();
    constexpr double kRate = LogMel::kRate;
    SegmentCollector segments(tokens_, static_cast<double>(audio.size()) / kRate);
    transcript->BeginWindow(static_cast<double>(at) / kRate, writer.MayBeSilent(), writing->times);
    MICRORT_RETURN_IF_ERROR(Write(&writer, &segments, transcript));
    *advance = segments.Advance();
    return transcript->EndWindow(segments.Finish(), writer.IsSilent());
  }

  Status Write(SpeechWriter* writer, SegmentCollector* segments, Transcript* transcript) {
    const Stopwatch begin;
    for (int32_t token = -1; token != tokens_.end && !transcript->was_stopped();) {
      if (is_cancelled_) return Cancelled();
      MICRORT_RETURN_IF_ERROR(writer->Next(&token));
      if (token == tokens_.end) break;
      MICRORT_RETURN_IF_ERROR(transcript->AddToken(token));
      const std::optional<TokenSegment> ended = segments->Add(token);
      if (ended.has_value()) MICRORT_RETURN_IF_ERROR(transcript->AddSegment(*ended));
    }
    transcript->result().decode_seconds += begin.seconds();
    transcript->result().tokens += writer->made().size();
    return Status();
  }

  // The decoder forgets all tokens by that.
  Status SetEncoded() {
    const std::vector<TensorView> values = encoder_->values();
    for (size_t i = 0, next = 0; i < model_.decoder().input_count() && next < fixed_.size(); ++i) {
      const TensorView input = model_.decoder().input(i);
      if (fixed_[next].name != input.name) continue;
      const TensorView* value = FindValueFor(input, values);
      if (value == nullptr) return MICRORT_ERROR(kInternal, "input '%.80s' has no value", input.name);
      if (value->bytes() != fixed_[next].bytes) return RefuseOpenSize(*value);
      MICRORT_RETURN_IF_ERROR(
          decoder_.SetFixed(fixed_[next++].name, {static_cast<const uint8_t*>(value->data), value->bytes()}));
    }
    return Status();
  }

  static Status Cancelled() { return MICRORT_ERROR(kCancelled, "the transcription was cancelled"); }

  const SpeechModelImpl& model_;
  std::unique_ptr<SpeechEncoder> encoder_;
  Decoder decoder_;
  const SpeechTokens tokens_;
  struct Linked {
    std::string name;
    size_t bytes;
  };
  std::vector<Linked> fixed_;  // inputs that come from the encoder, in the order of the decoder's
  std::atomic<bool> is_cancelled_{false};
};

Transcriber::Transcriber(std::unique_ptr<TranscriberImpl> impl) : impl_(std::move(impl)) {}
Transcriber::Transcriber(Transcriber&&) noexcept = default;
Transcriber& Transcriber::operator=(Transcriber&&) noexcept = default;
Transcriber::~Transcriber() = default;

Result<Transcriber> Transcriber::Create(const SpeechModel& model, const InterpreterOptions& options) {
  const SpeechModelImpl& files = model.impl();
  const char *decoder_path = files.files().decoder.c_str(), *tokenizer_path = files.files().tokenizer.c_str();
  const int32_t start = files.tokenizer().TokenId("<|startoftranscript|>");
  MICRORT_ASSIGN_OR_RETURN(std::unique_ptr<SpeechEncoder> encoder,
                           SpeechEncoder::Create(files, options, start));
  Result<std::vector<FixedInput>> fixed = LinkDecoder(files.decoder(), encoder->values());
  if (!fixed.ok()) return fixed.status().WithPrefix("%s", decoder_path);
  InterpreterOptions own = options;
  own.arena = nullptr;
  Result<Decoder> decoder = Decoder::Create(files.decoder(), own, *fixed);
  if (!decoder.ok()) return decoder.status().WithPrefix("%s", decoder_path);
  const double window = static_cast<double>(encoder->window_samples()) / LogMel::kRate;
  Result<SpeechTokens> tokens =
      FindSpeechTokens(files.tokenizer(), files.config(), decoder->vocabulary_size(), window);
  if (!tokens.ok()) return tokens.status().WithPrefix("%s", tokenizer_path);
  return Transcriber(std::make_unique<TranscriberImpl>(files, std::move(encoder), std::move(*decoder),
                                                       std::move(*fixed), std::move(*tokens)));
}

Result<Transcription> Transcriber::Transcribe(const Audio& audio, const TranscribeOptions& options,
                                              const TranscribeCallbacks& callbacks) {
  return impl_->Transcribe(audio, options, callbacks);
}

void Transcriber::Cancel() { impl_->Cancel(); }

}  // namespace micrort::text
