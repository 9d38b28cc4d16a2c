#pragma once
// What the handles of text_c.h hold, and how statuses leave its functions.

#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "micrort/text/generate.h"
#include "micrort/text/text_c.h"

struct micrort_text_model {
  std::optional<micrort::Model> model;  // none of a tokenizer alone
  micrort::text::Tokenizer tokenizer;
};

struct micrort_text_generator {
  const micrort_text_model* model;
  micrort::text::Decoder decoder;
  const micrort_text_answer* current = nullptr;  // the one answer that may go on
};

namespace micrort::text {

// Writes the message of a status into the caller's buffer.
micrort_status WriteStatus(const Status& status, char* message, size_t message_bytes);

// The way of every status out of the C interface; no exception leaves it.
template <typename Function>
micrort_status Report(char* message, size_t message_bytes, Function function) {
  Status status;
  try {
    status = function();
  } catch (const std::exception&) {
    status = MICRORT_ERROR(kOutOfMemory, "an allocation failed");
  }
  return WriteStatus(status, message, message_bytes);
}

inline Status NullArgument() { return MICRORT_ERROR(kInvalidArgument, "an argument is null"); }

// If the caller was built against an older, shorter structure, the rest stays as it is in `to`.
template <typename Options>
Status CopyOptions(const Options* given, Options* to) {
  if (given == nullptr) return Status();
  if (given->struct_bytes < sizeof given->struct_bytes || given->struct_bytes > sizeof *to)
    return MICRORT_ERROR(kInvalidArgument, "options: expected struct_bytes of at most %zu, found %zu",
                         sizeof *to, given->struct_bytes);
  std::memcpy(to, given, given->struct_bytes);
  return Status();
}

Status ReadOptions(const micrort_text_options& from, const Tokenizer& tokenizer, GenerateOptions* to);
// `given` may be null.
Status ReadInterpreterOptions(const micrort_options* given, InterpreterOptions* to);
micrort_text_result ResultOf(const GenerateResult& made);

}  // namespace micrort::text
