/* Uses every function of the C interface of text, as C. Returns NULL, or what went wrong. */

#include "tests/text/text_c_use.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "micrort/text/text_c.h"

#define EXPECT(condition)                \
  do {                                   \
    if (!(condition)) return #condition; \
  } while (0)

typedef struct Pieces {
  char text[64];
  size_t most; /* pieces, after which it ends */
  size_t count;
  micrort_text_generator* cancels; /* or NULL */
} Pieces;

static int32_t Collect(void* user, const char* piece, size_t bytes) {
  Pieces* to = (Pieces*)user;
  if (strlen(piece) != bytes || strlen(to->text) + bytes >= sizeof to->text) return 1;
  strcat(to->text, piece);
  if (to->cancels != NULL) micrort_text_cancel(to->cancels);
  return ++to->count == to->most;
}

static Pieces OfMost(size_t most) {
  Pieces empty;
  memset(&empty, 0, sizeof empty);
  empty.most = most;
  return empty;
}

static const char* MakeText(micrort_text_generator* generator) {
  char message[MICRORT_MESSAGE_BYTES];
  const char* stops[] = {"zz", "gh"};
  micrort_text_options options;
  micrort_text_result result;
  Pieces made = OfMost(100);
  micrort_text_options_init(&options);
  options.max_tokens = 4;
  EXPECT(micrort_text_generate(generator, "abc", &options, Collect, &made, &result, message,
                               sizeof message) == MICRORT_OK);
  EXPECT(strcmp(made.text, "defg") == 0 && message[0] == '\0' && made.count == 4);
  EXPECT(result.reason == MICRORT_TEXT_LENGTH && result.prompt_tokens == 3 && result.tokens == 4);
  EXPECT(micrort_text_length(generator) == 6);

  micrort_text_reset(generator);
  EXPECT(micrort_text_length(generator) == 0);
  options.max_tokens = 100;
  options.stop_words = stops;
  options.stop_word_count = 2;
  made = OfMost(100);
  EXPECT(micrort_text_generate(generator, "abc", &options, Collect, &made, &result, NULL, 0) == MICRORT_OK);
  EXPECT(strcmp(made.text, "def") == 0 && result.reason == MICRORT_TEXT_STOP_WORD);

  /* The callback ends it. */
  micrort_text_reset(generator);
  options.stop_word_count = 0;
  made = OfMost(2);
  EXPECT(micrort_text_generate(generator, "abc", &options, Collect, &made, &result, NULL, 0) == MICRORT_OK);
  EXPECT(strcmp(made.text, "de") == 0 && result.reason == MICRORT_TEXT_CALLBACK);
  return NULL;
}

static const char* StepByStep(const micrort_text_model* model, micrort_text_generator* generator) {
  char message[MICRORT_MESSAGE_BYTES], text[64] = "";
  const micrort_text_message messages[] = {{"system", "a"}, {"narrator", "b"}};
  int32_t tokens[8];
  size_t count = 0, bytes = 0;
  const char* piece = NULL;
  micrort_text_options options;
  micrort_text_result result;
  micrort_text_answer *answer = NULL, *next = NULL;
  EXPECT(micrort_text_encode(model, "abc", 1, NULL, 0, &count, NULL, 0) == MICRORT_OK && count == 3);
  EXPECT(micrort_text_encode(model, "abc", 1, tokens, 8, &count, NULL, 0) == MICRORT_OK && count == 3);
  EXPECT(micrort_text_encode(model, "abc", 1, NULL, 8, &count, NULL, 0) == MICRORT_INVALID_ARGUMENT);
  EXPECT(micrort_text_encode_chat(model, "klingon", messages, 2, tokens, 8, &count, NULL, 0) ==
         MICRORT_INVALID_ARGUMENT);
  EXPECT(micrort_text_encode_chat(model, "chatml", messages, 2, tokens, 8, &count, message, sizeof message) ==
         MICRORT_INVALID_ARGUMENT);
  EXPECT(strstr(message, "found 'narrator'") != NULL);
  EXPECT(micrort_text_begin(generator, tokens, 0, NULL, &answer, NULL, 0) == MICRORT_INVALID_ARGUMENT);
  EXPECT(answer == NULL);

  micrort_text_reset(generator);
  micrort_text_options_init(&options);
  options.max_tokens = 4;
  EXPECT(micrort_text_encode(model, "abc", 1, tokens, 8, &count, NULL, 0) == MICRORT_OK);
  EXPECT(micrort_text_begin(generator, tokens, count, &options, &answer, NULL, 0) == MICRORT_OK);
  while (!micrort_text_has_ended(answer)) {
    EXPECT(micrort_text_step(answer, &piece, &bytes, NULL, 0) == MICRORT_OK && strlen(piece) == bytes);
    strcat(text, piece);
  }
  micrort_text_answer_result(answer, &result);
  EXPECT(strcmp(text, "defg") == 0 && result.reason == MICRORT_TEXT_LENGTH && result.tokens == 4);
  EXPECT(micrort_text_answer_tokens(answer)[0] == tokens[2] + 1);

  /* An answer that another one follows has ended. */
  EXPECT(micrort_text_begin(generator, tokens, 1, &options, &next, NULL, 0) == MICRORT_OK);
  EXPECT(micrort_text_step(answer, &piece, &bytes, message, sizeof message) == MICRORT_INVALID_ARGUMENT);
  EXPECT(strstr(message, "has gone on without this answer") != NULL && bytes == 0);
  micrort_text_answer_destroy(answer);
  micrort_text_stop(next);
  micrort_text_answer_result(next, &result);
  EXPECT(micrort_text_has_ended(next) && result.reason == MICRORT_TEXT_CALLBACK);
  micrort_text_reset(generator);
  EXPECT(micrort_text_step(next, &piece, &bytes, NULL, 0) == MICRORT_INVALID_ARGUMENT);
  micrort_text_answer_destroy(next);
  micrort_text_answer_destroy(NULL);
  return NULL;
}

static const char* GoBack(micrort_text_generator* generator, micrort_text_generator* growing) {
  char message[MICRORT_MESSAGE_BYTES];
  micrort_text_options options;
  Pieces made = OfMost(100);
  micrort_text_options_init(&options);
  options.max_tokens = 2;
  micrort_text_reset(generator);
  EXPECT(micrort_text_generate(generator, "abcd", &options, NULL, NULL, NULL, NULL, 0) == MICRORT_OK);
  /* Of "abcde", "ab" stays. */
  EXPECT(micrort_text_truncate(generator, 2, NULL, 0) == MICRORT_OK && micrort_text_length(generator) == 2);
  EXPECT(micrort_text_generate(generator, "c", &options, Collect, &made, NULL, NULL, 0) == MICRORT_OK);
  EXPECT(strcmp(made.text, "de") == 0);
  EXPECT(micrort_text_truncate(generator, 9, message, sizeof message) == MICRORT_INVALID_ARGUMENT);
  EXPECT(strstr(message, "9 tokens to keep, of 4") != NULL);

  EXPECT(micrort_text_generate(growing, "abcd", &options, NULL, NULL, NULL, NULL, 0) == MICRORT_OK);
  EXPECT(micrort_text_truncate(growing, 2, message, sizeof message) == MICRORT_INVALID_ARGUMENT);
  EXPECT(strstr(message, "back to no token only") != NULL && micrort_text_length(growing) == 5);
  EXPECT(micrort_text_truncate(growing, 0, NULL, 0) == MICRORT_OK && micrort_text_length(growing) == 0);
  return NULL;
}

static const char* Cancel(micrort_text_generator* generator) {
  Pieces made = OfMost(100);
  micrort_text_reset(generator);
  made.cancels = generator;
  EXPECT(micrort_text_generate(generator, "abc", NULL, Collect, &made, NULL, NULL, 0) == MICRORT_CANCELLED);
  EXPECT(strcmp(made.text, "d") == 0);
  EXPECT(micrort_text_generate(generator, "abc", NULL, NULL, NULL, NULL, NULL, 0) == MICRORT_CANCELLED);
  micrort_text_reset(generator);
  return MakeText(generator);
}

static const char* Refuse(micrort_text_generator* generator) {
  char message[MICRORT_MESSAGE_BYTES];
  const char* word = "x";
  const char** many = (const char**)malloc(1000000 * sizeof *many);
  size_t i;
  micrort_status status;
  micrort_text_options options;
  EXPECT(many != NULL);
  for (i = 0; i < 1000000; ++i) many[i] = word;
#define REFUSED(change, words)                                                                             \
  do {                                                                                                     \
    micrort_text_options_init(&options);                                                                   \
    change;                                                                                                \
    status = micrort_text_generate(generator, "abc", &options, NULL, NULL, NULL, message, sizeof message); \
    if (status != MICRORT_INVALID_ARGUMENT || strstr(message, words) == NULL) {                            \
      free((void*)many);                                                                                   \
      return words;                                                                                        \
    }                                                                                                      \
  } while (0)
  micrort_text_reset(generator);
  REFUSED(options.temperature = NAN, "temperature is nan");
  REFUSED(options.temperature = -1, "temperature is -1");
  REFUSED(options.top_p = 1.5f, "top_p is 1.5");
  REFUSED(options.top_k = -1, "top_k is -1");
  REFUSED(options.min_p = NAN, "min_p is nan");
  REFUSED(options.repetition_penalty = 0, "repetition_penalty is 0");
  REFUSED(options.max_tokens = -1, "max_tokens is -1");
  REFUSED(options.struct_bytes = sizeof options + 1, "expected struct_bytes of at most");
  REFUSED(options.stop_words = many; options.stop_word_count = 1000000, "stop words: expected at most 64");
  REFUSED(options.stop_word_count = 1, "an argument is null");
  REFUSED(options.chat = "klingon", "expected one of llama2");
  REFUSED(options.system = "a", "a system message needs chat");
#undef REFUSED
  free((void*)many);
  EXPECT(micrort_text_length(generator) == 0);
  EXPECT(micrort_text_generate(NULL, "abc", NULL, NULL, NULL, NULL, NULL, 0) == MICRORT_INVALID_ARGUMENT);
  EXPECT(micrort_text_generate(generator, NULL, NULL, NULL, NULL, NULL, NULL, 0) == MICRORT_INVALID_ARGUMENT);
  EXPECT(micrort_text_generate(generator, "", NULL, NULL, NULL, NULL, message, 8) ==
         MICRORT_INVALID_ARGUMENT);
  EXPECT(strcmp(message, "the pro") == 0);
  /* The cache has 11 rows. */
  EXPECT(micrort_text_generate(generator, "abcdefghijklm", NULL, NULL, NULL, NULL, message, sizeof message) ==
         MICRORT_OUT_OF_RANGE);
  EXPECT(strstr(message, "the cache has 11 rows") != NULL);
  return NULL;
}

static const char* Load(const char* model_path, const char* tokenizer_path) {
  char message[MICRORT_MESSAGE_BYTES];
  micrort_text_model* model = (micrort_text_model*)&message;
  micrort_text_generator* generator = (micrort_text_generator*)&message;
  EXPECT(micrort_text_model_from_files(model_path, "none.json", &model, message, sizeof message) ==
         MICRORT_IO);
  EXPECT(model == NULL && strstr(message, "none.json") != NULL);
  EXPECT(micrort_text_model_from_files("none.fb", tokenizer_path, &model, message, sizeof message) ==
         MICRORT_IO);
  EXPECT(micrort_text_model_from_files(model_path, model_path, &model, NULL, 0) != MICRORT_OK &&
         model == NULL);
  EXPECT(micrort_text_model_from_files(NULL, tokenizer_path, &model, NULL, 0) == MICRORT_INVALID_ARGUMENT);
  EXPECT(micrort_text_model_from_files(model_path, tokenizer_path, NULL, NULL, 0) ==
         MICRORT_INVALID_ARGUMENT);
  EXPECT(micrort_text_model_from_buffers(NULL, 0, "{}", 2, &model, NULL, 0) != MICRORT_OK && model == NULL);
  EXPECT(micrort_text_generator_create(NULL, NULL, &generator, NULL, 0) == MICRORT_INVALID_ARGUMENT);
  micrort_text_model_destroy(NULL);
  micrort_text_generator_destroy(NULL);
  return NULL;
}

static const char* TokenizerAlone(const char* tokenizer_path) {
  micrort_text_model* tokenizer = NULL;
  micrort_text_generator* generator = NULL;
  char message[MICRORT_MESSAGE_BYTES];
  int32_t tokens[8];
  size_t count = 0;
  EXPECT(micrort_text_tokenizer_from_file("none.json", &tokenizer, message, sizeof message) == MICRORT_IO);
  EXPECT(tokenizer == NULL && strstr(message, "none.json") != NULL);
  EXPECT(micrort_text_tokenizer_from_file(NULL, &tokenizer, NULL, 0) == MICRORT_INVALID_ARGUMENT);
  EXPECT(micrort_text_tokenizer_from_file(tokenizer_path, NULL, NULL, 0) == MICRORT_INVALID_ARGUMENT);
  EXPECT(micrort_text_tokenizer_from_buffer(NULL, 0, &tokenizer, NULL, 0) == MICRORT_INVALID_ARGUMENT);
  EXPECT(micrort_text_tokenizer_from_buffer("{", 1, &tokenizer, NULL, 0) == MICRORT_INVALID_MODEL);
  EXPECT(micrort_text_tokenizer_from_file(tokenizer_path, &tokenizer, NULL, 0) == MICRORT_OK);
  EXPECT(micrort_text_encode(tokenizer, "a", 0, tokens, 8, &count, NULL, 0) == MICRORT_OK && count == 1);
  EXPECT(micrort_text_generator_create(tokenizer, NULL, &generator, message, sizeof message) ==
             MICRORT_INVALID_ARGUMENT &&
         generator == NULL && strstr(message, "a tokenizer alone") != NULL);
  micrort_text_model_destroy(tokenizer);
  return NULL;
}

const char* UseTextCApi(const char* model_path, const char* growing_path, const char* tokenizer_path) {
  micrort_text_model *model = NULL, *growing_model = NULL;
  micrort_text_generator *generator = NULL, *other = NULL, *growing = NULL, *none = NULL;
  micrort_options options;
  const char* error = Load(model_path, tokenizer_path);
  if (error == NULL) error = TokenizerAlone(tokenizer_path);
  if (error != NULL) return error;
  micrort_options_init(&options);
  options.threads = 2;
  EXPECT(micrort_text_model_from_files(model_path, tokenizer_path, &model, NULL, 0) == MICRORT_OK);
  EXPECT(micrort_text_model_from_files(growing_path, tokenizer_path, &growing_model, NULL, 0) == MICRORT_OK);
  EXPECT(micrort_text_generator_create(model, &options, &generator, NULL, 0) == MICRORT_OK);
  EXPECT(micrort_text_generator_create(model, NULL, &other, NULL, 0) == MICRORT_OK);
  EXPECT(micrort_text_generator_create(growing_model, NULL, &growing, NULL, 0) == MICRORT_OK);
  options.isa = "abacus";
  EXPECT(micrort_text_generator_create(model, &options, &none, NULL, 0) == MICRORT_INVALID_ARGUMENT);
  error = MakeText(generator);
  if (error == NULL) error = MakeText(other);
  if (error == NULL) error = StepByStep(model, other);
  if (error == NULL) error = GoBack(generator, growing);
  if (error == NULL) error = Cancel(generator);
  if (error == NULL) error = Refuse(other);
  micrort_text_generator_destroy(growing);
  micrort_text_generator_destroy(other);
  micrort_text_generator_destroy(generator);
  micrort_text_model_destroy(growing_model);
  micrort_text_model_destroy(model);
  return error;
}
