#ifndef MICRORT_TESTS_TEXT_TEXT_C_USE_H
#define MICRORT_TESTS_TEXT_TEXT_C_USE_H

#ifdef __cplusplus
extern "C" {
#endif

/* Files: `model` counts, with a cache of 11 rows; `growing` is the same with caches as inputs; the tokenizer
 * has letters. */
const char* UseTextCApi(const char* model, const char* growing, const char* tokenizer);

#ifdef __cplusplus
}
#endif

#endif
