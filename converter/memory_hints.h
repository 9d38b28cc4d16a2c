#pragma once
// Flags that make a model smaller that does not fit --max-arena: each is converted and measured, none
// guessed.

#include <functional>

#include "converter/convert.h"

namespace micrort {

// Converts the same model with other options.
using Reconvert = std::function<Status(const ConvertOptions& options, ConvertResult* result)>;

// `status`: why the model does not fit. The same with the options that need less memory, and the bytes of
// each.
Status WithMemoryHints(const Status& status, const ConvertOptions& options, const ConvertResult& failed,
                       const Reconvert& reconvert);

}  // namespace micrort
