#ifndef MICRORT_TESTS_TEXT_SPEECH_C_USE_H
#define MICRORT_TESTS_TEXT_SPEECH_C_USE_H

#ifdef __cplusplus
extern "C" {
#endif

/* `folder`: a recognizer with times; `wav`: a second of sound; `text`: what is said in it, in at most 8
 * tokens of English. NULL, or what went wrong. */
const char* UseSpeechCApi(const char* folder, const char* wav, const char* text);

#ifdef __cplusplus
}
#endif

#endif
