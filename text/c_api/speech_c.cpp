#include "micrort/text/speech_c.h"

#include <string>
#include <utility>

#include "micrort/text/transcribe.h"
#include "text/c_api/handles.h"

struct micrort_text_audio {
  micrort::text::Audio audio;
};

struct micrort_text_speech_model {
  micrort::text::SpeechModel model;
};

struct micrort_text_transcriber {
  micrort::text::Transcriber transcriber;
};

struct micrort_text_transcript {
  micrort::text::Transcription made;
};

namespace micrort::text {
namespace {

std::string StringOf(const char* given) { return given == nullptr ? "" : given; }

Status NewAudio(Result<Audio> audio, micrort_text_audio** out) {
  MICRORT_RETURN_IF_ERROR(audio.status());
  *out = new micrort_text_audio{std::move(*audio)};
  return Status();
}

Status NewSpeechModel(const SpeechFiles& files, micrort_text_speech_model** out) {
  MICRORT_ASSIGN_OR_RETURN(SpeechModel model, SpeechModel::FromFiles(files));
  *out = new micrort_text_speech_model{std::move(model)};
  return Status();
}

Status NewTranscriber(const micrort_text_speech_model* model, const micrort_options* options,
                      micrort_text_transcriber** out) {
  InterpreterOptions read;
  MICRORT_RETURN_IF_ERROR(ReadInterpreterOptions(options, &read));
  MICRORT_ASSIGN_OR_RETURN(Transcriber transcriber, Transcriber::Create(model->model, read));
  *out = new micrort_text_transcriber{std::move(transcriber)};
  return Status();
}

Status ReadTranscribeOptions(const micrort_text_transcribe_options* given, TranscribeOptions* to) {
  micrort_text_transcribe_options known;
  micrort_text_transcribe_options_init(&known);
  MICRORT_RETURN_IF_ERROR(CopyOptions(given, &known));
  if (known.language != nullptr) to->language = known.language;
  to->translate = known.translate != 0;
  to->timestamps = known.timestamps != 0;
  to->max_tokens = known.max_tokens;
  to->sampling.temperature = known.temperature;
  to->sampling.seed = known.seed;
  to->prompt = StringOf(known.prompt);
  return Status();
}

micrort_text_segment SegmentOf(const SpeechSegment& segment) {
  return {segment.begin,       segment.end,           segment.text.c_str(),
          segment.text.size(), segment.tokens.data(), segment.tokens.size()};
}

TranscribeCallbacks CallbacksOf(micrort_text_callback on_text, micrort_text_segment_callback on_segment,
                                void* user) {
  TranscribeCallbacks callbacks;
  if (on_text != nullptr)
    callbacks.on_text = [=](const std::string& piece) {
      return on_text(user, piece.c_str(), piece.size()) == 0;
    };
  if (on_segment != nullptr)
    callbacks.on_segment = [=](const SpeechSegment& segment) {
      const micrort_text_segment view = SegmentOf(segment);
      return on_segment(user, &view) == 0;
    };
  return callbacks;
}

}  // namespace
}  // namespace micrort::text

namespace text = micrort::text;
using micrort::Status;
using micrort::text::NullArgument;
using micrort::text::Report;
using micrort::text::StringOf;

extern "C" {

micrort_status micrort_text_audio_from_file(const char* path, micrort_text_audio** audio, char* message,
                                            size_t message_bytes) {
  return Report(message, message_bytes, [&]() -> Status {
    if (audio == nullptr) return NullArgument();
    *audio = nullptr;
    return path == nullptr ? NullArgument() : text::NewAudio(text::ReadWav(path), audio);
  });
}

micrort_status micrort_text_audio_from_buffer(const void* bytes, size_t size, micrort_text_audio** audio,
                                              char* message, size_t message_bytes) {
  return Report(message, message_bytes, [&]() -> Status {
    if (audio == nullptr) return NullArgument();
    *audio = nullptr;
    if (bytes == nullptr) return NullArgument();
    return text::NewAudio(text::ParseWav({static_cast<const uint8_t*>(bytes), size}), audio);
  });
}

const float* micrort_text_audio_samples(const micrort_text_audio* audio, size_t* count, int32_t* rate) {
  *count = audio->audio.samples.size();
  *rate = audio->audio.rate;
  return audio->audio.samples.data();
}

void micrort_text_audio_destroy(micrort_text_audio* audio) { delete audio; }

micrort_status micrort_text_speech_model_from_folder(const char* folder, micrort_text_speech_model** model,
                                                     char* message, size_t message_bytes) {
  return Report(message, message_bytes, [&]() -> Status {
    if (model == nullptr) return NullArgument();
    *model = nullptr;
    if (folder == nullptr) return NullArgument();
    const Status made = text::NewSpeechModel(text::SpeechFilesIn(folder), model);
    return made.code() == micrort::StatusCode::kInvalidArgument ? made.WithPrefix("%s", folder) : made;
  });
}

micrort_status micrort_text_speech_model_from_files(const micrort_text_speech_files* files,
                                                    micrort_text_speech_model** model, char* message,
                                                    size_t message_bytes) {
  return Report(message, message_bytes, [&]() -> Status {
    if (model == nullptr) return NullArgument();
    *model = nullptr;
    if (files == nullptr) return NullArgument();
    micrort_text_speech_files known = {};
    MICRORT_RETURN_IF_ERROR(text::CopyOptions(files, &known));
    return text::NewSpeechModel({StringOf(known.encoder), StringOf(known.decoder), StringOf(known.cross),
                                 StringOf(known.tokenizer), StringOf(known.generation_config)},
                                model);
  });
}

void micrort_text_speech_model_destroy(micrort_text_speech_model* model) { delete model; }

micrort_status micrort_text_transcriber_create(const micrort_text_speech_model* model,
                                               const micrort_options* options,
                                               micrort_text_transcriber** transcriber, char* message,
                                               size_t message_bytes) {
  return Report(message, message_bytes, [&]() -> Status {
    if (transcriber == nullptr) return NullArgument();
    *transcriber = nullptr;
    return model == nullptr ? NullArgument() : text::NewTranscriber(model, options, transcriber);
  });
}

void micrort_text_transcriber_destroy(micrort_text_transcriber* transcriber) { delete transcriber; }

void micrort_text_transcribe_options_init(micrort_text_transcribe_options* options) {
  *options = micrort_text_transcribe_options();
  options->struct_bytes = sizeof *options;
  options->max_tokens = text::TranscribeOptions().max_tokens;
}

micrort_status micrort_text_transcribe(micrort_text_transcriber* transcriber, const float* samples,
                                       size_t count, int32_t rate,
                                       const micrort_text_transcribe_options* options,
                                       micrort_text_callback on_text,
                                       micrort_text_segment_callback on_segment, void* user,
                                       micrort_text_transcript** transcript, char* message,
                                       size_t message_bytes) {
  return Report(message, message_bytes, [&]() -> Status {
    if (transcript != nullptr) *transcript = nullptr;
    if (transcriber == nullptr || (samples == nullptr && count != 0)) return NullArgument();
    text::TranscribeOptions read;
    MICRORT_RETURN_IF_ERROR(text::ReadTranscribeOptions(options, &read));
    text::Audio audio;
    audio.rate = rate;
    audio.samples.assign(samples, samples + count);
    MICRORT_ASSIGN_OR_RETURN(
        text::Transcription made,
        transcriber->transcriber.Transcribe(audio, read, text::CallbacksOf(on_text, on_segment, user)));
    if (transcript != nullptr) *transcript = new micrort_text_transcript{std::move(made)};
    return Status();
  });
}

void micrort_text_transcriber_cancel(micrort_text_transcriber* transcriber) {
  transcriber->transcriber.Cancel();
}

const char* micrort_text_transcript_text(const micrort_text_transcript* transcript, size_t* bytes) {
  if (bytes != nullptr) *bytes = transcript->made.text.size();
  return transcript->made.text.c_str();
}

const char* micrort_text_transcript_language(const micrort_text_transcript* transcript) {
  return transcript->made.language.c_str();
}

size_t micrort_text_transcript_segments(const micrort_text_transcript* transcript) {
  return transcript->made.segments.size();
}

void micrort_text_transcript_segment(const micrort_text_transcript* transcript, size_t index,
                                     micrort_text_segment* segment) {
  const auto& segments = transcript->made.segments;
  *segment = index < segments.size() ? text::SegmentOf(segments[index]) : micrort_text_segment();
}

void micrort_text_transcript_result(const micrort_text_transcript* transcript,
                                    micrort_text_transcript_figures* figures) {
  const text::Transcription& made = transcript->made;
  *figures = {made.was_stopped ? 1 : 0, made.audio_seconds,  made.feature_seconds, made.encode_seconds,
              made.prefill_seconds,     made.decode_seconds, made.tokens};
}

void micrort_text_transcript_destroy(micrort_text_transcript* transcript) { delete transcript; }

}  // extern "C"
