#include "text/speech/speech_writer.h"

#include <algorithm>
#include <cmath>

namespace micrort::text {
namespace {

// Whisper's own thresholds.
constexpr double kSilence = 0.6, kLeastLogProbability = -1.0;

}  // namespace

Status SpeechWriter::Read(Span<const int32_t> tokens) {
  const size_t expected = decoder_->vocabulary_size();
  MICRORT_RETURN_IF_ERROR(decoder_->Read(tokens, &logits_));
  if (logits_.size() == expected) return Status();
  return MICRORT_ERROR(kInvalidModel, "expected %zu logits, found %zu", expected, logits_.size());
}

// After the start token alone, whatever text came before.
Status SpeechWriter::ChooseLanguage(int32_t* language) {
  MICRORT_RETURN_IF_ERROR(Read({&tokens_.start, 1}));
  const auto is_less = [this](const SpeechLanguage& a, const SpeechLanguage& b) {
    return logits_[static_cast<size_t>(a.token)] < logits_[static_cast<size_t>(b.token)];
  };
  *language = std::max_element(tokens_.languages.begin(), tokens_.languages.end(), is_less)->token;
  decoder_->Reset();
  return Status();
}

Status SpeechWriter::Begin(WriteOptions* options) {
  if (options->language < 0 && !tokens_.languages.empty())
    MICRORT_RETURN_IF_ERROR(ChooseLanguage(&options->language));
  prompt_ = options->before;
  prompt_.push_back(tokens_.start);
  MICRORT_RETURN_IF_ERROR(Read({prompt_.data(), prompt_.size()}));
  if (tokens_.no_speech >= 0)
    silence_ = std::exp(static_cast<double>(logits_[static_cast<size_t>(tokens_.no_speech)]) -
                        LogSumExp({logits_.data(), logits_.size()}, 0, logits_.size()));
  if (!tokens_.languages.empty()) {
    prompt_.push_back(options->language);
    const int32_t task = options->translate ? tokens_.translate : tokens_.transcribe;
    if (task >= 0) prompt_.push_back(task);
  }
  if (!options->times && tokens_.no_timestamps >= 0) prompt_.push_back(tokens_.no_timestamps);
  options_ = *options;
  const size_t read = options->before.size() + 1;
  return prompt_.size() == read ? Status() : Read({prompt_.data() + read, prompt_.size() - read});
}

Status SpeechWriter::Choose(int32_t* token) {
  SpeechRules(tokens_, options_.times).Apply({made_.data(), made_.size()}, logits_);
  const double total = MayBeSilent() ? LogSumExp({logits_.data(), logits_.size()}, 0, logits_.size()) : 0;
  std::vector<int32_t> all = prompt_;
  all.insert(all.end(), made_.begin(), made_.end());
  MICRORT_RETURN_IF_ERROR(sampler_->Choose(logits_, {all.data(), all.size()}, prompt_.size(), token));
  log_probability_ += static_cast<double>(logits_[static_cast<size_t>(*token)]) - total;
  return Status();
}

Status SpeechWriter::Next(int32_t* token) {
  *token = tokens_.end;
  if (made_.size() >= static_cast<size_t>(options_.max_tokens)) return Status();
  if (!made_.empty()) {
    const Status read = Read({&made_.back(), 1});
    // The model has no room, or no position, for another token.
    if (read.code() == StatusCode::kOutOfRange) return Status();
    MICRORT_RETURN_IF_ERROR(read);
  }
  MICRORT_RETURN_IF_ERROR(Choose(token));
  if (*token != tokens_.end) made_.push_back(*token);
  return Status();
}

bool SpeechWriter::MayBeSilent() const { return silence_ > kSilence; }

bool SpeechWriter::IsSilent() const {
  const double mean = log_probability_ / static_cast<double>(made_.size() + 1);
  return MayBeSilent() && mean < kLeastLogProbability;
}

}  // namespace micrort::text
