#ifndef MICRORT_TEXT_SPEECH_C_H
#define MICRORT_TEXT_SPEECH_C_H
/*
 * The C interface of speech to text, C99: a Whisper-like recognizer writes what is said.
 *
 *   if (micrort_text_speech_model_from_folder("whisper", &model, message, sizeof message) != MICRORT_OK ||
 *       micrort_text_transcriber_create(model, NULL, &transcriber, message, sizeof message) != MICRORT_OK ||
 *       micrort_text_audio_from_file("speech.wav", &audio, message, sizeof message) != MICRORT_OK) {
 *     puts(message);
 *   }
 *   samples = micrort_text_audio_samples(audio, &count, &rate);
 *   micrort_text_transcribe(transcriber, samples, count, rate, NULL, print, NULL, NULL, NULL, message,
 *                           sizeof message);
 *
 * Errors, ownership and threads are as text_c.h says: a model may be used by any number of threads at once, a
 * transcriber by one at a time, except for micrort_text_transcriber_cancel; transcribers are destroyed before
 * their model. Destroying NULL is allowed.
 */

#include "micrort/text/text_c.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct micrort_text_audio micrort_text_audio;               /* samples of a sound file */
typedef struct micrort_text_speech_model micrort_text_speech_model; /* the files of a recognizer */
typedef struct micrort_text_transcriber micrort_text_transcriber;   /* its interpreters */
typedef struct micrort_text_transcript micrort_text_transcript;     /* what was said */

/* A WAV file of integers of 8 to 32 bits or of floats; the mean of all channels. */
MICRORT_API micrort_status micrort_text_audio_from_file(const char* path, micrort_text_audio** audio,
                                                        char* message, size_t message_bytes);
/* The bytes of a file, which are read during the call only. */
MICRORT_API micrort_status micrort_text_audio_from_buffer(const void* bytes, size_t size,
                                                          micrort_text_audio** audio, char* message,
                                                          size_t message_bytes);
/* `count` samples, `rate` a second; valid until the audio is destroyed. */
MICRORT_API const float* micrort_text_audio_samples(const micrort_text_audio* audio, size_t* count,
                                                    int32_t* rate);
MICRORT_API void micrort_text_audio_destroy(micrort_text_audio* audio);

/* encoder.fb, decoder.fb and tokenizer.json of a folder, where there are, cross.fb and
 * generation_config.json, too; other names as transcribe.h says. */
MICRORT_API micrort_status micrort_text_speech_model_from_folder(const char* folder,
                                                                 micrort_text_speech_model** model,
                                                                 char* message, size_t message_bytes);
/* Paths; NULL: there is none. decoder and tokenizer are needed. */
typedef struct micrort_text_speech_files {
  size_t struct_bytes;           /* sizeof(micrort_text_speech_files) */
  const char* encoder;           /* NULL: the decoder reads features itself */
  const char* decoder;           /* reads tokens and what the encoder wrote */
  const char* cross;             /* decoder without caches that makes keys of cross attention */
  const char* tokenizer;         /* tokenizer.json */
  const char* generation_config; /* generation_config.json: tokens that are never text */
} micrort_text_speech_files;
MICRORT_API micrort_status micrort_text_speech_model_from_files(const micrort_text_speech_files* files,
                                                                micrort_text_speech_model** model,
                                                                char* message, size_t message_bytes);
MICRORT_API void micrort_text_speech_model_destroy(micrort_text_speech_model* model);

/* `options` are those of an interpreter, and may be NULL, as of micrort_text_generator_create. */
MICRORT_API micrort_status micrort_text_transcriber_create(const micrort_text_speech_model* model,
                                                           const micrort_options* options,
                                                           micrort_text_transcriber** transcriber,
                                                           char* message, size_t message_bytes);
MICRORT_API void micrort_text_transcriber_destroy(micrort_text_transcriber* transcriber);

/* Begins with micrort_text_transcribe_options_init. */
typedef struct micrort_text_transcribe_options {
  size_t struct_bytes;  /* sizeof(micrort_text_transcribe_options) */
  const char* language; /* "en" and so on; NULL or "auto": the most probable in the first window */
  int32_t translate;    /* not 0: into English */
  int32_t timestamps;   /* not 0: segments with their times */
  int32_t max_tokens;   /* for each window; 224 */
  float temperature;    /* 0: always the most probable token */
  uint64_t seed;
  const char* prompt; /* text before the speech, for names and spelling; NULL: none */
} micrort_text_transcribe_options;
MICRORT_API void micrort_text_transcribe_options_init(micrort_text_transcribe_options* options);

/* Times in seconds; the text has no spaces around it and is a terminated string. */
typedef struct micrort_text_segment {
  double begin, end;
  const char* text;
  size_t text_bytes;
  const int32_t* tokens;
  size_t token_count;
} micrort_text_segment;
/* As micrort_text_callback; the segment is valid during the call. */
typedef int32_t (*micrort_text_segment_callback)(void* user, const micrort_text_segment* segment);

/* Writes what is said in `count` samples, `rate` a second. `options`, both callbacks and `transcript` may be
 * NULL. Callbacks must not use the transcriber, except for micrort_text_transcriber_cancel. */
MICRORT_API micrort_status micrort_text_transcribe(micrort_text_transcriber* transcriber,
                                                   const float* samples, size_t count, int32_t rate,
                                                   const micrort_text_transcribe_options* options,
                                                   micrort_text_callback on_text,
                                                   micrort_text_segment_callback on_segment, void* user,
                                                   micrort_text_transcript** transcript, char* message,
                                                   size_t message_bytes);
/* May be called by any thread: micrort_text_transcribe in progress ends with MICRORT_CANCELLED as soon as it
 * can, or the next one does. */
MICRORT_API void micrort_text_transcriber_cancel(micrort_text_transcriber* transcriber);

/* What is returned is valid until the transcript is destroyed. The text is a terminated string; `bytes` may
 * be NULL. The language is "" if the model has no tokens of languages. */
MICRORT_API const char* micrort_text_transcript_text(const micrort_text_transcript* transcript,
                                                     size_t* bytes);
MICRORT_API const char* micrort_text_transcript_language(const micrort_text_transcript* transcript);
MICRORT_API size_t micrort_text_transcript_segments(const micrort_text_transcript* transcript);
/* All zero if `index` is not below the number of segments. */
MICRORT_API void micrort_text_transcript_segment(const micrort_text_transcript* transcript, size_t index,
                                                 micrort_text_segment* segment);
typedef struct micrort_text_transcript_figures {
  int32_t was_stopped; /* by a callback */
  double audio_seconds, feature_seconds, encode_seconds, prefill_seconds, decode_seconds;
  size_t tokens;
} micrort_text_transcript_figures;
MICRORT_API void micrort_text_transcript_result(const micrort_text_transcript* transcript,
                                                micrort_text_transcript_figures* figures);
MICRORT_API void micrort_text_transcript_destroy(micrort_text_transcript* transcript);

#ifdef __cplusplus
}
#endif

#endif
