/* The C interface of speech to text as a program in C uses it. */

#include "tests/text/speech_c_use.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "micrort/text/speech_c.h"

#define SPEECH_EXPECT(condition) \
  if (!(condition)) return #condition

typedef struct SpeechHeard {
  char text[256];
  size_t pieces, segments, most_pieces;
  micrort_text_transcriber* cancels;
} SpeechHeard;

static int32_t HearText(void* user, const char* piece, size_t bytes) {
  SpeechHeard* heard = (SpeechHeard*)user;
  if (strlen(piece) != bytes || strlen(heard->text) + bytes >= sizeof heard->text) return 1;
  strcat(heard->text, piece);
  if (heard->cancels != NULL) micrort_text_transcriber_cancel(heard->cancels);
  return ++heard->pieces >= heard->most_pieces;
}

static int32_t HearSegment(void* user, const micrort_text_segment* segment) {
  SpeechHeard* heard = (SpeechHeard*)user;
  heard->segments += strlen(segment->text) == segment->text_bytes && segment->token_count > 0;
  return 0;
}

static SpeechHeard Nothing(void) {
  SpeechHeard heard;
  memset(&heard, 0, sizeof heard);
  heard.most_pieces = 1000;
  return heard;
}

static const char* Transcribe(micrort_text_transcriber* transcriber, const float* samples, size_t count,
                              int32_t rate, const char* expected) {
  char message[MICRORT_MESSAGE_BYTES];
  micrort_text_transcribe_options options;
  micrort_text_transcript* transcript = NULL;
  micrort_text_transcript_figures figures;
  micrort_text_segment segment;
  SpeechHeard heard = Nothing();
  size_t bytes = 0;
  micrort_text_transcribe_options_init(&options);
  options.language = "en";
  options.max_tokens = 8;
  SPEECH_EXPECT(micrort_text_transcribe(transcriber, samples, count, rate, &options, HearText, HearSegment,
                                        &heard, &transcript, message, sizeof message) == MICRORT_OK);
  SPEECH_EXPECT(strcmp(micrort_text_transcript_text(transcript, &bytes), expected) == 0);
  SPEECH_EXPECT(bytes == strlen(expected) && strcmp(heard.text, expected) == 0 && heard.segments == 1);
  SPEECH_EXPECT(strcmp(micrort_text_transcript_language(transcript), "en") == 0);
  SPEECH_EXPECT(micrort_text_transcript_segments(transcript) == 1);
  micrort_text_transcript_segment(transcript, 0, &segment);
  SPEECH_EXPECT(segment.begin == 0 && segment.end == 1 && segment.token_count == 8);
  micrort_text_transcript_result(transcript, &figures);
  SPEECH_EXPECT(figures.audio_seconds == 1 && figures.tokens == 8 && figures.was_stopped == 0);
  micrort_text_transcript_destroy(transcript);

  heard = Nothing();
  heard.most_pieces = 2;
  SPEECH_EXPECT(micrort_text_transcribe(transcriber, samples, count, rate, &options, HearText, NULL, &heard,
                                        &transcript, NULL, 0) == MICRORT_OK);
  micrort_text_transcript_result(transcript, &figures);
  SPEECH_EXPECT(heard.pieces == 2 && figures.was_stopped == 1);
  micrort_text_transcript_destroy(transcript);

  heard = Nothing();
  heard.cancels = transcriber;
  SPEECH_EXPECT(micrort_text_transcribe(transcriber, samples, count, rate, &options, HearText, NULL, &heard,
                                        &transcript, NULL, 0) == MICRORT_CANCELLED);
  SPEECH_EXPECT(transcript == NULL && heard.pieces == 1);
  SPEECH_EXPECT(micrort_text_transcribe(transcriber, samples, count, rate, NULL, NULL, NULL, NULL, NULL, NULL,
                                        0) == MICRORT_OK);
  options.language = "xx";
  SPEECH_EXPECT(micrort_text_transcribe(transcriber, samples, count, rate, &options, NULL, NULL, NULL, NULL,
                                        message, sizeof message) == MICRORT_INVALID_ARGUMENT);
  SPEECH_EXPECT(strstr(message, "expected auto or one of en, de") != NULL);
  SPEECH_EXPECT(micrort_text_transcribe(transcriber, NULL, 1, rate, NULL, NULL, NULL, NULL, NULL, NULL, 0) ==
                MICRORT_INVALID_ARGUMENT);
  options.struct_bytes = sizeof options + 1;
  SPEECH_EXPECT(micrort_text_transcribe(transcriber, samples, count, rate, &options, NULL, NULL, NULL, NULL,
                                        message, sizeof message) == MICRORT_INVALID_ARGUMENT);
  return NULL;
}

static const char* RefuseFiles(const char* folder) {
  char message[MICRORT_MESSAGE_BYTES];
  micrort_text_speech_files files;
  micrort_text_speech_model* model = NULL;
  micrort_text_audio* audio = NULL;
  micrort_text_transcriber* transcriber = NULL;
  memset(&files, 0, sizeof files);
  files.struct_bytes = sizeof files;
  files.decoder = "none.fb";
  SPEECH_EXPECT(micrort_text_speech_model_from_files(&files, &model, message, sizeof message) ==
                MICRORT_INVALID_ARGUMENT);
  SPEECH_EXPECT(strstr(message, "expected a tokenizer") != NULL);
  files.tokenizer = "none.json";
  SPEECH_EXPECT(micrort_text_speech_model_from_files(&files, &model, message, sizeof message) == MICRORT_IO);
  SPEECH_EXPECT(strstr(message, "none.fb") != NULL && model == NULL);
  SPEECH_EXPECT(micrort_text_speech_model_from_folder("none", &model, message, sizeof message) ==
                MICRORT_INVALID_ARGUMENT);
  SPEECH_EXPECT(strstr(message, "none: expected a decoder") != NULL);
  SPEECH_EXPECT(micrort_text_speech_model_from_folder(folder, NULL, NULL, 0) == MICRORT_INVALID_ARGUMENT);
  SPEECH_EXPECT(micrort_text_speech_model_from_files(NULL, &model, NULL, 0) == MICRORT_INVALID_ARGUMENT);
  SPEECH_EXPECT(micrort_text_transcriber_create(NULL, NULL, &transcriber, NULL, 0) ==
                MICRORT_INVALID_ARGUMENT);
  SPEECH_EXPECT(micrort_text_audio_from_file("none.wav", &audio, message, sizeof message) == MICRORT_IO);
  SPEECH_EXPECT(micrort_text_audio_from_buffer("RIFF", 4, &audio, NULL, 0) == MICRORT_INVALID_MODEL);
  SPEECH_EXPECT(audio == NULL);
  micrort_text_audio_destroy(NULL);
  micrort_text_speech_model_destroy(NULL);
  micrort_text_transcriber_destroy(NULL);
  micrort_text_transcript_destroy(NULL);
  return NULL;
}

const char* UseSpeechCApi(const char* folder, const char* wav, const char* text) {
  micrort_text_speech_model* model = NULL;
  micrort_text_transcriber* transcriber = NULL;
  micrort_text_audio* audio = NULL;
  const float* samples;
  size_t count = 0;
  int32_t rate = 0;
  const char* error = RefuseFiles(folder);
  if (error != NULL) return error;
  SPEECH_EXPECT(micrort_text_speech_model_from_folder(folder, &model, NULL, 0) == MICRORT_OK);
  SPEECH_EXPECT(micrort_text_transcriber_create(model, NULL, &transcriber, NULL, 0) == MICRORT_OK);
  SPEECH_EXPECT(micrort_text_audio_from_file(wav, &audio, NULL, 0) == MICRORT_OK);
  samples = micrort_text_audio_samples(audio, &count, &rate);
  error = Transcribe(transcriber, samples, count, rate, text);
  micrort_text_audio_destroy(audio);
  micrort_text_transcriber_destroy(transcriber);
  micrort_text_speech_model_destroy(model);
  return error;
}
