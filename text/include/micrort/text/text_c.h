#ifndef MICRORT_TEXT_TEXT_C_H
#define MICRORT_TEXT_TEXT_C_H
/*
 * Text by a language model, in C99; of libmicrort_text.a, as the C++ headers beside it.
 *
 *   micrort_text_model* model = NULL;
 *   micrort_text_generator* generator = NULL;
 *   char message[MICRORT_MESSAGE_BYTES];
 *   if (micrort_text_model_from_files("model.fb", "tokenizer.json", &model, message, sizeof message) !=
 * MICRORT_OK || micrort_text_generator_create(model, NULL, &generator, message, sizeof message) !=
 * MICRORT_OK) { puts(message);
 *   }
 *   micrort_text_options options;
 *   micrort_text_options_init(&options);
 *   options.temperature = 0.8f;
 *   micrort_text_generate(generator, "Once upon a time", &options, print, NULL, NULL, message, sizeof
 * message); micrort_text_generator_destroy(generator); micrort_text_model_destroy(model);
 *
 * Errors are those of micrort_c.h: a status, and the reason in the caller's buffer, which may be NULL.
 *
 * Ownership: what a function returns through a pointer is the caller's, until it is destroyed. Generators are
 * destroyed before their model. Texts that are passed are copied, or read during the call only.
 *
 * Threads: a model may be used by any number of threads at once; each generator by one at a time, except for
 * micrort_text_cancel.
 */

#include "micrort/micrort_c.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct micrort_text_model micrort_text_model;         /* a model and its tokenizer */
typedef struct micrort_text_generator micrort_text_generator; /* an interpreter of it, with caches */
typedef struct micrort_text_answer micrort_text_answer;       /* what a generator writes, step by step */

/* Maps the model. The tokenizer is tokenizer.json of Hugging Face, or a model of SentencePiece. */
MICRORT_API micrort_status micrort_text_model_from_files(const char* model_path, const char* tokenizer_path,
                                                         micrort_text_model** model, char* message,
                                                         size_t message_bytes);
/* The bytes of the model are used in place: aligned to 64 bytes, and unchanged while the model lives. Those
 * of the tokenizer are read during the call only. */
MICRORT_API micrort_status micrort_text_model_from_buffers(const void* model_bytes, size_t model_size,
                                                           const void* tokenizer_bytes, size_t tokenizer_size,
                                                           micrort_text_model** model, char* message,
                                                           size_t message_bytes);
/* A tokenizer alone, for micrort_text_encode before a model that is no decoder; the bytes are read during the
 * call only. */
MICRORT_API micrort_status micrort_text_tokenizer_from_file(const char* path, micrort_text_model** tokenizer,
                                                            char* message, size_t message_bytes);
MICRORT_API micrort_status micrort_text_tokenizer_from_buffer(const void* bytes, size_t size,
                                                              micrort_text_model** tokenizer, char* message,
                                                              size_t message_bytes);
/* NULL is allowed. */
MICRORT_API void micrort_text_model_destroy(micrort_text_model* model);

/* `options` are those of an interpreter, and may be NULL; of these threads, isa, no_spin, cpus and the limits
 * count. */
MICRORT_API micrort_status micrort_text_generator_create(const micrort_text_model* model,
                                                         const micrort_options* options,
                                                         micrort_text_generator** generator, char* message,
                                                         size_t message_bytes);
/* NULL is allowed. */
MICRORT_API void micrort_text_generator_destroy(micrort_text_generator* generator);

/* Begins with micrort_text_options_init. MICRORT_INVALID_ARGUMENT names an option that is out of range. */
typedef struct micrort_text_options {
  size_t struct_bytes; /* sizeof(micrort_text_options) */
  int32_t max_tokens;  /* of the answer; 128 */
  float temperature;   /* 0: always the most probable token */
  int32_t top_k;       /* keep this number of most probable tokens; 0: all */
  float top_p;         /* of those, keep the fewest that together have this probability; 1: all */
  float min_p;         /* remove tokens less probable than this fraction of the most probable one; 0: none */
  float repetition_penalty; /* for tokens of prompt and answer; 1: none */
  float presence_penalty;   /* subtracted from the scores of tokens in the answer */
  float frequency_penalty;  /* subtracted for each time that a token is in the answer */
  uint64_t seed;
  const char* const*
      stop_words; /* texts that end the answer, and are not part of it; at most 64 of 1024 bytes */
  size_t stop_word_count;
  int32_t ignore_end; /* not 0: tokens that end a sequence do not end the answer */
  int32_t no_special; /* not 0: no start token before the prompt */
  const char*
      chat; /* "llama3", "chatml" and so on: the prompt is a message of this format; NULL: it is plain text */
  const char* system; /* the system message, with chat; NULL: none */
} micrort_text_options;

MICRORT_API void micrort_text_options_init(micrort_text_options* options);

/* A piece of the answer, in whole characters of UTF-8: a terminated string, valid during the call. Returns 0
 * to go on; anything else ends the answer. It must not use the generator, except for micrort_text_cancel. */
typedef int32_t (*micrort_text_callback)(void* user, const char* piece, size_t bytes);

typedef enum micrort_text_reason {
  MICRORT_TEXT_LENGTH = 0,    /* max_tokens */
  MICRORT_TEXT_END_TOKEN = 1, /* a token that ends a sequence */
  MICRORT_TEXT_STOP_WORD = 2,
  MICRORT_TEXT_CALLBACK = 3 /* the callback ended it */
} micrort_text_reason;

typedef struct micrort_text_result {
  micrort_text_reason reason;
  size_t prompt_tokens, tokens; /* of the answer, without the end token */
  double prefill_seconds, decode_seconds;
} micrort_text_result;

/* Reads the prompt, after all that was read and written before, and writes the answer. `options`, `callback`
 * and `result` may be NULL. After an error the generator needs micrort_text_reset. */
MICRORT_API micrort_status micrort_text_generate(micrort_text_generator* generator, const char* prompt,
                                                 const micrort_text_options* options,
                                                 micrort_text_callback callback, void* user,
                                                 micrort_text_result* result, char* message,
                                                 size_t message_bytes);
/*
 * The same step by step, for callers that do something else in between:
 *
 *   micrort_text_encode(model, "Once upon a time", 1, tokens, capacity, &count, message, sizeof message);
 *   micrort_text_begin(generator, tokens, count, &options, &answer, message, sizeof message);
 *   while (!micrort_text_has_ended(answer) &&
 *          micrort_text_step(answer, &piece, &bytes, message, sizeof message) == MICRORT_OK) fputs(piece,
 * stdout); micrort_text_answer_destroy(answer);
 */

/* A text as tokens. `tokens` gets the first `capacity` of them, `count` the number of all: where that is
 * more, the call is to be repeated with more room. add_special: not 0: with a start token, where the
 * tokenizer has one. */
MICRORT_API micrort_status micrort_text_encode(const micrort_text_model* model, const char* text,
                                               int32_t add_special, int32_t* tokens, size_t capacity,
                                               size_t* count, char* message, size_t message_bytes);
/* A message of a conversation; `role` is "system", "user" or "assistant". */
typedef struct micrort_text_message {
  const char* role;
  const char* text;
} micrort_text_message;
/* A conversation, in a format as of micrort_text_options.chat: at most one system message first, then user
 * and assistant in turn, the user last. */
MICRORT_API micrort_status micrort_text_encode_chat(const micrort_text_model* model, const char* chat,
                                                    const micrort_text_message* messages,
                                                    size_t message_count, int32_t* tokens, size_t capacity,
                                                    size_t* count, char* message, size_t message_bytes);

/* An answer to a prompt of tokens, which is read after all that was read and written before. Of the options,
 * those that say what the prompt is (no_special, chat, system) are not looked at. The generator must outlive
 * the answer, and the answer ends when another one begins, or when the generator is reset or truncated. */
MICRORT_API micrort_status micrort_text_begin(micrort_text_generator* generator, const int32_t* tokens,
                                              size_t count, const micrort_text_options* options,
                                              micrort_text_answer** answer, char* message,
                                              size_t message_bytes);
/* Runs the model once. `piece` is text that is certain now, in whole characters of UTF-8, often empty: a
 * terminated string, valid until the next call for the answer. MICRORT_INVALID_ARGUMENT where the generator
 * has gone on without this answer. After an error there are no more steps. */
MICRORT_API micrort_status micrort_text_step(micrort_text_answer* answer, const char** piece, size_t* bytes,
                                             char* message, size_t message_bytes);
MICRORT_API int32_t micrort_text_has_ended(const micrort_text_answer* answer);
/* Ends it where it is (MICRORT_TEXT_CALLBACK). */
MICRORT_API void micrort_text_stop(micrort_text_answer* answer);
/* So far; the reason is that of the end. */
MICRORT_API void micrort_text_answer_result(const micrort_text_answer* answer, micrort_text_result* result);
/* As many as the result says, valid until the next call for the answer. */
MICRORT_API const int32_t* micrort_text_answer_tokens(const micrort_text_answer* answer);
/* NULL is allowed. */
MICRORT_API void micrort_text_answer_destroy(micrort_text_answer* answer);

/* May be called by any thread: micrort_text_generate or micrort_text_step in progress ends with
 * MICRORT_CANCELLED as soon as it can, and so does each later one until micrort_text_reset. */
MICRORT_API void micrort_text_cancel(micrort_text_generator* generator);

/* Tokens that have been read so far, of prompts and answers; the last token of an answer has not. */
MICRORT_API size_t micrort_text_length(const micrort_text_generator* generator);
/* Goes back to the first `length` of them, so that another prompt goes on from there.
 * MICRORT_INVALID_ARGUMENT if there are fewer, or if the caches cannot: where they are inputs of the model,
 * to 0 only. */
MICRORT_API micrort_status micrort_text_truncate(micrort_text_generator* generator, size_t length,
                                                 char* message, size_t message_bytes);
/* Forgets all. */
MICRORT_API void micrort_text_reset(micrort_text_generator* generator);

#ifdef __cplusplus
}
#endif

#endif
